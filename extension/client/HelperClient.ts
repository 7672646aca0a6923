/**
 * The helper as a service that outlives its process. Sends each typed call to the process that is alive now. The
 * transport restarts a process that ends by itself.
 *
 * Invariants:
 *  - At most one process is alive: starts and stops run one after the other in a queue.
 *  - `helperStarted` and `helperLost` alternate, beginning with `helperStarted`.
 *  - A call waits for the next process if none is running. It fails if the helper was stopped or given up.
 */
import type { CancellationToken } from 'vscode-languageclient/node';
import {
  CloseParams,
  ConfigureParams,
  ContentParams,
  ContentResult,
  DidChangeParams,
  DidCloseParams,
  DiscoverParams,
  DiscoverResult,
  ExplainParams,
  Explanation,
  IgnoredParams,
  IgnoredResult,
  OpenParams,
  OpenResult,
  requests,
  RequestType,
  RescanParams,
  RescanProgress,
  RescanResult,
  StatusParams,
  StatusResult,
} from '../protocol';
import { t } from '../l10n';
import { HelperTransport, isTransportError, TransportEvents, TransportFactory } from './HelperTransport';

export interface HelperListener {
  /** A new process is ready. It has no open worktrees. */
  helperStarted(): void;
  /** The process has ended. The state of its worktrees is no longer kept up to date. */
  helperLost(): void;
  /** The helper is not restarted until `restart` is called. */
  helperGivenUp(message: string): void;
  didChange(params: DidChangeParams): void;
  didClose(params: DidCloseParams): void;
  log(severity: 'info' | 'warn' | 'error', message: string): void;
}

export type HelperState = 'idle' | 'starting' | 'running' | 'givenUp' | 'stopped';

/** The helper ended before it answered. The caller can repeat the call: the next process answers it. */
export class ConnectionLostError extends Error {
  override readonly name = 'ConnectionLostError';
}

/** One helper process, from the moment it is ready. */
interface Life {
  transport: HelperTransport;
  /** Each function rejects one unanswered call. */
  unanswered: Set<() => void>;
}

export class HelperClient {
  private transport: HelperTransport | undefined;
  private currentState: HelperState = 'idle';
  /** The running process, or else the next one. Rejected if no process will start. */
  private life = deferred<Life>();
  /** The process that is ready now. */
  private current: Life | undefined;
  private queue: Promise<void> = Promise.resolve();
  private tokens = 0;

  constructor(
    private readonly connect: TransportFactory,
    private readonly listener: HelperListener,
  ) {}

  get state(): HelperState {
    return this.currentState;
  }
  get pid(): number | undefined {
    return this.transport?.pid;
  }

  /** Resolves when the first start has succeeded or failed. `listener` gets the result. */
  start(): Promise<void> {
    return this.enqueue(async () => {
      if (this.currentState === 'idle') await this.launch();
    });
  }

  /** For the user's restart command. Works in every state, also after a give-up or while the process hangs. */
  restart(): Promise<void> {
    const ended = this.end();
    return this.enqueue(async () => {
      if (this.hasStopped()) return;
      this.listener.log('info', 'restarting the background process on request');
      await ended;
      // Another restart may have been ahead in the queue.
      await this.end();
      await this.launch();
    });
  }

  /** Stops the helper for good. */
  stop(): Promise<void> {
    const ended = this.end();
    this.refuse('stopped', 'the background process was stopped');
    return this.enqueue(() => ended);
  }

  discover(params: DiscoverParams): Promise<DiscoverResult> {
    return this.ask(requests.discover, params);
  }

  open(params: OpenParams): Promise<OpenResult> {
    // Not repeated on the next process: the client opens all its repositories again when that process starts.
    return this.send(requests.open, params);
  }

  async close(params: CloseParams): Promise<void> {
    await this.send(requests.close, params);
  }

  async rescan(
    params: RescanParams,
    onProgress: (progress: RescanProgress) => void,
    cancellation: CancellationToken,
  ): Promise<RescanResult> {
    const workDoneToken = `rescan-${++this.tokens}`;
    const life = await this.living();
    const progress = life.transport.onProgress(workDoneToken, onProgress);
    try {
      return await this.sendTo(life, requests.rescan, { ...params, workDoneToken }, cancellation);
    } finally {
      progress.dispose();
    }
  }

  status(params: StatusParams): Promise<StatusResult> {
    return this.ask(requests.status, params);
  }

  ignored(params: IgnoredParams): Promise<IgnoredResult> {
    return this.ask(requests.ignored, params);
  }

  content(params: ContentParams): Promise<ContentResult> {
    return this.ask(requests.content, params);
  }

  explain(params: ExplainParams): Promise<Explanation> {
    return this.ask(requests.explain, params);
  }

  async configure(params: ConfigureParams): Promise<void> {
    await this.send(requests.configure, params);
  }

