/** What git's own untracked cache says wrongly without any monitor. */
import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import type { Repository } from '../../support/repository';

/** Lines of `text` that `of` does not have. */
function linesBeyond(text: string, of: string): string[] {
  const known = new Set(of.split('\n'));
  return text.split('\n').filter((line) => !known.has(line));
}

function holdsRepository(repo: Repository, directory: string): boolean {
  const names = readdirSync(repo.absolute(directory).toString(), { recursive: true, encoding: 'utf8' });
  return names.some((name) => basename(name) === '.git');
}

/**
 * Whether what git told with its cache (`status --porcelain=v2`) differs from what is so by two faults of the cache alone,
 * where nobody tells git more than that everything may have changed: it still tells a directory whose last file went
 * away, and overlooks a repository that is made in one that was empty.
 */
export function isFaultOfGit(told: string, expected: string, repo: Repository): boolean {
  if (told === expected) return false;
  const [leftOver, overlooked] = [linesBeyond(told, expected), linesBeyond(expected, told)];
  return (
    [...leftOver, ...overlooked].every((line) => line.startsWith('? ') && line.endsWith('/')) &&
    overlooked.every((line) => holdsRepository(repo, line.slice(2)))
  );
}
