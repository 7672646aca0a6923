/** The helper process, bundled as shipped, with an addon of the test's choice. */
import { type ChildProcess, fork } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildSync } from 'esbuild';
import {
  createMessageConnection,
  IPCMessageReader,
  IPCMessageWriter,
  type MessageConnection,
  ProgressType,
} from 'vscode-jsonrpc/node';
import {
  type ContentResult,
  type DidChangeParams,
  type DidCloseParams,
  entryKey,
  clientRequests,
  type InitializeResult,
  lsp,
  type ModelState,
  notifications,
  type OpenResult,
  protocolVersion,
  registerAll,
  requests,
  type RequestType,
  type StatusEntry,
} from '../../extension/protocol';

/** A folder with helper.js, and with resident_git.node if given. */
export function installHelper(addonPath?: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'rg-helper-'));
  buildSync({
    entryPoints: [resolve(__dirname, '../../extension/helper/main.ts')],
    outfile: join(folder, 'helper.js'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    external: ['*.node'],
    logLevel: 'warning',
  });
  if (addonPath !== undefined) copyFileSync(addonPath, join(folder, 'resident_git.node'));
  return folder;
}

/** A client's view of one worktree. */
export class WorktreeView {
  version = 0;
  readonly entries = new Map<string, StatusEntry>();
  /** Number of deltas whose base version was wrong. */
  gaps = 0;
  last: DidChangeParams | undefined;
  state: ModelState | undefined;

  fold(params: DidChangeParams): void {
    if (params.baseVersion === 0) this.entries.clear();
    else if (params.baseVersion !== this.version) this.gaps++;
    this.version = params.version;
    for (const path of params.removed) this.entries.delete(` ${path}`);
    for (const path of params.removedUntracked) this.entries.delete(`?${path}`);
    for (const entry of params.upserted) this.entries.set(entryKey(entry), entry);
    this.last = params;
    if (params.state !== undefined) this.state = params.state;
  }

  /** Letters and path of each entry, sorted: ".M a", "?? b". */
  get lines(): string[] {
    return [...this.entries.values()]
      .map((entry) => {
        if (entry.kind === 'untracked') return `?? ${entry.path}`;
        if (entry.kind === 'unmerged') return `${entry.conflict} ${entry.path}`;
        return `${entry.index}${entry.worktree} ${entry.path}`;
      })
      .sort();
  }

  get paths(): string[] {
    return [...this.entries.values()].map(({ path }) => path).sort();
  }
}

export class HelperProcess {
  readonly connection: MessageConnection;
  readonly changes: DidChangeParams[] = [];
  readonly closes: DidCloseParams[] = [];
  readonly log: { type: number; message: string }[] = [];
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  stdout = '';
  /** Awaited before a change is acknowledged; undefined: acknowledged at once. */
  onChange: (() => Promise<void>) | undefined;
  private readonly views = new Map<string, WorktreeView>();
  private readonly arrivals: (() => void)[] = [];

  constructor(folder: string, env: NodeJS.ProcessEnv = process.env) {
    // RESIDENT_NODE: the Node of another platform, for its addon.
    const execPath = process.env.RESIDENT_NODE ?? process.execPath;
    const stdio = ['ignore', 'pipe', 'pipe', 'ipc'] as const;
    this.child = fork(join(folder, 'helper.js'), [], { execPath, stdio: [...stdio], env });
    this.exited = new Promise((done) => {
      this.child.on('exit', (code, signal) => {
        done({ code, signal });
      });
    });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    }
    this.connection = createMessageConnection(
      new IPCMessageReader(this.child),
      new IPCMessageWriter(this.child),
    );
    const handlers = {
      didChange: async (params: DidChangeParams) => {
        this.changes.push(params);
        this.view(params.root).fold(params);
        this.arrived();
        await this.onChange?.();
        return null;
      },
      didClose: (params: DidCloseParams) => {
        this.closes.push(params);
        this.arrived();
      },
      logMessage: (params: { type: number; message: string }) => {
        this.log.push(params);
        this.arrived();
      },
    };
    const { logMessage } = lsp;
    registerAll(clientRequests, handlers, (method, handler) => this.connection.onRequest(method, handler));
    registerAll({ ...notifications, logMessage }, handlers, (method, handler) =>
      this.connection.onNotification(method, (params) => void handler(params)),
    );
    this.connection.listen();
  }

  readonly child: ChildProcess;

  static async start(folder: string, env?: NodeJS.ProcessEnv): Promise<HelperProcess> {
    const helper = new HelperProcess(folder, env);
    await helper.initialize(protocolVersion);
    return helper;
  }

  initialize(version: number | undefined): Promise<InitializeResult> {
    const initializationOptions = version === undefined ? {} : { protocolVersion: version };
    return this.request(lsp.requests.initialize, { initializationOptions });
  }

  request<Params, Result>(type: RequestType<Params, Result>, params: Params): Promise<Result> {
    return this.connection.sendRequest<Result>(type.method, params);
  }

  open(root: string, trusted = true): Promise<OpenResult> {
    return this.request(requests.open, { root, trusted });
  }

  /** Runs a script of the fake service. */
  script(root: string, ...lines: string[]): Promise<ContentResult> {
    return this.request(requests.content, { root, path: lines.join('\n'), source: 'HEAD' });
  }

  view(root: string): WorktreeView {
    const view = this.views.get(root) ?? new WorktreeView();
    this.views.set(root, view);
    return view;
  }

  /** Sum over all worktrees. */
  get gaps(): number {
    return [...this.views.values()].reduce((sum, { gaps }) => sum + gaps, 0);
  }

  /** Calls `listener` with each message of work-done progress under `token`. */
  onProgress(
    token: string,
    listener: (value: { kind: string; message?: string; percentage?: number }) => void,
  ): void {
    this.connection.onProgress(new ProgressType<{ kind: string }>(), token, listener);
  }

  /** Resolves once `condition` holds; checked at each arrival. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((wake) => this.arrivals.push(wake));
  }

  /** Stops the helper like a client. Checks a clean end within the limit. */
  async stop(): Promise<void> {
    const timer = setTimeout(() => this.child.kill('SIGKILL'), 5000);
    // If the helper does not answer, it is killed, and the exit code shows it.
    void this.request(lsp.requests.shutdown, undefined).then(() =>
      this.connection.sendNotification(lsp.notifications.exit.method),
    );
    const { code, signal } = await this.exited;
    clearTimeout(timer);
    this.connection.dispose();
    if (code !== 0 || this.stdout !== '') {
      throw new Error(`the helper ended with ${code ?? signal}; it printed: ${this.stdout}`);
    }
  }

  kill(): void {
    this.child.kill('SIGKILL');
    this.connection.dispose();
  }

  private arrived(): void {
    for (const wake of this.arrivals.splice(0)) wake();
  }
}

export function removeHelper(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}
