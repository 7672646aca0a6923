/** The repositories that the helper has open, or is about to open. */
import { isDeepStrictEqual } from 'node:util';
import {
  Configuration,
  defaultConfiguration,
  DidChangeParams,
  DidCloseParams,
  WorktreeRoot,
} from '../protocol';
import { Emitter } from './Emitter';
import { isRepository, kGoneMs } from './findRepositories';
import { HelperApi, Report } from './HelperApi';
import { isConnectionLoss, isNoRepository } from './helperErrors';
import { messageOf } from './messageOf';
import { RegistryOptions } from './registryOptions';
import { Repository } from './Repository';
import { canChangeSubmodules } from './SubmoduleSearch';
import { WorktreeLog } from './WorktreeLog';

/** Learns what became of the repositories. */
export interface OpenHost {
  /** The helper has opened the repository. Called before `onDidOpen`. */
  opened(root: WorktreeRoot): void;
  /** The repository is open, and its submodules may have changed. */
  submodulesChanged(root: WorktreeRoot): void;
  /** The `.git` in `root` belongs to the worktree `actual`. Nothing is open at `root`. */
  belongsTo(root: WorktreeRoot, actual: WorktreeRoot): void;
  /** The repository is not open any more. Without a message, the folder has no repository. */
  refused(root: WorktreeRoot, message?: string): void;
  /** A repository that had failed is missing on disk. It is not open any more. */
  disappeared(): void;
}

type OpenOptions = Pick<RegistryOptions, 'trusted' | 'sweepMinutes'>;

export class OpenRepositories {
  private readonly opened = new Emitter<Repository>();
  private readonly closed = new Emitter<Repository>();
  private readonly failed = new Emitter<Repository>();
  readonly onDidOpen = this.opened.event;
  readonly onDidClose = this.closed.event;
  readonly onDidFail = this.failed.event;

  private readonly members = new Map<WorktreeRoot, Member>();
  private trusted = false;
  private sweepMinutes = defaultConfiguration.sweepMinutes;

  constructor(
    private readonly helper: HelperApi,
    private readonly host: OpenHost,
    private readonly report: Report,
  ) {}

  /** The repositories for which the helper has answered. */
  get shown(): Repository[] {
    return [...this.members.values()].filter((member) => member.isShown).map((member) => member.repository);
  }
  get roots(): WorktreeRoot[] {
    return [...this.members.keys()];
  }

  has(root: WorktreeRoot): boolean {
    return this.members.has(root);
  }
  isShown(root: WorktreeRoot): boolean {
    return this.members.get(root)?.isShown === true;
  }
  get(root: WorktreeRoot): Repository | undefined {
    return this.members.get(root)?.repository;
  }

  /** Opens the repositories again if they are now trusted, or no longer. */
  setOptions({ trusted, sweepMinutes = defaultConfiguration.sweepMinutes }: OpenOptions): void {
    this.sweepMinutes = sweepMinutes;
    for (const root of this.roots) this.configure(root, { sweepMinutes });
    if (trusted === this.trusted) return;
    this.trusted = trusted;
    this.reopenAll();
  }

  /** Changes a part of the configuration. Each process of the helper gets it. */
  configure(root: WorktreeRoot, change: Partial<Configuration>): void {
    const member = this.members.get(root);
    if (member === undefined) return;
    member.configuration = { ...member.configuration, ...change };
    this.sendConfiguration(member);
  }

  private sendConfiguration(member: Member): void {
    const { configuration, sent, repository } = member;
    if (sent === undefined || isDeepStrictEqual(sent, configuration)) return;
    member.sent = configuration;
    this.helper.configure({ root: repository.root, ...configuration }).catch((error: unknown) => {
      // The next change sends all of it again, and so does the next `open`.
      this.report('info', `${repository.root}: ${messageOf(error)}`);
    });
  }

