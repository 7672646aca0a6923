/** Finds the repositories of the workspace, and opens those that the rule allows. */
import { DiscoverResult, WorktreeRoot } from '../protocol';
import { findRepositories, isRepository, nearestRepository } from './findRepositories';
import { HelperApi, Report } from './HelperApi';
import { messageOf } from './messageOf';
import { OpenRepositories } from './OpenRepositories';
import { kOpenAll, Verdict, verdictOf } from './openRule';
import { depthBelow, RegistryOptions } from './registryOptions';
import { RepositoryProblems } from './RepositoryProblems';
import { SubmoduleSearch } from './SubmoduleSearch';
import { longest, resolveFolder, WorkspaceFolder, WorkspacePaths } from './WorkspacePaths';

export class RepositoryDiscovery {
  private workspacePaths = new WorkspacePaths([]);
  private folders: readonly string[] = [];
  private options: RegistryOptions = { depth: 1, trusted: false };
  /** Number of the last discovery. Incremented to invalidate a discovery in progress. */
  private round = 0;
  /** The last discovery. Resolves when the discovery has ended, also after an error. */
  private discovered: Promise<unknown> = Promise.resolve();
  private readonly notOpened = new Map<WorktreeRoot, 'ask' | 'leave'>();
  /** Folders whose `.git` belongs to another worktree, with the root of that worktree. */
  private readonly actualRoots = new Map<WorktreeRoot, WorktreeRoot>();
  /** Folders whose surroundings were searched. */
  private readonly visited = new Set<string>();
  /** Repositories below the search depth. They were found around a file, or as a submodule. */
  private readonly belowDepth = new Set<WorktreeRoot>();
  private readonly submodules: SubmoduleSearch;

  constructor(
    private readonly helper: HelperApi,
    private readonly open: OpenRepositories,
    private readonly problems: RepositoryProblems,
    /** The problems, or the repositories that are left out, may have changed. */
    private readonly onDidChange: () => void,
    report: Report,
  ) {
    this.submodules = new SubmoduleSearch(
      {
        settled: () => this.settled(),
        prune: () => this.wantedBelowDepth(),
        isSearched: (root) => this.isSearched && open.isShown(root),
        isNews: (found) => {
          const root = this.actualRoots.get(found) ?? found;
          const isFound = open.has(root) || this.notOpened.has(root) || this.belowDepth.has(found);
          return !isFound && this.workspacePaths.contains(found);
        },
        found: (root) => {
          const verdict = this.consider(root);
          if (verdict !== 'ignore') this.belowDepth.add(root);
          return verdict;
        },
        leftOut: onDidChange,
      },
      report,
    );
  }

  get paths(): WorkspacePaths {
    return this.workspacePaths;
  }
  /** Repositories that were found but not opened, by the rule or by an answer. */
  get leftOut(): ReadonlyMap<WorktreeRoot, 'ask' | 'leave'> {
    return this.notOpened;
  }

  /** Takes effect with the next discovery. */
  setWorkspace(folders: readonly string[], options: RegistryOptions): void {
    this.folders = folders;
    this.options = options;
  }

  discoverAll(): Promise<void> {
    const discovering = this.discover();
    this.discovered = discovering.catch(() => undefined);
    return discovering;
  }

