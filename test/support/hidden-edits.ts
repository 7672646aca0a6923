/**
 * Edits that the stat data hide: of the same size, in the second in which the file was staged. `git status` shows none
 * of them, and compares such a file as it is on disk where it looks for renames (native/DIFFERENCES.md).
 */
import { createHash } from 'node:crypto';
import { readFileSync, utimesSync } from 'node:fs';
import type { Bytes } from './bytes';
import type { Repository } from './repository';

const regularFile = /^100\d{3} ([0-9a-f]+) 0\t(.*)$/s;

/** Gives each such file another time, so that both see the edit. Returns how many there were. */
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

/** Without conversions: what they concern is looked at once more, and nothing else. Undefined where there is no file. */
function blobId(path: Buffer): string | undefined {
  try {
    const content = readFileSync(path);
    return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
  } catch {
    return undefined;
  }
}
