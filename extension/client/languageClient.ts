/**
 * The helper behind vscode-languageclient: forked over node's IPC, with that client's initialize handshake,
 * cancellation, work-done progress and tracing. It is no language server, so no document is selected, and none is
 * synchronised. Each instance is one life of the process: restarts are `HelperClient`'s.
 */
import {
  CloseAction,
  ErrorAction,
  LanguageClient,
  LanguageClientOptions,
  MessageTransports,
  RevealOutputChannelOn,
  TransportKind,
  WorkDoneProgress,
} from 'vscode-languageclient/node';
import { clientRequests, DidChangeParams, notifications } from '../protocol';
import { HelperConnection, HelperExit, NotificationHandlers } from './HelperConnection';

export interface HelperLaunch {
  /** The helper's bundle. */
  module: string;
  cwd: string;
  outputChannel: NonNullable<LanguageClientOptions['outputChannel']>;
}

const kStopTimeoutMs = 2000;
/** Where a debugger finds the helper of an extension that is itself debugged (.vscode/launch.json). */
const kInspect = '--inspect=6109';
/** How long after its channel a process is given to end: then its exit tells more. */
const kExitGraceMs = 500;

export function connectLanguageClient(
  launch: HelperLaunch,
  handlers: NotificationHandlers,
): HelperConnection {
  let tellExit: (exit: HelperExit) => void = () => undefined;
  const exited = new Promise<HelperExit>((resolve) => {
    tellExit = resolve;
  });
  const client = new OneLifeClient(launch, (exit) => {
    tellExit(exit);
  });
  client.onRequest(clientRequests.didChange, (params: DidChangeParams) => {
    handlers.didChange(params);
    return null;
  });
  client.onNotification(notifications.didClose, handlers.didClose);
  return {
    get pid() {
      return client.pid;
    },
    exited,
    start: () => client.start(),
    request: (method, params, cancellation) => client.sendRequest(method, params, cancellation),
    onProgress: (token, listener) =>
      client.onProgress(WorkDoneProgress.type, token, (value) => {
        if (value.kind === 'end') return;
        const { message, percentage } = value;
        listener({
          ...(message !== undefined && { message }),
          ...(percentage !== undefined && { percentage }),
        });
      }),
    stop: () => client.end(),
  };
}

type ChildProcess = NonNullable<LanguageClient['serverProcess']>;

class OneLifeClient extends LanguageClient {
  private child: ChildProcess | undefined;

  constructor(
    launch: HelperLaunch,
    private readonly tellExit: (exit: HelperExit) => void,
  ) {
    const { module, cwd, outputChannel } = launch;
    super(
      'residentGit',
      'Resident Git',
      {
        run: { module, transport: TransportKind.ipc, options: { cwd } },
        debug: { module, transport: TransportKind.ipc, options: { cwd, execArgv: [kInspect] } },
      },
      {
        documentSelector: [],
        outputChannel,
        traceOutputChannel: outputChannel,
        revealOutputChannelOn: RevealOutputChannelOn.Never,
        initializationFailedHandler: () => false,
        errorHandler: {
          error: () => ({ action: ErrorAction.Continue, handled: true }),
          closed: () => {
            tellExit({ code: null, signal: null, reason: 'because its channel was closed' });
            const message = 'The connection to the helper is closed.';
            return { action: CloseAction.DoNotRestart, handled: true, message };
          },
        },
      },
    );
  }

  get pid(): number | undefined {
    return this.child?.pid;
  }

  /** Ends the process, by force where it does not end when asked. Never rejects. */
  async end(): Promise<void> {
    // It rejects where the process is gone, not ready yet, or does not answer in time.
    await this.dispose(kStopTimeoutMs).catch(() => undefined);
    const { child } = this;
    if (child === undefined || hasEnded(child)) return;
    const timer = setTimeout(() => child.kill('SIGKILL'), kStopTimeoutMs);
    await new Promise((resolve) => child.once('exit', resolve));
    clearTimeout(timer);
  }

  /** Everything goes to the log, nothing to a notification: whoever owns this life decides what to show. */
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
  override warn(message: string, data?: unknown): void {
    super.warn(message, data, false);
  }
  override info(message: string, data?: unknown): void {
    super.info(message, data, false);
  }

  protected override async createMessageTransports(encoding: string): Promise<MessageTransports> {
    const transports = await super.createMessageTransports(encoding);
    const child = this.serverProcess;
    this.child = child;
    child?.once('exit', (code, signal) => {
      this.tellExit({ code, signal });
    });
    child?.once('error', (error) => {
      this.tellExit({ code: null, signal: null, reason: `because of this: ${error.message}` });
    });
    // A helper that can't be reached is of no use, even where it lives on.
    child?.once('disconnect', () => {
      setTimeout(() => {
        this.tellExit({ code: null, signal: null, reason: 'because its channel was closed' });
        if (!hasEnded(child)) child.kill('SIGKILL');
      }, kExitGraceMs);
    });
    return transports;
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
