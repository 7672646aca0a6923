/** Known faults of git's own untracked cache, without any monitor. */
import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import type { Repository } from '../../support/repository';

/** Lines of `text` that are missing in `of`. */
function linesBeyond(text: string, of: string): string[] {
  const known = new Set(of.split('\n'));
  return text.split('\n').filter((line) => !known.has(line));
}

function holdsRepository(repo: Repository, directory: string): boolean {
  const names = readdirSync(repo.absolute(directory).toString(), { recursive: true, encoding: 'utf8' });
  return names.some((name) => basename(name) === '.git');
}

/**
 * True if git's answer with its cache (`status --porcelain=v2`) differs only by two faults of the cache. They
 * occur if the monitor reports that everything may have changed. The cache still shows a directory whose last
 * file was removed. It also misses a repository that was made in an empty directory.
 */
export function isFaultOfGit(told: string, expected: string, repo: Repository): boolean {
  if (told === expected) return false;
  const [leftOver, overlooked] = [linesBeyond(told, expected), linesBeyond(expected, told)];
  return (
    [...leftOver, ...overlooked].every((line) => line.startsWith('? ') && line.endsWith('/')) &&
    overlooked.every((line) => holdsRepository(repo, line.slice(2)))
  );
}
