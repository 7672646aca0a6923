/**
 * Edits that stat data hide: the same size, and the same second as `git add`. `git status` does not show
 * them. But its rename detection compares such a file by its content on disk (native/DIFFERENCES.md).
 */
import { createHash } from 'node:crypto';
import { readFileSync, utimesSync } from 'node:fs';
import type { Bytes } from './bytes';
import type { Repository } from './repository';

const regularFile = /^100\d{3} ([0-9a-f]+) 0\t(.*)$/s;

/** Changes the time of each such file, so that git and we see the edit. Returns their number. */
export function reveal(repo: Repository): number {
  const seen = new Set(list(repo, 'diff-files', '--name-only', '-z'));
  let count = 0;
  for (const line of list(repo, 'ls-files', '--stage', '-z')) {
    const [, id, path] = regularFile.exec(line) ?? [];
    if (id === undefined || path === undefined || seen.has(path)) continue;
    const absolute = repo.absolute(path);
    const found = blobId(absolute);
    if (found === undefined || found === id) continue;
    utimesSync(absolute, new Date(), new Date());
    count++;
  }
  return count;
}

function list(repo: Repository, ...command: string[]): Bytes[] {
  return repo
    .git(...command)
    .split('\0')
    .filter(Boolean);
}

/** Ignores conversions: they only cause an extra check. Undefined without a file. */
function blobId(path: Buffer): string | undefined {
  try {
    const content = readFileSync(path);
    return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
  } catch {
    return undefined;
  }
}