  open(root: WorktreeRoot): void {
    if (this.members.has(root)) return;
    const log = new WorktreeLog(root, this.report);
    const configuration = { ...defaultConfiguration, sweepMinutes: this.sweepMinutes };
    const member: Member = {
      repository: new Repository(root),
      log,
      configuration,
      isShown: false,
      request: 0,
    };
    // Set before the request: deltas can arrive before its answer.
    this.members.set(root, member);
    void this.request(member);
  }

  reopenAll(): void {
    for (const member of this.members.values()) void this.request(member);
  }

  private async request(member: Member): Promise<void> {
    const { root } = member.repository;
    const request = ++member.request;
    const isCurrent = () => this.members.get(root) === member && member.request === request;
    const { configuration } = member;
    delete member.sent;
    try {
      const result = await this.helper.open({ root, trusted: this.trusted, configuration });
      if (!isCurrent()) return;
      member.sent = configuration;
      this.sendConfiguration(member);
      if (result.root !== root) {
        // Its `.git` leads to another worktree, or git does not accept it.
        this.remove(root);
        this.host.belongsTo(root, result.root);
        return;
      }
      member.repository.gitDir = result.gitDir;
      member.repository.commonDir = result.commonDir;
      this.host.opened(root);
      this.show(member);
      this.host.submodulesChanged(root);
    } catch (error) {
      // The helper was lost meanwhile. This is no error of the repository: `reopenAll` asks again.
      if (!isCurrent() || isConnectionLoss(error)) return;
      this.remove(root);
      // A folder with a `.git` that is not a repository is not shown, and is not a problem.
      this.host.refused(root, isNoRepository(error) ? undefined : messageOf(error));
    }
  }

  private show(member: Member): void {
    if (member.isShown) return;
    member.isShown = true;
    this.opened.fire(member.repository);
  }

  markAllLost(): void {
    for (const member of this.members.values()) {
      delete member.sent;
      member.repository.markLost();
    }
  }

  didChange(delta: DidChangeParams): void {
    const member = this.members.get(delta.root);
    if (member === undefined) return;
    const { repository } = member;
    this.show(member);
    member.log.note(delta);
    if (repository.apply(delta) === 'gap') {
      this.report('warn', `${delta.root}: a change was missed; asking for the whole state again`);
      void this.request(member);
    }
    if (repository.state.state === 'failed') this.settleFailure(member);
    if (canChangeSubmodules(delta)) this.host.submodulesChanged(delta.root);
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
        if (this.members.get(root) !== member || member.repository.state.state !== 'failed') return;
        if (isThere) {
          this.failed.fire(member.repository);
          return;
        }
        this.close(root);
        this.host.disappeared();
      });
    }, kGoneMs);
  }

  didClose({ root, message }: DidCloseParams): void {
    if (!this.members.has(root)) return;
    this.remove(root);
    this.host.refused(root, message);
  }

  close(root: WorktreeRoot): void {
    if (!this.remove(root)) return;
    this.helper.close({ root }).catch((error: unknown) => {
      this.report('warn', `${root}: cannot be closed: ${messageOf(error)}`);
    });
  }

  /** The helper does not have the repository open, or is told by the caller. False if it was not a member. */
  private remove(root: WorktreeRoot): boolean {
    const member = this.members.get(root);
    if (member === undefined) return false;
    this.members.delete(root);
    clearTimeout(member.settling);
    if (member.isShown) this.closed.fire(member.repository);
    member.repository.dispose();
    return true;
  }

  dispose(): void {
    for (const { repository, settling } of this.members.values()) {
      clearTimeout(settling);
      repository.dispose();
    }
    this.members.clear();
    for (const emitter of [this.opened, this.closed, this.failed]) emitter.dispose();
  }
}

interface Member {
  repository: Repository;
  log: WorktreeLog;
  configuration: Configuration;
  /** The helper's configuration; absent: `open` has not answered yet. */
  sent?: Configuration;
  /** The helper has answered for it. */
  isShown: boolean;
  /** Number of the last request. Only its answer counts. */
  request: number;
  settling?: NodeJS.Timeout;
}
