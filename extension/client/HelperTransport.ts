/**
 * What carries messages to the helper, and keeps one process of it alive: `languageClient.ts`, behind vscode-languageclient,
 * which is large and loaded late.
 */
import type { CancellationToken } from 'vscode-languageclient/node';
import type { clientRequests, Handlers, notifications, RequestType, RescanProgress } from '../protocol';

/** `ready` and `lost` alternate, beginning with `ready`. */
export interface TransportEvents {
  /** For what the helper asks and tells. */
  handlers: Handlers<typeof clientRequests> & Handlers<typeof notifications>;
  /** A process answered `initialize`; it has nothing open. */
  ready(): void;
  /** That process is gone, or out of reach. */
  lost(): void;
  /** No process is started any more. */
  givenUp(message: string): void;
}

export interface HelperTransport {
  /** Of the process that runs, ready or not. */
  readonly pid: number | undefined;
  /** Once. Resolves when the first process is ready or has failed; `events` tell which. Never rejects. */
  start(): Promise<void>;
  /** Rejects with a transport's error (`isTransportError`) where the process is gone. */
  request<Params, Result>(
    type: RequestType<Params, Result>,
    params: Params,
    cancellation?: CancellationToken,
  ): Promise<Result>;
  onProgress(token: string, listener: (progress: RescanProgress) => void): { dispose(): void };
  /** Asks the helper to end, and ends it by force where it does not. For good. Never rejects. */
  stop(): Promise<void>;
}

export type TransportFactory = (events: TransportEvents) => HelperTransport | Promise<HelperTransport>;

/**
 * The codes with which vscode-jsonrpc refuses or drops calls on a connection that is gone (its `ErrorCodes` and
 * `ConnectionErrors`), and node's own.
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
