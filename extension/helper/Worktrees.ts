/**
 * The worktrees that this process has open, by the real path of their root. They are independent: an error in one
 * worktree is reported for that worktree only.
 */
import type { DidCloseParams, OpenParams, OpenResult, WorktreeRoot } from '../protocol';
import { HostedWorktree, type HostEvents } from './HostedWorktree';
import type { Addon } from './loadAddon';
import { describe, type Log } from './log';
import { SharedFiles } from './SharedFiles';

export interface WorktreesEvents {
  didChange: HostEvents['didChange'];
  didClose(params: DidCloseParams): void;
}

export class NotOpenError extends Error {}

export class Worktrees {
  private readonly hosts = new Map<WorktreeRoot, HostedWorktree>();
  /** The pending opens and closes of each root. Steps for one root run one after the other. */
  private readonly queues = new Map<WorktreeRoot, Promise<unknown>>();

  private readonly files: SharedFiles;

  constructor(
    private readonly addon: Addon,
    private readonly events: WorktreesEvents,
    private readonly log: Log,
  ) {
    this.files = new SharedFiles((message) => {
      log.warn(message);
    });
  }

  get(root: WorktreeRoot): HostedWorktree {
    const host = this.hosts.get(root);
    if (host === undefined) throw new NotOpenError(`${root}: this worktree is not open`);
    return host;
  }

  /** Opens a worktree. An open worktree sends its whole state again. */
  open(params: OpenParams): Promise<OpenResult> {
    return this.enqueue(params.root, async () => {
      let host = this.hosts.get(params.root);
      if (host !== undefined && host.trusted !== params.trusted) {
        await this.end(host);
        host = undefined;
      }
      if (host !== undefined) {
        if (params.configuration !== undefined) host.configure(params.configuration);
        host.replay();
        return host.identity;
      }
      host = await HostedWorktree.open(this.addon, params, this.hostEvents, this.files, this.log);
      const { identity } = host;
      // The same worktree was open under a different path.
      const earlier = this.hosts.get(identity.root);
      if (earlier !== undefined) await this.end(earlier);
      this.hosts.set(identity.root, host);
      this.log.info(`${identity.root}: opened`);
      return identity;
    });
  }

  /** Not an error for a worktree that is not open: it may have disappeared just now. */
  close(root: WorktreeRoot): Promise<void> {
    return this.enqueue(root, async () => {
      const host = this.hosts.get(root);
      if (host === undefined) return;
      await this.end(host);
      this.log.info(`${root}: closed`);
    });
  }

  async closeAll(): Promise<void> {
    await Promise.allSettled([...this.hosts.keys()].map((root) => this.close(root)));
    await this.files.close();
  }

  private readonly hostEvents: HostEvents = {
    didChange: (params) => this.events.didChange(params),
    gone: (host, message) => {
      const { root } = host.identity;
      this.log.warn(message);
      this.events.didClose({ root, message });
      void this.enqueue(root, () => this.end(host)).catch((error: unknown) => {
        this.log.error(`${root}: ${describe(error)}`);
      });
    },
  };

  private async end(host: HostedWorktree): Promise<void> {
    const { root } = host.identity;
    if (this.hosts.get(root) === host) this.hosts.delete(root);
    await host.close();
  }

  private enqueue<T>(root: WorktreeRoot, step: () => Promise<T>): Promise<T> {
    const before = this.queues.get(root) ?? Promise.resolve();
    const result = before.then(step);
    const settled = result
      .catch(() => undefined)
      .then(() => {
        if (this.queues.get(root) === settled) this.queues.delete(root);
      });
    this.queues.set(root, settled);
    return result;
  }
}
