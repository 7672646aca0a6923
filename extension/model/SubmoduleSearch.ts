/**
 * Finds the submodules of open repositories that lie deeper in the workspace than repositories are looked for. Bounded
 * by `kMostSubmodules`, and by what is read of a `.gitmodules`; without a process.
 */
import { DidChangeParams, RepoPath, WorktreeRoot } from '../protocol';
import { isRepository } from './findRepositories';
import { Report } from './HelperApi';
import { Verdict } from './openRule';
import { join } from './repoPath';
import { isReached, submodulePaths } from './submodulePaths';
import { Throttle } from './Throttle';

/** Adding a submodule changes several files, and a rebase the index many times. */
const kIntervalMs = 1_000;
/** Of a workspace. An ignored one does not count. Another is opened with the first of its files. */
export const kMostSubmodules = 20;

/** What is known of the workspace's repositories. */
export interface SubmoduleHost {
  /** Resolves while no discovery is under way, with what turns false when another one begins. */
  settled(): Promise<() => boolean>;
  /** Drops from the search, by `forget`, what is a repository of the workspace no more. */
  prune(): Promise<unknown>;
  /** The repository is open, and its submodules are wanted. */
  isSearched(root: WorktreeRoot): boolean;
  /** It lies in the workspace, and was not found before. */
  isNews(root: WorktreeRoot): boolean;
  /** A submodule that is checked out. */
  found(root: WorktreeRoot): Verdict;
  /** Some that were found were not opened. */
  leftOut(): void;
}

/** The submodules may be others than before: the index or HEAD changed, or what their paths are read from. */
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

  /** Their submodules may be others than before. After each discovery it is told all that are open. */
  lookInto(roots: Iterable<WorktreeRoot>): void {
    for (const root of roots) this.roots.add(root);
    if (this.roots.size > 0) this.throttle.schedule();
  }

  /** It was found here. */
  has(root: WorktreeRoot): boolean {
    return this.counted.has(root);
  }

  /** Another one can take its place. */
  forget(submodule: WorktreeRoot): void {
    this.counted.delete(submodule);
  }

  dispose(): void {
    this.throttle.dispose();
  }

  /** Those of a submodule follow once it is open itself. */
  private async search(): Promise<void> {
    // What a discovery finds is no submodule that counts.
    const isCurrent = await this.host.settled();
    const roots = [...this.roots].filter((root) => this.host.isSearched(root));
    this.roots.clear();
    await this.host.prune();
    let areLeft = false;
    for (const root of roots) if (await this.searchIn(root, isCurrent)) areLeft = true;
    if (areLeft) this.host.leftOut();
  }

  /** True where one that was found is not opened. */
  private async searchIn(root: WorktreeRoot, isCurrent: () => boolean): Promise<boolean> {
    let areLeft = false;
    for (const path of await submodulePaths(root)) {
      const submodule = join(root, path);
      if (!this.host.isNews(submodule)) continue;
      if (!(await isRepository(submodule)) || !(await isReached(root, path))) continue;
      if (!isCurrent() || this.counted.size >= kMostSubmodules) break;
      // Meanwhile a file of it may have been opened.
      const verdict = this.host.isNews(submodule) ? this.host.found(submodule) : 'ignore';
      if (verdict === 'ignore') continue;
      this.counted.add(submodule);
      areLeft ||= verdict !== 'open';
    }
    return areLeft;
  }
}
