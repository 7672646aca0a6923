/**
 * Answers the client. Implements the handshake of a language server, so that vscode-languageclient can start, trace and
 * stop the helper, and the requests of protocol.ts. Every handler answers with a result or an error. No exception
 * leaves this class.
 */
import {
  type CancellationToken,
  ErrorCodes,
  type MessageConnection,
  ProgressType,
  ResponseError,
} from 'vscode-jsonrpc/node';
import {
  clientRequests,
  type DiscoverParams,
  type DiscoverResult,
  errorCodes,
  type InitializeParams,
  type InitializeResult,
  lsp,
  notifications,
  registerAll,
  requests,
  type RescanParams,
  type RescanResult,
  versionProblem,
  protocolVersion,
} from '../protocol';
import type { Addon } from './loadAddon';
import { describe, type Log } from './log';
import type { NativeError, RescanProgress } from './native';
import { NotOpenError, Worktrees } from './Worktrees';

/** LSP's WorkDoneProgressBegin, WorkDoneProgressReport and WorkDoneProgressEnd in one type. */
interface WorkDoneProgress {
  kind: 'begin' | 'report' | 'end';
  title?: string;
  message?: string;
  percentage?: number;
  cancellable?: boolean;
}
const workDoneProgress = new ProgressType<WorkDoneProgress>();

export interface ServerHost {
  loadAddon(): Addon;
  log: Log;
  /** Called when the client asks the helper to exit. */
  exit(code: number): void;
}

export class Server {
  private worktrees: Worktrees | undefined;
  private addon: Addon | undefined;
  private isShutDown = false;

  constructor(
    private readonly connection: MessageConnection,
    private readonly host: ServerHost,
  ) {}

  listen(): void {
    const answer = (
      method: string,
      handler: (params: unknown, token: CancellationToken) => unknown,
    ): void => {
      this.answer(method, handler);
    };
    registerAll<typeof lsp.requests, [CancellationToken]>(
      lsp.requests,
      {
        initialize: (params) => this.initialize(params),
        shutdown: () => this.shutdown(),
      },
      answer,
    );
    registerAll<typeof requests, [CancellationToken]>(
      requests,
      {
        discover: (params) => this.discover(params),
        open: (params) => this.opened().open(params),
        close: async ({ root }) => {
          await this.opened().close(root);
          return null;
        },
        rescan: (params, token) => this.rescan(params, token),
        status: (params) => this.opened().get(params.root).status(),
        ignored: (params) => this.opened().get(params.root).ignored(params),
        content: (params) => this.opened().get(params.root).content(params),
        explain: (params) => this.opened().get(params.root).explain(params),
        configure: (params) => {
          this.opened().get(params.root).configure(params);
          return null;
        },
      },
      answer,
    );
    registerAll<typeof lsp.notifications, []>(
      lsp.notifications,
      {
        initialized: () => undefined,
        exit: () => {
          this.host.exit(this.isShutDown ? 0 : 1);
        },
      },
      (method, handler) => {
        this.connection.onNotification(method, (params) => void handler(params));
      },
    );
    this.connection.listen();
  }

  async closeAll(): Promise<void> {
    await this.worktrees?.closeAll();
  }

  private initialize(params: InitializeParams | undefined): InitializeResult {
    const problem = versionProblem('extension', params?.initializationOptions?.protocolVersion);
    if (problem !== undefined) throw new ResponseError(errorCodes.wrongVersion, problem);
    const addon = (this.addon ??= this.host.loadAddon());
    this.worktrees ??= new Worktrees(
      addon,
      {
        didChange: (params) => this.connection.sendRequest(clientRequests.didChange.method, params),
        didClose: (params) => {
          this.notify(notifications.didClose.method, params);
        },
      },
      this.host.log,
    );
    const { version } = addon;
    return {
      capabilities: {},
      serverInfo: { name: 'Resident Git', version },
      helper: { version, protocolVersion, pid: process.pid },
    };
  }

  private async shutdown(): Promise<null> {
    this.isShutDown = true;
    await this.closeAll();
    return null;
  }

  private async discover({ path, depth }: DiscoverParams): Promise<DiscoverResult> {
    if (this.addon === undefined) throw notInitialized();
    return this.addon.discover(path, depth);
  }

  private async rescan(params: RescanParams, token: CancellationToken): Promise<RescanResult> {
    const worktree = this.opened().get(params.root);
    const abort = new AbortController();
    const cancellation = token.onCancellationRequested(() => {
      abort.abort();
    });
    if (token.isCancellationRequested) abort.abort();
    const progress = (value: WorkDoneProgress): void => {
      if (params.workDoneToken === undefined) return;
      this.connection.sendProgress(workDoneProgress, params.workDoneToken, value).catch(() => undefined);
    };
    progress({ kind: 'begin', title: 'Rescan worktree', cancellable: true, percentage: 0 });
    try {
      return await worktree.rescan((seen) => {
        progress({ kind: 'report', ...describeProgress(seen) });
      }, abort.signal);
    } finally {
      cancellation.dispose();
      progress({ kind: 'end' });
    }
  }

  private notify(method: string, params: unknown): void {
    this.connection.sendNotification(method, params).catch((error: unknown) => {
      this.host.log.error(`cannot send ${method} (${describe(error)})`);
    });
  }

  private opened(): Worktrees {
    if (this.worktrees === undefined || this.isShutDown) throw notInitialized();
    return this.worktrees;
  }

  private answer(method: string, handler: (params: unknown, token: CancellationToken) => unknown): void {
    this.connection.onRequest(method, async (params: unknown, token: CancellationToken) => {
      try {
        return await handler(params, token);
      } catch (error) {
        return toResponseError(error);
      }
    });
  }
}

function notInitialized(): ResponseError {
  return new ResponseError(ErrorCodes.ServerNotInitialized, 'not initialized, or already shut down');
}

/** `data.code` is the code of the native error. */
function toResponseError(error: unknown): ResponseError<unknown> {
  if (error instanceof ResponseError) return error;
  if (error instanceof NotOpenError) return new ResponseError(ErrorCodes.InvalidParams, error.message);
  const { code } = error as Partial<NativeError>;
  const number =
    code === 'Cancelled'
      ? errorCodes.requestCancelled
      : code === 'Invalid'
        ? ErrorCodes.InvalidParams
        : errorCodes.requestFailed;
  return new ResponseError(number, describe(error), { code });
}

function describeProgress({ filesSeen, filesExpected }: RescanProgress): {
  message: string;
  percentage: number;
} {
  const count = (n: number): string => n.toLocaleString('en');
  // A scan can see more files than expected, if files were added.
  const share = filesExpected === 0 ? 0 : Math.min(1, filesSeen / filesExpected);
  return {
    message: `${count(filesSeen)} of ${count(Math.max(filesSeen, filesExpected))} files`,
    percentage: Math.floor(100 * share),
  };
}
