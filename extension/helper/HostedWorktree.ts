/** One open worktree in this process: the addon's object, its outgoing deltas, and the files without a native watch. */
import {
  Configuration,
  ContentParams,
  ContentResult,
  defaultConfiguration,
  DidChangeParams,
  ExplainParams,
  Explanation,
  IgnoredParams,
  IgnoredResult,
  OpenParams,
  RescanResult,
  StatusResult,
} from '../protocol';
import { DeltaPump } from './DeltaPump';
import type { Addon } from './loadAddon';
import { describe, type Log } from './log';
import type { Delta, Identity, RescanProgress, Worktree } from './native';
import type { SharedFiles } from './SharedFiles';
import { toDidChange } from './translate';

export interface HostEvents {
  /** Resolves when the client has applied the change. */
  didChange(params: DidChangeParams): Promise<void>;
  /** The worktree disappeared without a call to `close`. */
  gone(host: HostedWorktree, message: string): void;
}

export class HostedWorktree {
  identity: Identity;
  private readonly pump: DeltaPump;
  private isClosed = false;

  static async open(
    addon: Addon,
    params: OpenParams,
    events: HostEvents,
    files: SharedFiles,
    log: Log,
  ): Promise<HostedWorktree> {
    const native = await addon.openWorktree(
      params.root,
      { trusted: params.trusted, configuration: params.configuration ?? defaultConfiguration },
      // The addon calls neither function before this `await` has resumed.
      () => {
        host.pump.wake();
      },
      (message) => {
        if (!host.isClosed) events.gone(host, message);
      },
    );
    const host = new HostedWorktree(native, params, events, files, log);
    return host;
  }

  readonly trusted: boolean;

  private constructor(
    private readonly native: Worktree,
    params: OpenParams,
    private readonly events: HostEvents,
    private readonly files: SharedFiles,
    private readonly log: Log,
  ) {
    this.trusted = params.trusted;
    this.identity = native.identity;
    this.pump = new DeltaPump(
      () => this.native.takeDelta(),
      (delta) => this.send(delta),
    );
  }

  metadataChanged(): void {
    if (!this.isClosed) this.native.metadataChanged();
  }

  /** Sends the whole state again, from version 0. */
  replay(): void {
    this.native.replay();
  }

  configure(configuration: Configuration): void {
    this.native.configure(configuration);
  }

  rescan(onProgress: (progress: RescanProgress) => void, signal: AbortSignal): Promise<RescanResult> {
    return this.native.rescan({ onProgress, signal });
  }

  status(): Promise<StatusResult> {
    return this.native.status();
  }

  async ignored({ paths }: IgnoredParams): Promise<IgnoredResult> {
    return { ignored: await this.native.ignored(paths) };
  }

  async content({ path, source }: ContentParams): Promise<ContentResult> {
    const content = await this.native.content(path, source);
    return content === undefined ? {} : { base64: content.toString('base64') };
  }

  async explain({ path }: ExplainParams): Promise<Explanation> {
    return JSON.parse(await this.native.explain(path)) as Explanation;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.pump.stop();
    this.files.delete(this);
    await this.native.close();
  }

  private async send(delta: Delta): Promise<void> {
    const { gitDir, commonDir, unwatchedFiles } = delta;
    if (unwatchedFiles !== undefined) this.files.set(this, unwatchedFiles);
    if (gitDir !== undefined && commonDir !== undefined) {
      this.identity = { root: this.identity.root, gitDir, commonDir };
    }
    try {
      await this.events.didChange(toDidChange(this.identity.root, delta));
    } catch (error) {
      // The channel is closed and the process is about to end, or the client failed to apply the change.
      this.log.error(`${this.identity.root}: a change could not be delivered (${describe(error)})`);
    }
  }
}
