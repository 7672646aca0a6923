/**
 * One life of the helper process, whatever carries the messages. `HelperClient` strings lives together; the editor
 * has `languageClient.ts`, tests have a plain child process.
 */
import type { CancellationToken } from 'vscode-languageclient/node';
import type {
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

export interface RequestTypes {
  [requests.discover]: { params: DiscoverParams; result: DiscoverResult };
  [requests.open]: { params: OpenParams; result: OpenResult };
  [requests.close]: { params: CloseParams; result: unknown };
  [requests.rescan]: { params: RescanParams; result: RescanResult };
  [requests.ignored]: { params: IgnoredParams; result: IgnoredResult };
  [requests.content]: { params: ContentParams; result: ContentResult };
}
export type RequestMethod = keyof RequestTypes;

/** Work-done progress, as far as a report says something. */
export interface Progress {
  message?: string;
  /** 0 to 100. */
  percentage?: number;
}

export interface HelperExit {
  code: number | null;
  signal: string | null;
  /** Why there is no exit code: the process could not be started or did not answer. */
  reason?: string;
}

export interface NotificationHandlers {
  didChange: (params: DidChangeParams) => void;
  didClose: (params: DidCloseParams) => void;
}

export interface HelperConnection {
  readonly pid: number | undefined;
  /** Resolves once the helper has answered `initialize`; rejects where it does not. */
  start(): Promise<void>;
  request<M extends RequestMethod>(
    method: M,
    params: RequestTypes[M]['params'],
    cancellation?: CancellationToken,
  ): Promise<RequestTypes[M]['result']>;
  onProgress(token: string, listener: (progress: Progress) => void): { dispose(): void };
  /** Resolves exactly once: when the process is gone or out of reach, also before `start` succeeded. */
  readonly exited: Promise<HelperExit>;
  /** Asks the helper to end, and ends it by force where it does not. Never rejects. */
  stop(): Promise<void>;
}

export type ConnectionFactory = (
  handlers: NotificationHandlers,
) => HelperConnection | Promise<HelperConnection>;
