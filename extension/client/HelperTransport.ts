/**
 * Carries messages to the helper, and keeps one helper process alive. The implementation is `languageClient.ts`. It
 * needs vscode-languageclient, which is large, so it is loaded late.
 */
import type { CancellationToken } from 'vscode-languageclient/node';
import type { clientRequests, Handlers, notifications, RequestType, RescanProgress } from '../protocol';

/** `ready` and `lost` alternate, beginning with `ready`. */
export interface TransportEvents {
  /** Handlers for the helper's requests and notifications. */
  handlers: Handlers<typeof clientRequests> & Handlers<typeof notifications>;
  /** A process answered `initialize`. It has no open worktrees. */
  ready(): void;
  /** The ready process has ended, or cannot be reached. */
  lost(): void;
  /** No process will be started again. */
  givenUp(message: string): void;
}

export interface HelperTransport {
  /** Process id of the running process, ready or not. */
  readonly pid: number | undefined;
  /** Call once. Resolves when the first process is ready or has failed; `events` report which. Never rejects. */
  start(): Promise<void>;
  /** Rejects with a transport error (`isTransportError`) if the process has ended. */
  request<Params, Result>(
    type: RequestType<Params, Result>,
    params: Params,
    cancellation?: CancellationToken,
  ): Promise<Result>;
  onProgress(token: string, listener: (progress: RescanProgress) => void): { dispose(): void };
  /** Asks the helper to end, and kills it after a timeout. Final. Never rejects. */
  stop(): Promise<void>;
}

export type TransportFactory = (events: TransportEvents) => HelperTransport | Promise<HelperTransport>;

/**
 * Error codes for a call on a lost connection: vscode-jsonrpc's (its `ErrorCodes` and `ConnectionErrors`) and node's
 * own.
 */
const kTransportCodes: ReadonlySet<unknown> = new Set([
  -32099, // MessageWriteError
  -32098, // MessageReadError
  -32097, // PendingResponseRejected
  -32096, // ConnectionInactive
  1, // Closed
  2, // Disposed
  'ERR_IPC_CHANNEL_CLOSED',
]);

export function isTransportError(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && kTransportCodes.has(error.code);
}