  /** For questions without side effects. If the process dies before it answers, the next process gets the question. */
  private async ask<Params, Result>(type: RequestType<Params, Result>, params: Params): Promise<Result> {
    try {
      return await this.send(type, params);
    } catch (error) {
      if (!(error instanceof ConnectionLostError)) throw error;
      return this.send(type, params);
    }
  }

  private async send<Params, Result>(type: RequestType<Params, Result>, params: Params): Promise<Result> {
    return this.sendTo(await this.living(), type, params);
  }

  /** Waits for a running process. Checks `current` too: the process may have ended since the promise was resolved. */
  private async living(): Promise<Life> {
    for (;;) {
      const life = await this.life.promise;
      if (life === this.current) return life;
    }
  }

  /** Rejects if the process ends: a transport can leave a call unanswered forever. */
  private sendTo<Params, Result>(
    life: Life,
    type: RequestType<Params, Result>,
    params: Params,
    cancellation?: CancellationToken,
  ): Promise<Result> {
    const { transport, unanswered } = life;
    return new Promise((resolve, reject) => {
      const lose = (): void => {
        reject(new ConnectionLostError(`the background process ended before it answered ${type.method}`));
      };
      if (life !== this.current) {
        lose();
        return;
      }
      unanswered.add(lose);
      transport.request(type, params, cancellation).then(
        (result) => {
          unanswered.delete(lose);
          resolve(result);
        },
        (error: unknown) => {
          // A write can fail before the end of the process is known. `lose` then rejects this call.
          if (isTransportError(error)) return;
          unanswered.delete(lose);
          reject(error instanceof Error ? error : new Error(String(error)));
        },
      );
    });
  }

  private enqueue(step: () => Promise<void>): Promise<void> {
    const result = this.queue.then(step);
    this.queue = result.catch(() => undefined);
    return result;
  }

  /** Never rejects. */
  private async launch(): Promise<void> {
    this.currentState = 'starting';
    let transport: HelperTransport | undefined;
    const isCurrent = (): boolean => transport !== undefined && this.transport === transport;
    try {
      transport = await this.connect(this.eventsOf(isCurrent));
    } catch (error) {
      this.giveUp(
        t(
          'The background process cannot be started: {0}',
          error instanceof Error ? error.message : String(error),
        ),
      );
      return;
    }
    if (this.hasStopped()) return;
    this.transport = transport;
    await transport.start();
  }

  private eventsOf(isCurrent: () => boolean): TransportEvents {
    return {
      handlers: {
        didChange: (params) => {
          if (isCurrent()) this.listener.didChange(params);
          return null;
        },
        didClose: (params) => {
          if (isCurrent()) this.listener.didClose(params);
        },
      },
      ready: () => {
        if (isCurrent()) this.begin();
      },
      lost: () => {
        if (isCurrent()) this.lose();
      },
      givenUp: (message) => {
        if (isCurrent()) this.giveUp(message);
      },
    };
  }

  private begin(): void {
    const { transport } = this;
    if (transport === undefined) return;
    this.currentState = 'running';
    this.listener.log('info', `the background process is running (pid ${transport.pid ?? 'unknown'})`);
    this.current = { transport, unanswered: new Set() };
    // Before the waiting calls: the listener must open its worktrees first.
    this.listener.helperStarted();
    this.life.resolve(this.current);
  }

  /** From now on calls wait for the next process. */
  private lose(): void {
    const { current } = this;
    if (current === undefined) return;
    this.current = undefined;
    this.currentState = 'starting';
    this.life = deferred<Life>();
    for (const reject of current.unanswered) reject();
    this.listener.helperLost();
  }

  private giveUp(message: string): void {
    if (this.hasStopped()) return;
    this.listener.log('error', `${message} It does not restart automatically.`);
    this.refuse('givenUp', message);
    this.listener.helperGivenUp(message);
  }

  private refuse(state: HelperState, message: string): void {
    this.currentState = state;
    if (this.life.isSettled) this.life = deferred<Life>();
    this.life.reject(new Error(message));
  }

  private hasStopped(): boolean {
    return this.currentState === 'stopped';
  }

  /**
   * Stops the running process and ignores its later events. Later calls wait for a new process, also after a give-up.
   */
  private async end(): Promise<void> {
    const { transport } = this;
    this.lose();
    this.transport = undefined;
    if (this.life.isSettled && !this.hasStopped()) this.life = deferred<Life>();
    await transport?.stop();
  }
}

interface Deferred<T> {
  promise: Promise<T>;
  isSettled: boolean;
  resolve(value: T): void;
  reject(error: Error): void;
}

function deferred<T>(): Deferred<T> {
  let settle: { resolve: (value: T) => void; reject: (error: Error) => void } | undefined;
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject };
  });
  // Callers get the rejection. This handler avoids an unhandled rejection if there are no callers.
  promise.catch(() => undefined);
  const result: Deferred<T> = {
    promise,
    isSettled: false,
    resolve: (value) => {
      result.isSettled = true;
      settle?.resolve(value);
    },
    reject: (error) => {
      result.isSettled = true;
      settle?.reject(error);
    },
  };
  return result;
}
