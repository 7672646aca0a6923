/** Cache of the paths in an index: asks git again only if the index file changed. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Bytes, fromBuffer } from '../../support/bytes';
import type { Repository } from '../../support/repository';

/** The checksum at the end of an index, with either hash. */
const tailLength = 32;

interface Listing {
  index: string;
  identity: string;
  paths: readonly Bytes[];
}

const listings = new WeakMap<Repository, Listing>();

/** Identity that changes with each write of the index; undefined without an index. */
function identityOf(path: string): string | undefined {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return undefined;
  }
  try {
    const { ino, size, mtimeNs, ctimeNs } = fstatSync(file, { bigint: true });
    const tail = Buffer.alloc(tailLength);
    const start = Math.max(0, Number(size) - tailLength);
    readSync(file, tail, 0, tailLength, start);
    return [ino, size, mtimeNs, ctimeNs, tail.toString('hex')].join(' ');
  } finally {
    closeSync(file);
  }
}

function ask(repo: Repository): Bytes[] {
  return [...new Set(fromBuffer(repo.ask('ls-files', '-z').stdout).split('\0'))].filter(Boolean);
}

export function pathsInIndex(repo: Repository): readonly Bytes[] {
  const known = listings.get(repo);
  if (known && identityOf(known.index) === known.identity) return known.paths;
  const said = repo.ask('rev-parse', '--git-path', 'index');
  const index = resolve(repo.root, said.stdout.toString('utf8').trim());
  const identity = said.code === 0 ? identityOf(index) : undefined;
  const paths = ask(repo);
  // Not cached if the index was written meanwhile.
  if (identity !== undefined && identityOf(index) === identity) {
    listings.set(repo, { index, identity, paths });
  }
  return paths;
}