  private async discover(): Promise<void> {
    const round = ++this.round;
    this.visited.clear();
    const folders = await Promise.all(this.folders.map(resolveFolder));
    if (round !== this.round) return;
    this.workspacePaths = new WorkspacePaths(folders);
    this.problems.clear();
    this.notOpened.clear();
    const found = new Set<WorktreeRoot>();
    const ask = async (folder: WorkspaceFolder): Promise<boolean> => {
      try {
        // Asks git about the folder itself only. `findRepositories` finds nested repositories without git.
        const nested = findRepositories(folder.real, depthBelow(folder.opened, this.options));
        const own = await this.helper.discover({ path: folder.opened, depth: 0 });
        const take = ({ roots, problems }: DiscoverResult) => {
          if (round !== this.round) return false;
          for (const { path, message } of problems) this.problems.note(path, message);
          for (const root of roots) if (this.consider(root) === 'open') found.add(root);
          return true;
        };
        return take(own) && take(await nested);
      } catch (error) {
        if (round === this.round) this.problems.note(folder.opened, messageOf(error));
        return false;
      }
    };
    const answers = await Promise.all(folders.map(ask));
    const belowDepth = await this.wantedBelowDepth();
    if (round !== this.round) return;
    for (const root of belowDepth) if (this.consider(root) === 'open') found.add(root);
    // After a failure, a repository that was not found may still exist.
    if (answers.every((isAnswered) => isAnswered)) {
      const wanted = new Set(Array.from(found, (root) => this.actualRoots.get(root) ?? root));
      for (const root of this.open.roots) if (!wanted.has(root)) this.open.close(root);
    }
    this.onDidChange();
    this.searchSubmodules(this.open.roots);
  }

  /** Opens the repository around a file, also below the search depth. */
  async discoverAround(openedPath: string): Promise<void> {
    const folder = openedPath.slice(0, Math.max(openedPath.lastIndexOf('/'), 1));
    const top = longest(this.workspacePaths.folders, (each) => each.opened, folder);
    if (top === undefined || this.visited.has(folder)) return;
    this.visited.add(folder);
    const { round } = this;
    const root = await nearestRepository(this.workspacePaths.toReal(folder), top.real);
    if (root === undefined || round !== this.round) return;
    this.belowDepth.add(root);
    this.consider(root, [openedPath]);
    if (this.notOpened.size > 0) this.onDidChange();
  }

  /** Lets the next file in a folder search around it again. */
  forgetVisits(): void {
    this.visited.clear();
  }

  searchSubmodules(roots: Iterable<WorktreeRoot>): void {
    this.submodules.lookInto(roots);
  }

  /** The `.git` in `found` belongs to the worktree `actual`, which is opened in its place. */
  redirect(found: WorktreeRoot, actual: WorktreeRoot): void {
    this.actualRoots.set(found, actual);
    this.consider(found);
  }

  /** Opens the repository if the rule allows it. */
  consider(found: WorktreeRoot, alsoEdited: readonly string[] = []): Verdict {
    const root = this.actualRoots.get(found) ?? found;
    const { rule } = this.options;
    const opened = rule === undefined ? [] : [...rule.edited(), ...alsoEdited];
    const verdict = verdictOf(root, rule?.settings ?? kOpenAll, {
      folders: this.workspacePaths.folders,
      answers: rule?.answers() ?? new Map<WorktreeRoot, never>(),
      edited: opened.map((path) => this.workspacePaths.toReal(path)),
    });
    if (verdict === 'open') {
      this.notOpened.delete(root);
      this.open.open(root);
    } else if (verdict !== 'ignore') this.notOpened.set(root, verdict);
    return verdict;
  }

  /** The wanted repositories below the search depth. Forgets repositories that are gone or outside the workspace. */
  private async wantedBelowDepth(): Promise<WorktreeRoot[]> {
    for (const root of [...this.belowDepth]) {
      const isWanted = this.isSearched || !this.submodules.has(root);
      if (isWanted && this.workspacePaths.contains(root) && (await isRepository(root))) continue;
      this.belowDepth.delete(root);
      this.submodules.forget(root);
    }
    return [...this.belowDepth];
  }

  /** False: neither folders nor submodules of open repositories are searched. */
  private get isSearched(): boolean {
    return this.folders.some((folder) => depthBelow(folder, this.options) > 0);
  }

  /** Resolves when no discovery is in progress. The returned function is false once another discovery has begun. */
  private async settled(): Promise<() => boolean> {
    for (let seen: unknown; seen !== this.discovered;) await (seen = this.discovered);
    const { round } = this;
    return () => round === this.round;
  }

  dispose(): void {
    this.round++;
    this.submodules.dispose();
  }
}
