/** Sparse checkouts, as the git that is asked makes and counts them. */
import type { Bytes } from '../support/bytes';
import { atLeast } from '../support/oracle';
import type { Repository } from '../support/repository';

/** Sparse indexes are made since 2.32; `--sparse`, with which one is changed outside of the cone, is known since 2.34. */
export const knowsSparseIndex = (): boolean => atLeast(2, 34);

/** A sparse checkout can be made and unmade beside changes of the index or of tracked files. Since 2.27. */
export const canSetWithChanges = (): boolean => atLeast(2, 27);

/** Without an option for the index where git does not know it. */
export function setSparseCheckout(repo: Repository, options: readonly string[], ...patterns: string[]): void {
  if (atLeast(2, 35)) {
    repo.git('sparse-checkout', 'set', ...options, ...patterns);
    return;
  }
  // An older `set` takes options for patterns.
  const known = options.filter((option) => knowsSparseIndex() || !option.endsWith('sparse-index'));
  repo.git('sparse-checkout', 'init', ...known);
  repo.git('sparse-checkout', 'set', ...patterns);
}

/** Stages a file outside of the sparse checkout. Before 2.36 `git add` passes over one that is marked. */
export function addOutside(repo: Repository, path: Bytes): void {
  if (!atLeast(2, 36)) repo.git('update-index', '--no-skip-worktree', path);
  repo.git('add', '--sparse', path);
}

/** What shows of files that are present outside of the sparse checkout: they count since 2.36. */
export function present(...shows: RegExp[]): RegExp[] {
  return atLeast(2, 36) ? shows : [];
}
