/**
 * All repositories of the workspace: finds them, keeps them open across restarts of the helper, and routes the
 * helper's deltas. A repository that cannot be opened becomes a problem with a message; the others continue.
 */
import { Configuration, DidChangeParams, DidCloseParams, WorktreeRoot } from '../protocol';
import { Emitter, Event } from './Emitter';
import { HelperApi, Report } from './HelperApi';
import { OpenRepositories } from './OpenRepositories';
import { RegistryOptions } from './registryOptions';
import { relativeTo } from './repoPath';
import { Repository } from './Repository';
import { RepositoryDiscovery } from './RepositoryDiscovery';
import { RepositoryProblems } from './RepositoryProblems';
import { longest, WorkspacePaths } from './WorkspacePaths';

export interface Located {
  repository: Repository;
  /** Relative to the repository's root; '' for the root itself. */
  path: string;
}

export class RepositoryRegistry {
  private readonly problemsChanged = new Emitter<void>();
  private readonly open: OpenRepositories;
  private readonly discovery: RepositoryDiscovery;
  private readonly noted: RepositoryProblems;
  /** A repository can be shown: the helper answered for it. */
  readonly onDidOpen: Event<Repository>;
  readonly onDidClose: Event<Repository>;
  /** The repository's state is `failed`, and stays failed. */
  readonly onDidFail: Event<Repository>;
  /** The problems, or the repositories that are left out, may have changed. */
  readonly onDidChangeProblems = this.problemsChanged.event;

  constructor(helper: HelperApi, report: Report) {
    const onDidChangeProblems = () => this.problemsChanged.fire();
    this.noted = new RepositoryProblems(report, {
      isKnown: (root) => this.open.has(root),
      isBack: (root) => this.discovery.consider(root),
      onDidChange: onDidChangeProblems,
    });
    this.open = new OpenRepositories(
      helper,
      {
        opened: (root) => {
          if (this.noted.forget(root)) onDidChangeProblems();
        },
        submodulesChanged: (root) => this.discovery.searchSubmodules([root]),
        belongsTo: (root, actual) => this.discovery.redirect(root, actual),
        refused: (root, message) => {
          if (message === undefined) onDidChangeProblems();
          else void this.noted.noteOfRefused(root, message);
        },
        disappeared: () => {
          // No event reports that a linked worktree's repository is back. Opening a file there searches again.
          this.discovery.forgetVisits();
          onDidChangeProblems();
        },
      },
      report,
    );
    this.discovery = new RepositoryDiscovery(helper, this.open, this.noted, onDidChangeProblems, report);
    this.onDidOpen = this.open.onDidOpen;
    this.onDidClose = this.open.onDidClose;
    this.onDidFail = this.open.onDidFail;
  }

  get repositories(): Repository[] {
    return this.open.shown;
  }
  /** True if no repository is shown or being opened. */
  get isEmpty(): boolean {
    return this.open.roots.length === 0;
  }
  get problems(): ReadonlyMap<string, string> {
    return this.noted.messages;
  }
  /** Repositories that were found but not opened, by the rule or by an answer. */
  get leftOut(): ReadonlyMap<WorktreeRoot, 'ask' | 'leave'> {
    return this.discovery.leftOut;
  }
  get paths(): WorkspacePaths {
    return this.discovery.paths;
  }

  get(root: WorktreeRoot): Repository | undefined {
    return this.open.get(root);
  }

  /** The deepest repository that contains the file the user sees as `openedPath`. */
  locate(openedPath: string): Located | undefined {
    return this.locateReal(this.paths.toReal(openedPath));
  }

  /** Like `locate`, but the root of a repository belongs to the repository around it, like a submodule's folder. */
  locateAsContent(openedPath: string): Located | undefined {
    const real = this.paths.toReal(openedPath);
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
    this.discovery.setWorkspace(folders, options);
    this.open.setOptions(options);
    await this.discoverAll();
  }

  /** Changes a part of the configuration of an open repository. */
  configure(root: WorktreeRoot, change: Partial<Configuration>): void {
    this.open.configure(root, change);
  }

  discoverAll(): Promise<void> {
    return this.discovery.discoverAll();
  }

  /** Opens the repository around a file, also below the search depth. */
  discoverAround(openedPath: string): Promise<void> {
    return this.discovery.discoverAround(openedPath);
  }

  /** A new helper is ready and has no open worktrees. */
  helperStarted(): void {
    this.open.reopenAll();
  }

  helperLost(): void {
    this.open.markAllLost();
  }

  didChange(delta: DidChangeParams): void {
    this.open.didChange(delta);
  }

  didClose(params: DidCloseParams): void {
    this.open.didClose(params);
  }

  /** Drops the problems of repositories that no longer exist. */
  forgetGone(): Promise<void> {
    return this.noted.forgetGone();
  }

  dispose(): void {
    this.discovery.dispose();
    this.noted.dispose();
    this.open.dispose();
    this.problemsChanged.dispose();
  }
}
