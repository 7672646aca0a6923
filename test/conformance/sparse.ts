/** Sparse checkouts in the form that the oracle supports. */
import type { Bytes } from '../support/bytes';
import { atLeast } from '../support/oracle';
import type { Repository } from '../support/repository';

/**
 * True if git supports sparse indexes (since 2.32), and `--sparse` to change them outside of the cone (since
 * 2.34).
 */
export const knowsSparseIndex = (): boolean => atLeast(2, 34);

/** True if a sparse checkout can change beside changes of the index or of tracked files. Since 2.27. */
export const canSetWithChanges = (): boolean => atLeast(2, 27);

/** Omits an option for the index if git does not know it. */
export function setSparseCheckout(repo: Repository, options: readonly string[], ...patterns: string[]): void {
  if (atLeast(2, 35)) {
    repo.git('sparse-checkout', 'set', ...options, ...patterns);
    return;
  }
  // An older `set` treats options as patterns.
  const known = options.filter((option) => knowsSparseIndex() || !option.endsWith('sparse-index'));
  repo.git('sparse-checkout', 'init', ...known);
  repo.git('sparse-checkout', 'set', ...patterns);
}

/** Stages a file outside of the sparse checkout. Before 2.36 `git add` skips such a file if it is marked. */
export function addOutside(repo: Repository, path: Bytes): void {
  if (!atLeast(2, 36)) repo.git('update-index', '--no-skip-worktree', path);
  repo.git('add', '--sparse', path);
}

/** Expected entries of files that exist outside of the sparse checkout: shown since 2.36. */
export function present(...shows: RegExp[]): RegExp[] {
  return atLeast(2, 36) ? shows : [];
}
