/** The model's interface to the helper. The client implements it; tests implement it without a process. */
import {
  CloseParams,
  ConfigureParams,
  ContentParams,
  ContentResult,
  DiscoverParams,
  DiscoverResult,
  ExplainParams,
  Explanation,
  IgnoredParams,
  IgnoredResult,
  OpenParams,
  OpenResult,
  RescanParams,
  RescanProgress,
  RescanResult,
  StatusParams,
  StatusResult,
} from '../protocol';

/** Compatible with the `CancellationToken` of vscode and of vscode-jsonrpc. */
export interface Cancellation {
  readonly isCancellationRequested: boolean;
  onCancellationRequested(listener: () => void): { dispose(): void };
}

/** Every call rejects with an `Error` whose message is meant for a human. */
export interface HelperApi {
  discover(params: DiscoverParams): Promise<DiscoverResult>;
  open(params: OpenParams): Promise<OpenResult>;
  close(params: CloseParams): Promise<void>;
  rescan(
    params: RescanParams,
    onProgress: (progress: RescanProgress) => void,
    cancellation: Cancellation,
  ): Promise<RescanResult>;
  status(params: StatusParams): Promise<StatusResult>;
  ignored(params: IgnoredParams): Promise<IgnoredResult>;
  content(params: ContentParams): Promise<ContentResult>;
  explain(params: ExplainParams): Promise<Explanation>;
  configure(params: ConfigureParams): Promise<void>;
}

export type Severity = 'info' | 'warn' | 'error';
/** Reports an event from code that must not import `vscode`. The receiver escapes the message before it shows it. */
export type Report = (severity: Severity, message: string) => void;
