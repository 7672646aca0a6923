/**
 * Finds the submodules of open repositories that lie below the search depth. Starts no process. Bounded by
 * `kMaxSubmodules`, and by the limits for reading `.gitmodules`.
 */
import { DidChangeParams, RepoPath, WorktreeRoot } from '../protocol';
import { isRepository } from './findRepositories';
import { Report } from './HelperApi';
import { Verdict } from './openRule';
import { join } from './repoPath';
import { isReached, submodulePaths } from './submodulePaths';
import { Throttle } from './Throttle';

/** Adding a submodule changes several files. A rebase changes the index many times. */
const kIntervalMs = 1_000;
/** Limit per workspace. Ignored submodules do not count. Further submodules open with the first of their files. */
export const kMaxSubmodules = 20;

/** The search's access to the workspace's repositories. */
export interface SubmoduleHost {
  /** Resolves when no discovery is in progress. The returned function is false once another discovery has begun. */
  settled(): Promise<() => boolean>;
  /** Calls `forget` for each submodule that is no longer a repository of the workspace. */
  prune(): Promise<unknown>;
  /** True if the repository is open, and its submodules are wanted. */
  isSearched(root: WorktreeRoot): boolean;
  /** True if the root is in the workspace, and was not found before. */
  isNews(root: WorktreeRoot): boolean;
  /** Reports a submodule that is checked out. */
  found(root: WorktreeRoot): Verdict;
  /** Called when some submodules were found, but not opened. */
  leftOut(): void;
}

/** True if the submodules may have changed: the index, HEAD or `.gitmodules` changed. */
export function canChangeSubmodules(delta: DidChangeParams): boolean {
  const { contentChanged, upserted, removed, removedUntracked } = delta;
  const isGitmodules = (path: RepoPath) => path === '.gitmodules';
  return (
    contentChanged === true ||
    upserted.some(({ path }) => isGitmodules(path)) ||
    removed.some(isGitmodules) ||
    removedUntracked.some(isGitmodules)
  );
}

export class SubmoduleSearch {
  private readonly roots = new Set<WorktreeRoot>();
  private readonly counted = new Set<WorktreeRoot>();
  private readonly throttle = new Throttle(kIntervalMs, () => {
    this.search().catch((error: unknown) => {
      this.report('error', `submodules cannot be looked for: ${String(error)}`);
    });
  });

  constructor(
    private readonly host: SubmoduleHost,
    private readonly report: Report,
  ) {}

  /**
   * Schedules a search in these repositories: their submodules may have changed. Called for all open repositories
   * after each discovery.
   */
  lookInto(roots: Iterable<WorktreeRoot>): void {
    for (const root of roots) this.roots.add(root);
    if (this.roots.size > 0) this.throttle.schedule();
  }

  /** True if this search found the repository. */
  has(root: WorktreeRoot): boolean {
    return this.counted.has(root);
  }

  /** Lets another submodule take its place. */
  forget(submodule: WorktreeRoot): void {
    this.counted.delete(submodule);
  }

  dispose(): void {
    this.throttle.dispose();
  }

  /** Finds direct submodules only. Nested submodules follow when their parent is open. */
  private async search(): Promise<void> {
    // Waits, because a repository that the discovery finds does not count as a submodule.
    const isCurrent = await this.host.settled();
    const roots = [...this.roots].filter((root) => this.host.isSearched(root));
    this.roots.clear();
    await this.host.prune();
    let areLeft = false;
    for (const root of roots) if (await this.searchIn(root, isCurrent)) areLeft = true;
    if (areLeft) this.host.leftOut();
  }

  /** True if a submodule was found, but not opened. */
  private async searchIn(root: WorktreeRoot, isCurrent: () => boolean): Promise<boolean> {
    let areLeft = false;
    for (const path of await submodulePaths(root)) {
      const submodule = join(root, path);
      if (!this.host.isNews(submodule)) continue;
      if (!(await isRepository(submodule)) || !(await isReached(root, path))) continue;
      if (!isCurrent() || this.counted.size >= kMaxSubmodules) break;
      // One of its files may have been opened meanwhile.
      const verdict = this.host.isNews(submodule) ? this.host.found(submodule) : 'ignore';
      if (verdict === 'ignore') continue;
      this.counted.add(submodule);
      areLeft ||= verdict !== 'open';
    }
    return areLeft;
  }
}
