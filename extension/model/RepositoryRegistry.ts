/**
 * Every repository of the workspace: finds them, keeps them open through the helper's lives, routes its deltas.
 * A repository that cannot be opened becomes a problem with a message; the others go on.
 */
import { DidChangeParams, DidCloseParams, DiscoverResult, WorktreeRoot } from '../protocol';
import { Emitter } from './Emitter';
import { findRepositories, isRepository, kGoneMs, nearestRepository } from './findRepositories';
import { HelperApi, Report } from './HelperApi';
import { isConnectionLoss, isNoRepository } from './helperErrors';
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
  /** Relative to its root; '' for the root itself. */
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
  /** Its state is `failed`, and stays so. */
  readonly onDidFail = this.failed.event;
  readonly onDidChangeProblems = this.problemsChanged.event;

  private readonly known = new Map<WorktreeRoot, Member>();
  private readonly noted: RepositoryProblems;
  private readonly left = new Map<WorktreeRoot, 'ask' | 'leave'>();
  /** Folders with a `.git` that belongs to another worktree: which one. */
  private readonly ledTo = new Map<WorktreeRoot, WorktreeRoot>();
  private workspacePaths = new WorkspacePaths([]);
  private folders: readonly string[] = [];
  private options: RegistryOptions = { depth: 1, trusted: false };
  /** Outdates a discovery that is still under way. */
  private discovery = 0;
  private readonly visited = new Set<string>();
  /** Those that were found around a file, or as a submodule, deeper than repositories are looked for. */
  private readonly deeper = new Set<WorktreeRoot>();
  private readonly submodules: SubmoduleSearch;
  /** The last discovery; resolves once it has ended, however. */
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
  /** No repository is shown, and none is being opened. */
  get isEmpty(): boolean {
    return this.known.size === 0;
  }
  get problems(): ReadonlyMap<string, string> {
    return this.noted.messages;
  }
  /** What was found and is not opened, by the rule or by an answer. */
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

  /** Like `locate`, but the root of a repository belongs to the one around it, as a submodule's folder does. */
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

  /** True where the repository is a submodule of one that is open. */
  isSubmodule(repository: Repository): boolean {
    const { gitDir } = repository;
    if (gitDir === undefined) return false;
    return this.repositories.some((other) => {
      const inside = other.gitDir === undefined ? undefined : relativeTo(other.gitDir, gitDir);
      return other !== repository && inside?.startsWith('modules/') === true;
    });
  }

  /** Opens what the folders contain, and closes what they do not contain any more. */
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
        // git is asked about the folder itself, and not about what is only looked for.
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
    // After a failure nothing is known to be gone.
    if (answers.every((isAnswered) => isAnswered)) {
      const wanted = new Set(Array.from(found, (root) => this.ledTo.get(root) ?? root));
      for (const root of [...this.known.keys()]) if (!wanted.has(root)) this.drop(root);
    }
    this.problemsChanged.fire();
    this.submodules.lookInto(this.known.keys());
  }

  /** Opens the repository of a file that lies deeper in the workspace than repositories are looked for. */
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

  /** What was found deeper than repositories are looked for, and is still there and in the workspace. */
  private async stillDeeper(): Promise<WorktreeRoot[]> {
    for (const root of [...this.deeper]) {
      const isWanted = this.isSearched || !this.submodules.has(root);
      if (isWanted && this.workspacePaths.contains(root) && (await isRepository(root))) continue;
      this.deeper.delete(root);
      this.submodules.forget(root);
    }
    return [...this.deeper];
  }

  /** False: no folder is searched, and neither are the submodules of open repositories. */
  private get isSearched(): boolean {
    return this.folders.some((folder) => depthBelow(folder, this.options) > 0);
  }

  /** Resolves while nothing is being discovered, with what turns false once something is. */
  private async settled(): Promise<() => boolean> {
    for (let seen: unknown; seen !== this.discovered;) await (seen = this.discovered);
    const { discovery } = this;
    return () => discovery === this.discovery;
  }

  /** Opens it where the rule says so. */
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

  /** A helper is ready that knows of nothing. */
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
   * Where its `.git` is gone or leads nowhere, and stays so, there is no repository any more. One that is made there again
   * is found anew. What stays broken is told.
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
        // Nothing tells when a linked worktree's repository is back, but whoever opens a file there.
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

  /** Drops the problems of repositories that are there no more. */
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
    // Before the question: deltas can overtake its answer.
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
        // Its `.git` leads to another worktree, or is none that git accepts.
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
      // A helper that was lost meanwhile is not the repository's fault: `helperStarted` asks again.
      if (!isCurrent() || isConnectionLoss(error)) return;
      this.drop(root, false);
      // What has a `.git` and is no repository is nothing to show, and nothing wrong.
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
  /** Counts questions, so that only the answer to the last one counts. */
  request: number;
  settling?: NodeJS.Timeout;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
