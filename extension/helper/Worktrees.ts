/**
 * The worktrees that this process keeps, by the real path of their root. They know nothing of each other: whatever
 * fails in one is told for that one.
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
  /** What is being done about a root: opens and closes of the same root come one after the other. */
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

  /** Opens a worktree. One that is open tells everything again. */
  open(params: OpenParams): Promise<OpenResult> {
    return this.enqueue(params.root, async () => {
      let host = this.hosts.get(params.root);
      if (host !== undefined && host.trusted !== params.trusted) {
        await this.end(host);
        host = undefined;
      }
      if (host !== undefined) {
        host.setSweepMinutes(params.sweepMinutes);
        host.replay();
        return host.identity;
      }
      host = await HostedWorktree.open(this.addon, params, this.hostEvents, this.files, this.log);
      const { identity } = host;
      // The same worktree under another name.
      const earlier = this.hosts.get(identity.root);
      if (earlier !== undefined) await this.end(earlier);
      this.hosts.set(identity.root, host);
      this.log.info(`${identity.root}: opened`);
      return identity;
    });
  }

  /** Closing what is not open is no error: it may have gone away just now. */
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
