/**
 * All repositories of the workspace: finds them, keeps them open across restarts of the helper, and routes the
 * helper's deltas. A repository that cannot be opened becomes a problem with a message; the others continue.
 */
import { DidChangeParams, DidCloseParams, DiscoverResult, WorktreeRoot } from '../protocol';
import { Emitter } from './Emitter';
import { findRepositories, isRepository, kGoneMs, nearestRepository } from './findRepositories';
import { HelperApi, Report } from './HelperApi';
import { isConnectionLoss, isNoRepository } from './helperErrors';
import { messageOf } from './messageOf';
import { kOpenAll, Verdict, verdictOf } from './openRule';
import { depthBelow, RegistryOptions } from './registryOptions';
import { relativeTo } from './repoPath';
import { Repository } from './Repository';
import { RepositoryProblems } from './RepositoryProblems';
import { canChangeSubmodules, SubmoduleSearch } from './SubmoduleSearch';
import { longest, resolveFolder, WorkspaceFolder, WorkspacePaths } from './WorkspacePaths';
import { WorktreeLog } from './WorktreeLog';

export interface Located {
  repository: Repository;
  /** Relative to the repository's root; '' for the root itself. */
  path: string;
}

export class RepositoryRegistry {
  private readonly opened = new Emitter<Repository>();
  private readonly closed = new Emitter<Repository>();
  private readonly failed = new Emitter<Repository>();
  private readonly problemsChanged = new Emitter<void>();
  /** A repository can be shown: the helper answered for it. */
  readonly onDidOpen = this.opened.event;
  readonly onDidClose = this.closed.event;
  /** The repository's state is `failed`, and stays failed. */
  readonly onDidFail = this.failed.event;
  readonly onDidChangeProblems = this.problemsChanged.event;

