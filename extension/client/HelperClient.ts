/**
 * The helper as a service that outlives its process: starts it, starts it again when it ends by itself, and carries
 * typed calls to whichever process is alive.
 *
 * Invariants:
 *  - At most one process is alive: starts and stops are queued one behind the other.
 *  - `helperStarted` and `helperLost` alternate, beginning with `helperStarted`.
 *  - A call made while no process runs waits for the next one, unless the helper was stopped or given up.
 */
import type { CancellationToken } from 'vscode-languageclient/node';
import {
  CloseParams,
  ContentParams,
  ContentResult,
  DidChangeParams,
  DidCloseParams,
  DiscoverParams,
  DiscoverResult,
  IgnoredParams,
  IgnoredResult,
  OpenParams,
  OpenResult,
  requests,
  RescanParams,
  RescanResult,
} from '../protocol';
import {
  ConnectionFactory,
  HelperConnection,
  HelperExit,
  Progress,
  RequestMethod,
  RequestTypes,
} from './HelperConnection';
import { kMaxRestarts, kWindowMs, RestartPolicy } from './RestartPolicy';

const kStartTimeoutMs = 30_000;
const kExitGraceMs = 500;

/** Of vscode-jsonrpc (`ErrorCodes`, `ConnectionErrors`), whose module this one does not load. */
const ErrorCode = {
  messageWriteError: -32099,
  messageReadError: -32098,
  pendingResponseRejected: -32097,
  connectionInactive: -32096,
  closed: 1,
  disposed: 2,
} as const;

export interface HelperListener {
  /** A new process is ready; it has nothing open. */
  helperStarted(): void;
  /** The process is gone; what it kept right is kept no more. */
  helperLost(): void;
  /** It ended too often and is not started again until `restart` is called. */
  helperGivenUp(message: string): void;
  didChange(params: DidChangeParams): void;
  didClose(params: DidCloseParams): void;
  log(severity: 'info' | 'warn' | 'error', message: string): void;
}

export type HelperState = 'idle' | 'starting' | 'running' | 'givenUp' | 'stopped';

/** The helper went away before it answered; the same call can be made to the next one. */
export class ConnectionLostError extends Error {
  override readonly name = 'ConnectionLostError';
}

export class HelperClient {
  private current: HelperConnection | undefined;
  private currentState: HelperState = 'idle';
  /** Resolves with the next process that is ready; rejects when there will be none. */
  private ready = deferred<HelperConnection>();
  /** The listener was told of the current process. */
  private isAnnounced = false;
  private queue: Promise<void> = Promise.resolve();
  private tokens = 0;

  constructor(
    private readonly connect: ConnectionFactory,
    private readonly listener: HelperListener,
    private readonly policy = new RestartPolicy(),
  ) {}

  get state(): HelperState {
    return this.currentState;
  }
  get pid(): number | undefined {
    return this.current?.pid;
  }

  /** Resolves once the first start is over, however it went: `listener` is told. */
  start(): Promise<void> {
    return this.enqueue(async () => {
      if (this.currentState !== 'idle') return;
      await this.launch();
    });
  }

  /** On the user's word: also after it was given up, while it runs, and while it hangs. */
  restart(): Promise<void> {
    const ended = this.end();
    return this.enqueue(async () => {
      if (this.currentState === 'stopped') return;
      this.policy.reset();
      this.listener.log('info', 'the helper is restarted on request');
      await ended;
      // Another restart may have been ahead in the queue.
      await this.end();
      await this.launch();
    });
  }

  /** For good. */
  stop(): Promise<void> {
    this.currentState = 'stopped';
    const ended = this.end();
    if (this.ready.isSettled) this.ready = deferred<HelperConnection>();
    this.ready.reject(new Error('the helper was stopped'));
    return this.enqueue(() => ended);
  }

  discover(params: DiscoverParams): Promise<DiscoverResult> {
    return this.ask(requests.discover, params);
  }

  open(params: OpenParams): Promise<OpenResult> {
    // Not asked again of the next process: whoever keeps repositories opens them all when that starts.
    return this.send(requests.open, params);
  }

  async close(params: CloseParams): Promise<void> {
    await this.send(requests.close, params);
  }

  async rescan(
    params: RescanParams,
    onProgress: (progress: Progress) => void,
    cancellation: CancellationToken,
  ): Promise<RescanResult> {
    const token = `rescan-${++this.tokens}`;
    const connection = await this.ready.promise;
    const progress = connection.onProgress(token, onProgress);
    try {
      return await this.sendTo(
        connection,
        requests.rescan,
        { ...params, workDoneToken: token },
        cancellation,
      );
    } finally {
      progress.dispose();
    }
  }

  ignored(params: IgnoredParams): Promise<IgnoredResult> {
    return this.ask(requests.ignored, params);
  }

  content(params: ContentParams): Promise<ContentResult> {
    return this.ask(requests.content, params);
  }

  /** For questions that need nothing but the answer: a process that dies over one is asked again once it is back. */
  private async ask<M extends RequestMethod>(
    method: M,
    params: RequestTypes[M]['params'],
  ): Promise<RequestTypes[M]['result']> {
    try {
      return await this.send(method, params);
    } catch (error) {
      if (!(error instanceof ConnectionLostError)) throw error;
      return this.send(method, params);
    }
  }

