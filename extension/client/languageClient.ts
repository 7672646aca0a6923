/**
 * The helper behind vscode-languageclient: forked over node's IPC. Uses that client's initialize handshake, restarts,
 * cancellation, work-done progress and tracing. The helper is no language server: it selects and synchronizes no
 * documents.
 *
 * This file works around three limits of the library:
 *  - It waits forever for a process that hangs.
 *  - It does not restart a process that failed to start.
 *  - It notices the end of a process only after all holders of the process's pipes have closed them.
 */
import {
  CloseAction,
  ErrorAction,
  LanguageClient,
  LanguageClientOptions,
  MessageTransports,
  RevealOutputChannelOn,
  State,
  TransportKind,
  WorkDoneProgress,
} from 'vscode-languageclient/node';
import {
  clientRequests,
  InitializeResult,
  notifications,
  protocolVersion,
  registerAll,
  versionProblem,
} from '../protocol';
import { t } from '../l10n';
import { HelperTransport, isTransportError, TransportEvents } from './HelperTransport';

export interface HelperLaunch {
  /** The helper's bundle. */
  module: string;
  cwd: string;
  /** PATH of the helper. The helper searches it for git. */
  path: string;
  outputChannel: NonNullable<LanguageClientOptions['outputChannel']>;
}

const kStartTimeoutMs = 30_000;
const kStopTimeoutMs = 2000;
/** Grace period for exit after the channel closed, and for other holders to close the pipes after exit. */
const kGraceMs = 500;
/** The port for a debugger of the helper, while the extension itself is debugged (.vscode/launch.json). */
const kInspect = '--inspect=6109';

export function connectLanguageClient(launch: HelperLaunch, events: TransportEvents): HelperTransport {
  /** `ready` was reported for the running process. */
  let isReady = false;
  /** A connection was closed, and the next step is not decided yet. */
  let isClosing = false;

  const lose = (): void => {
    if (isReady) events.lost();
    isReady = false;
  };
  const giveUp = (message: string): void => {
    if (client.isOver) return;
    client.isOver = true;
    lose();
    events.givenUp(message);
    void client.endProcess();
  };
  const closed = async () => {
    isClosing = true;
    // At once: calls to this process are rejected in this turn of the event loop.
    lose();
    // Calls that wait for this connection must fail first. Otherwise the library takes the next start for a failed one.
    await new Promise((resolve) => setImmediate(resolve));
    isClosing = false;
    if (client.isOver) return { action: CloseAction.DoNotRestart, handled: true };
    const result = await policy.closed();
    if (result.action === CloseAction.DoNotRestart)
      giveUp(result.message ?? t('The background process has ended.'));
    return { ...result, handled: true };
  };
  const client = new HelperLanguageClient(launch, {
    errorHandler: { error: () => ({ action: ErrorAction.Continue, handled: true }), closed },
    initializationFailedHandler: (error) => {
      if (!isTransportError(error)) giveUp(messageOf(error));
      return false;
    },
  });
  const policy = client.createDefaultErrorHandler();
  client.onDidChangeState(({ newState }) => {
    if (newState === State.Running) {
      const { helper } = client.initializeResult as Partial<InitializeResult>;
      const problem = versionProblem('helper', helper?.protocolVersion);
      if (problem !== undefined) {
        giveUp(problem);
      } else if (!client.isOver) {
        isReady = true;
        events.ready();
      }
    } else if (newState === State.StartFailed && !isClosing) {
      giveUp(t('The background process cannot be started. See the log.'));
    }
  });
  registerAll(clientRequests, events.handlers, (method, handler) => client.onRequest(method, handler));
  registerAll(notifications, events.handlers, (method, handler) =>
    client.onNotification(method, (params) => void handler(params)),
  );

  return {
    get pid() {
      return client.pid;
    },
    start: () => client.start().catch(() => undefined),
    request: ({ method }, params, cancellation) => client.sendRequest(method, params, cancellation),
    onProgress: (token, listener) =>
      client.onProgress(WorkDoneProgress.type, token, (value) => {
        if (value.kind === 'end') return;
        const { message, percentage } = value;
        listener({
          ...(message !== undefined && { message }),
          ...(percentage !== undefined && { percentage }),
        });
      }),
    stop: async () => {
      client.isOver = true;
      lose();
      // Rejects if the process has ended, is not ready yet, or does not answer in time.
      await client.dispose(kStopTimeoutMs).catch(() => undefined);
      await client.endProcess();
    },
  };
}

type ChildProcess = NonNullable<LanguageClient['serverProcess']>;

class HelperLanguageClient extends LanguageClient {
  /** No process is needed any more. */
  isOver = false;
  private child: ChildProcess | undefined;

  constructor({ module, cwd, path, outputChannel }: HelperLaunch, options: LanguageClientOptions) {
    // Added to the environment that the process inherits from this one.
    const env = { PATH: path };
    super(
      'residentGit',
      'Resident Git',
      {
        run: { module, transport: TransportKind.ipc, options: { cwd, env } },
        debug: { module, transport: TransportKind.ipc, options: { cwd, env, execArgv: [kInspect] } },
      },
      {
        documentSelector: [],
        initializationOptions: { protocolVersion },
        outputChannel,
        traceOutputChannel: outputChannel,
        revealOutputChannelOn: RevealOutputChannelOn.Never,
        ...options,
      },
    );
  }

  get pid(): number | undefined {
    return this.child === undefined || hasEnded(this.child) ? undefined : this.child.pid;
  }

  /** Stops the running process: SIGTERM, then SIGKILL after a timeout. */
  async endProcess(): Promise<void> {
    const { child } = this;
    if (child === undefined || hasEnded(child)) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), kStopTimeoutMs);
    await ended;
    clearTimeout(timer);
  }

  /** All messages go to the log, never to a notification. The user sees `givenUp` only. */
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
    if (child?.pid === undefined) throw new Error('the process could not be created');
    const kill = (): void => {
      if (!hasEnded(child)) child.kill('SIGKILL');
    };
    // The process was being created when the transport was stopped.
    if (this.isOver) kill();
    const timer = setTimeout(() => {
      if (this.child === child && this.state === State.Starting) kill();
    }, kStartTimeoutMs);
    // A helper that cannot be reached is useless, even if it is still alive.
    child.once('disconnect', () => setTimeout(kill, kGraceMs).unref());
    child.once('exit', () => {
      clearTimeout(timer);
      setTimeout(() => {
        child.stdout?.destroy();
        child.stderr?.destroy();
      }, kGraceMs).unref();
    });
    return transports;
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