  private readonly known = new Map<WorktreeRoot, Member>();
  private readonly noted: RepositoryProblems;
  private readonly left = new Map<WorktreeRoot, 'ask' | 'leave'>();
  /** Folders whose `.git` belongs to another worktree, with the root of that worktree. */
  private readonly ledTo = new Map<WorktreeRoot, WorktreeRoot>();
  private workspacePaths = new WorkspacePaths([]);
  private folders: readonly string[] = [];
  private options: RegistryOptions = { depth: 1, trusted: false };
  /** Incremented to invalidate a discovery in progress. */
  private discovery = 0;
  private readonly visited = new Set<string>();
  /** Repositories below the search depth. They were found around a file, or as a submodule. */
  private readonly deeper = new Set<WorktreeRoot>();
  private readonly submodules: SubmoduleSearch;
  /** The last discovery. Resolves when the discovery has ended, also after an error. */
  private discovered: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly helper: HelperApi,
    private readonly report: Report,
  ) {
    this.noted = new RepositoryProblems(report, {
      isKnown: (root) => this.known.has(root),
      isBack: (root) => this.consider(root),
      onDidChange: () => this.problemsChanged.fire(),
    });
    this.submodules = new SubmoduleSearch(
      {
        settled: () => this.settled(),
        prune: () => this.stillDeeper(),
        isSearched: (root) => this.isSearched && this.known.get(root)?.isShown === true,
        isNews: (found) => {
          const root = this.ledTo.get(found) ?? found;
          const isFound = this.known.has(root) || this.left.has(root) || this.deeper.has(found);
          return !isFound && this.workspacePaths.contains(found);
        },
        found: (root) => {
          const verdict = this.consider(root);
          if (verdict !== 'ignore') this.deeper.add(root);
          return verdict;
        },
        leftOut: () => this.problemsChanged.fire(),
      },
      report,
    );
  }

  get repositories(): Repository[] {
    return [...this.known.values()].filter((member) => member.isShown).map((member) => member.repository);
  }
  /** True if no repository is shown or being opened. */
  get isEmpty(): boolean {
    return this.known.size === 0;
  }
  get problems(): ReadonlyMap<string, string> {
    return this.noted.messages;
  }
  /** Repositories that were found but not opened, by the rule or by an answer. */
  get leftOut(): ReadonlyMap<WorktreeRoot, 'ask' | 'leave'> {
    return this.left;
  }
  get paths(): WorkspacePaths {
    return this.workspacePaths;
  }

  get(root: WorktreeRoot): Repository | undefined {
    return this.known.get(root)?.repository;
  }

  /** The deepest repository that contains the file the user sees as `openedPath`. */
  locate(openedPath: string): Located | undefined {
    return this.locateReal(this.workspacePaths.toReal(openedPath));
  }

  /** Like `locate`, but the root of a repository belongs to the repository around it, like a submodule's folder. */
  locateAsContent(openedPath: string): Located | undefined {
    const real = this.workspacePaths.toReal(openedPath);
    return this.locateReal(real, (repository) => repository.root !== real);
  }

  private locateReal(
    real: string,
    accepts: (repository: Repository) => boolean = () => true,
  ): Located | undefined {
    const repository = longest(this.repositories.filter(accepts), (candidate) => candidate.root, real);
    if (repository === undefined) return undefined;
    return { repository, path: relativeTo(repository.root, real) ?? '' };
  }

  /** True if the repository is a submodule of an open repository. */
  isSubmodule(repository: Repository): boolean {
    const { gitDir } = repository;
    if (gitDir === undefined) return false;
    return this.repositories.some((other) => {
      const inside = other.gitDir === undefined ? undefined : relativeTo(other.gitDir, gitDir);
      return other !== repository && inside?.startsWith('modules/') === true;
    });
  }

  /** Opens the repositories of these folders, and closes all others. */
  async setWorkspace(folders: readonly string[], options: RegistryOptions): Promise<void> {
    const { trusted, sweepMinutes } = this.options;
    const differs = options.trusted !== trusted || options.sweepMinutes !== sweepMinutes;
    this.folders = folders;
    this.options = options;
    if (differs) this.reopenAll();
    await this.discoverAll();
  }

  discoverAll(): Promise<void> {
    const discovering = this.discover();
    this.discovered = discovering.catch(() => undefined);
    return discovering;
  }

  private async discover(): Promise<void> {
    const discovery = ++this.discovery;
    this.visited.clear();
    const folders = await Promise.all(this.folders.map(resolveFolder));
    if (discovery !== this.discovery) return;
    this.workspacePaths = new WorkspacePaths(folders);
    this.noted.clear();
    this.left.clear();
    const found = new Set<WorktreeRoot>();
    const ask = async (folder: WorkspaceFolder): Promise<boolean> => {
      try {
        // Asks git about the folder itself only. `findRepositories` finds nested repositories without git.
        const nested = findRepositories(folder.real, depthBelow(folder.opened, this.options));
        const own = await this.helper.discover({ path: folder.opened, depth: 0 });
        const take = ({ roots, problems }: DiscoverResult) => {
          if (discovery !== this.discovery) return false;
          for (const { path, message } of problems) this.noted.note(path, message);
          for (const root of roots) if (this.consider(root) === 'open') found.add(root);
          return true;
        };
        return take(own) && take(await nested);
      } catch (error) {
        if (discovery === this.discovery) this.noted.note(folder.opened, messageOf(error));
        return false;
      }
    };
    const answers = await Promise.all(folders.map(ask));
    const deeper = await this.stillDeeper();
    if (discovery !== this.discovery) return;
    for (const root of deeper) if (this.consider(root) === 'open') found.add(root);
    // After a failure, a repository that was not found may still exist.
    if (answers.every((isAnswered) => isAnswered)) {
      const wanted = new Set(Array.from(found, (root) => this.ledTo.get(root) ?? root));
      for (const root of [...this.known.keys()]) if (!wanted.has(root)) this.drop(root);
    }
    this.problemsChanged.fire();
    this.submodules.lookInto(this.known.keys());
  }

  /** Opens the repository around a file, also below the search depth. */
  async discoverAround(openedPath: string): Promise<void> {
    const folder = openedPath.slice(0, Math.max(openedPath.lastIndexOf('/'), 1));
    const top = longest(this.workspacePaths.folders, (each) => each.opened, folder);
    if (top === undefined || this.visited.has(folder)) return;
    this.visited.add(folder);
    const discovery = this.discovery;
    const root = await nearestRepository(this.workspacePaths.toReal(folder), top.real);
    if (root === undefined || discovery !== this.discovery) return;
    this.deeper.add(root);
    this.consider(root, [openedPath]);
    if (this.left.size > 0) this.problemsChanged.fire();
  }

  /** The wanted repositories below the search depth. Forgets repositories that are gone or outside the workspace. */
  private async stillDeeper(): Promise<WorktreeRoot[]> {
    for (const root of [...this.deeper]) {
      const isWanted = this.isSearched || !this.submodules.has(root);
      if (isWanted && this.workspacePaths.contains(root) && (await isRepository(root))) continue;
      this.deeper.delete(root);
      this.submodules.forget(root);
    }
    return [...this.deeper];
  }

  /** False: neither folders nor submodules of open repositories are searched. */
  private get isSearched(): boolean {
    return this.folders.some((folder) => depthBelow(folder, this.options) > 0);
  }

  /** Resolves when no discovery is in progress. The returned function is false once another discovery has begun. */
  private async settled(): Promise<() => boolean> {
    for (let seen: unknown; seen !== this.discovered;) await (seen = this.discovered);
    const { discovery } = this;
    return () => discovery === this.discovery;
  }

  /** Opens the repository if the rule allows it. */
  private consider(found: WorktreeRoot, alsoEdited: readonly string[] = []): Verdict {
    const root = this.ledTo.get(found) ?? found;
    const { rule } = this.options;
    const opened = rule === undefined ? [] : [...rule.edited(), ...alsoEdited];
    const verdict = verdictOf(root, rule?.settings ?? kOpenAll, {
      folders: this.workspacePaths.folders,
      answers: rule?.answers() ?? new Map<WorktreeRoot, never>(),
      edited: opened.map((path) => this.workspacePaths.toReal(path)),
    });
    if (verdict === 'open') {
      this.left.delete(root);
      this.open(root);
    } else if (verdict !== 'ignore') this.left.set(root, verdict);
    return verdict;
  }

  /** A new helper is ready and has no open worktrees. */
  helperStarted(): void {
    this.reopenAll();
  }

  helperLost(): void {
    for (const { repository } of this.known.values()) repository.markLost();
  }

  didChange(delta: DidChangeParams): void {
    const member = this.known.get(delta.root);
    if (member === undefined) return;
    const held = member.repository;
    this.show(member);
    member.log.note(delta);
    if (held.apply(delta) === 'gap') {
      this.report('warn', `${delta.root}: a change was missed; asking for the whole state again`);
      void this.request(member);
    }
    if (held.state.state === 'failed') this.settleFailure(member);
    if (canChangeSubmodules(delta)) this.submodules.lookInto([delta.root]);
  }

  /**
   * Drops the repository if its `.git` is missing, or leads nowhere, even after `kGoneMs`. A repository that is
   * created there later is found as a new repository. Reports a repository that exists and is still broken.
   */
  private settleFailure(member: Member): void {
    member.settling ??= setTimeout(() => {
      delete member.settling;
      const { root } = member.repository;
      void isRepository(root).then((isThere) => {
        if (this.known.get(root) !== member || member.repository.state.state !== 'failed') return;
        if (isThere) {
          this.failed.fire(member.repository);
          return;
        }
        this.drop(root);
        // No event reports that a linked worktree's repository is back. Opening a file there searches again.
        this.visited.clear();
        this.problemsChanged.fire();
      });
    }, kGoneMs);
  }

  didClose({ root, message }: DidCloseParams): void {
    if (!this.known.has(root)) return;
    this.drop(root, false);
    void this.noted.noteOfRefused(root, message);
  }

  /** Drops the problems of repositories that no longer exist. */
  forgetGone(): Promise<void> {
    return this.noted.forgetGone();
  }

  dispose(): void {
    this.discovery++;
    this.submodules.dispose();
    this.noted.dispose();
    for (const { repository, settling } of this.known.values()) {
      clearTimeout(settling);
      repository.dispose();
    }
    this.known.clear();
    for (const emitter of [this.opened, this.closed, this.failed, this.problemsChanged]) emitter.dispose();
  }

  private open(root: WorktreeRoot): void {
    if (this.known.has(root)) return;
    const log = new WorktreeLog(root, this.report);
    const member: Member = { repository: new Repository(root), log, isShown: false, request: 0 };
    // Set before the request: deltas can arrive before its answer.
    this.known.set(root, member);
    void this.request(member);
  }

  private reopenAll(): void {
    for (const member of this.known.values()) void this.request(member);
  }

  private async request(member: Member): Promise<void> {
    const { root } = member.repository;
    const request = ++member.request;
    const isCurrent = () => this.known.get(root) === member && member.request === request;
    try {
      const { trusted, sweepMinutes } = this.options;
      const result = await this.helper.open({
        root,
        trusted,
        ...(sweepMinutes !== undefined && { sweepMinutes }),
      });
      if (!isCurrent()) return;
      if (result.root !== root) {
        // Its `.git` leads to another worktree, or git does not accept it.
        this.drop(root, false);
        this.ledTo.set(root, result.root);
        this.consider(root);
        return;
      }
      member.repository.gitDir = result.gitDir;
      member.repository.commonDir = result.commonDir;
      if (this.noted.forget(root)) this.problemsChanged.fire();
      this.show(member);
      this.submodules.lookInto([root]);
    } catch (error) {
      // The helper was lost meanwhile. This is no error of the repository: `helperStarted` asks again.
      if (!isCurrent() || isConnectionLoss(error)) return;
      this.drop(root, false);
      // A folder with a `.git` that is not a repository is not shown, and is not a problem.
      if (isNoRepository(error)) this.problemsChanged.fire();
      else void this.noted.noteOfRefused(root, messageOf(error));
    }
  }

  private show(member: Member): void {
    if (member.isShown) return;
    member.isShown = true;
    this.opened.fire(member.repository);
  }

  private drop(root: WorktreeRoot, tellHelper = true): void {
    const member = this.known.get(root);
    if (member === undefined) return;
    this.known.delete(root);
    clearTimeout(member.settling);
    if (member.isShown) this.closed.fire(member.repository);
    member.repository.dispose();
    if (!tellHelper) return;
    this.helper.close({ root }).catch((error: unknown) => {
      this.report('warn', `${root}: cannot be closed: ${messageOf(error)}`);
    });
  }
}

interface Member {
  repository: Repository;
  log: WorktreeLog;
  isShown: boolean;
  /** Number of the last request. Only its answer counts. */
  request: number;
  settling?: NodeJS.Timeout;
}