  private async send<M extends RequestMethod>(
    method: M,
    params: RequestTypes[M]['params'],
  ): Promise<RequestTypes[M]['result']> {
    return this.sendTo(await this.ready.promise, method, params);
  }

  private async sendTo<M extends RequestMethod>(
    connection: HelperConnection,
    method: M,
    params: RequestTypes[M]['params'],
    cancellation?: CancellationToken,
  ): Promise<RequestTypes[M]['result']> {
    // A transport can leave a call unanswered for good when its process is gone.
    const loss = connection.exited.then((exit): never => {
      throw new ConnectionLostError(`the helper ended (${describeExit(exit)}) before it answered ${method}`);
    });
    try {
      return await Promise.race([connection.request(method, params, cancellation), loss]);
    } catch (error) {
      // The transport can notice the end before the process's exit is known.
      if (isTransportError(error)) return await loss;
      throw error;
    }
  }

  private enqueue(step: () => Promise<void>): Promise<void> {
    const result = this.queue.then(step);
    this.queue = result.catch(() => undefined);
    return result;
  }

  /** Never rejects: a process that does not start counts as one that ended. */
  private async launch(): Promise<void> {
    this.currentState = 'starting';
    const started = performance.now();
    let connection: HelperConnection;
    try {
      connection = await this.connect({
        didChange: (params) => {
          if (this.current === connection) this.listener.didChange(params);
        },
        didClose: (params) => {
          if (this.current === connection) this.listener.didClose(params);
        },
      });
    } catch (error) {
      this.onEnd({ code: null, signal: null, reason: describeError(error) });
      return;
    }
    if (this.hasStopped()) {
      await connection.stop();
      return;
    }
    this.current = connection;
    void connection.exited.then((exit) => {
      if (this.current === connection) this.onEnd(exit);
    });
    try {
      await Promise.race([connection.start(), timeout(kStartTimeoutMs, 'it did not answer in time')]);
    } catch (error) {
      // A crash is told best by the exit itself, which can come a moment after the broken connection.
      await Promise.race([connection.exited, delay(kExitGraceMs)]);
      if (this.current === connection) this.onEnd({ code: null, signal: null, reason: describeError(error) });
      await connection.stop();
      return;
    }
    if (this.current !== connection) return;
    this.currentState = 'running';
    const milliseconds = Math.round(performance.now() - started);
    this.listener.log(
      'info',
      `the helper runs (pid ${connection.pid ?? 'unknown'}, ready after ${milliseconds} ms)`,
    );
    this.isAnnounced = true;
    this.listener.helperStarted();
    this.ready.resolve(connection);
  }

  private hasStopped(): boolean {
    return this.currentState === 'stopped';
  }

  /** Ends the running process; its exit is expected then. */
  private async end(): Promise<void> {
    const connection = this.current;
    this.detach();
    await connection?.stop();
  }

  /** From here on nothing of the current process counts, and calls wait for the next one. */
  private detach(): void {
    this.current = undefined;
    if (this.currentState !== 'stopped' && this.ready.isSettled) this.ready = deferred<HelperConnection>();
    if (!this.isAnnounced) return;
    this.isAnnounced = false;
    this.listener.helperLost();
  }

  /** The current process ended by itself. */
  private onEnd(exit: HelperExit): void {
    this.detach();
    if (this.hasStopped()) return;
    const how = describeExit(exit);
    if (this.policy.allowsRestart()) {
      this.currentState = 'starting';
      const nth = `restart ${this.policy.count} of at most ${kMaxRestarts} in ${kWindowMs / 60000} minutes`;
      this.listener.log('warn', `the helper ended ${how}; ${nth}`);
      void this.enqueue(async () => {
        // A restart on request, or a stop, may have come first in the queue.
        if (this.current === undefined && this.currentState === 'starting') await this.launch();
      });
      return;
    }
    this.currentState = 'givenUp';
    const message = `The helper ended ${kMaxRestarts + 1} times within ${kWindowMs / 60000} minutes, last ${how}.`;
    this.listener.log('error', `${message} It is not started again by itself.`);
    this.ready.reject(new Error(message));
    this.listener.helperGivenUp(message);
  }
}

export function describeExit(exit: HelperExit): string {
  if (exit.signal !== null) return `by signal ${exit.signal}`;
  if (exit.code !== null) return `with exit code ${exit.code}`;
  return exit.reason ?? 'for an unknown reason';
}

/** The codes with which vscode-jsonrpc refuses or drops calls on a connection that is gone. */
const kTransportCodes: ReadonlySet<unknown> = new Set([
  ErrorCode.messageWriteError,
  ErrorCode.messageReadError,
  ErrorCode.pendingResponseRejected,
  ErrorCode.connectionInactive,
  ErrorCode.closed,
  ErrorCode.disposed,
  'ERR_IPC_CHANNEL_CLOSED',
]);

function isTransportError(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && kTransportCodes.has(error.code);
}

function describeError(error: unknown): string {
  return `for this reason: ${error instanceof Error ? error.message : String(error)}`;
}

async function timeout(milliseconds: number, message: string): Promise<never> {
  await delay(milliseconds);
  throw new Error(message);
}

function delay(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    // Nothing waits for a timer alone: tests and the extension host may end meanwhile.
    setTimeout(resolve, milliseconds).unref();
  });
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
  // Whoever waits sees the rejection; nobody may be waiting.
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
