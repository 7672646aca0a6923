/**
 * The helper behind vscode-languageclient: forked over node's IPC, with that client's initialize handshake, restarts,
 * cancellation, work-done progress and tracing. It is no language server, so no document is selected, and none is
 * synchronised.
 *
 * What is added to the library: it waits for ever for a process that hangs, it starts none again that it could not
 * start, and it hears of a process's end only once nobody holds the pipes that the process had.
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
  /** PATH, where it looks for git. */
  path: string;
  outputChannel: NonNullable<LanguageClientOptions['outputChannel']>;
}

const kStartTimeoutMs = 30_000;
const kStopTimeoutMs = 2000;
/** How long after its channel a process is given to end, and after its end others to let go of its pipes. */
const kGraceMs = 500;
/** Where a debugger finds the helper of an extension that is itself debugged (.vscode/launch.json). */
const kInspect = '--inspect=6109';

export function connectLanguageClient(launch: HelperLaunch, events: TransportEvents): HelperTransport {
  /** `ready` was told of the process that runs. */
  let isReady = false;
  /** A connection was closed, and what comes next is not decided. */
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
    // At once: what was asked of the process is rejected in this turn.
    lose();
    // What waits for this connection fails first: else the library takes the next start for a failed one.
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
      // It rejects where the process is gone, not ready yet, or does not answer in time.
      await client.dispose(kStopTimeoutMs).catch(() => undefined);
      await client.endProcess();
    },
  };
}

type ChildProcess = NonNullable<LanguageClient['serverProcess']>;

class HelperLanguageClient extends LanguageClient {
  /** No process is wanted any more. */
  isOver = false;
  private child: ChildProcess | undefined;

  constructor({ module, cwd, path, outputChannel }: HelperLaunch, options: LanguageClientOptions) {
    // Beside what the process has from ours.
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

  /** Ends the process that runs, by force where it does not end when asked. */
  async endProcess(): Promise<void> {
    const { child } = this;
    if (child === undefined || hasEnded(child)) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), kStopTimeoutMs);
    await ended;
    clearTimeout(timer);
  }

  /** Everything goes to the log, nothing to a notification: `givenUp` is what a user has to know. */
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
    // One that was under way when the end came.
    if (this.isOver) kill();
    const timer = setTimeout(() => {
      if (this.child === child && this.state === State.Starting) kill();
    }, kStartTimeoutMs);
    // A helper that can't be reached is of no use, even where it lives on.
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
