/**
 * code-server on 127.0.0.1 with its own profile. The packaged extension is installed like a user would install it.
 * The server never outlives this process.
 */
import { type ChildProcess, type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../support/freePort';
import type { Installation } from './install';
import { poll } from './poll';
import { processFolder } from './processFolder';

const startTimeoutMs = 60_000;
const stopTimeoutMs = 5_000;

export interface ServerOptions {
  installation: Installation;
  /**
   * An empty or missing folder for everything that the server writes. Its path must be short: it contains sockets.
   */
  profile: string;
  /** Path of the extension to install. Without it, none is installed. */
  vsix?: string;
  /** True: the window asks for trust and starts without it. Else every workspace is trusted. */
  asksForTrust?: boolean;
  /** User settings, added to the quiet settings. */
  settings?: Record<string, unknown>;
  /** Command words that start the server. Their program must become the server. */
  launcher?: readonly string[];
  env: NodeJS.ProcessEnv;
}

/** Switches off welcome pages and assistants. */
const quietSettings = {
  'chat.disableAIFeatures': true,
  'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.tips.enabled': false,
  'telemetry.telemetryLevel': 'off',
  // A browser would save typed text after a second.
  'files.autoSave': 'off',
  'extensions.ignoreRecommendations': true,
  'window.commandCenter': false,
  // A tooltip would cover the next click's target.
  'workbench.hover.delay': 1_000_000,
  'workbench.hover.reducedDelay': 1_000_000,
};

/** Writes the user's settings of the server with this profile, added to the quiet settings. */
export function writeUserSettings(profile: string, settings: Record<string, unknown>): void {
  const path = join(profile, 'data/User/settings.json');
  writeFileSync(path, JSON.stringify({ ...quietSettings, ...settings }, null, 2));
}

/** Key that restores the window's first state. Closing editors may still open a dialog. */
export const kTidyKey = 'Control+Alt+Shift+F9';
/** Key that shows the view. VS Code's own shortcut has two keys. A busy window can type the second as text. */
export const kViewKey = 'Control+Alt+Shift+F8';
const kKeys = [
  { key: 'ctrl+alt+shift+f8', command: 'workbench.view.scm' },
  {
    key: 'ctrl+alt+shift+f9',
    command: 'runCommands',
    args: {
      commands: [
        'notifications.clearAll',
        'notifications.hideList',
        'workbench.action.closePanel',
        'workbench.action.clearEditorHistoryWithoutConfirm',
        'workbench.view.scm',
        'workbench.action.closeAllGroups',
      ],
    },
  },
];

const extensionsFolders = new Map<string, string>();

/** A folder with this extension installed. All servers of this process share it; it is removed with the process. */
function extensionsWith(vsix: string, install: (folder: string) => SpawnSyncReturns<string>): string {
  const known = extensionsFolders.get(vsix);
  if (known !== undefined) return known;
  const folder = processFolder('rgx-');
  const { status, stdout, stderr } = install(folder);
  if (status !== 0) throw new Error(`cannot install ${vsix}:\n${stdout}${stderr}`);
  extensionsFolders.set(vsix, folder);
  return folder;
}

export class WorkbenchServer {
  private constructor(
    private readonly child: ChildProcess,
    readonly port: number,
    readonly log: string,
  ) {}

  static async start(options: ServerOptions): Promise<WorkbenchServer> {
    const { installation, profile, vsix } = options;
    const at = (...names: string[]): string => join(profile, ...names);
    for (const folder of ['data/User', 'tmp']) mkdirSync(at(folder), { recursive: true, mode: 0o700 });
    writeUserSettings(profile, options.settings ?? {});
    writeFileSync(at('data/User/keybindings.json'), JSON.stringify(kKeys, null, 2));
    writeFileSync(at('config.yaml'), '');
    const env: NodeJS.ProcessEnv = {
      ...options.env,
      TMPDIR: at('tmp'),
      XDG_RUNTIME_DIR: at('tmp'),
      XDG_DATA_HOME: at('xdg-data'),
      XDG_CONFIG_HOME: at('xdg-config'),
      EXTENSIONS_GALLERY: '{"serviceUrl":""}',
      // Like a start from a terminal: extensions get these variables instead of a login shell's.
      VSCODE_CLI: '1',
    };
    // A terminal of VS Code sets this variable. The server would then talk to that VS Code.
    delete env.VSCODE_IPC_HOOK_CLI;
    const common = ['--config', at('config.yaml'), '--user-data-dir', at('data')];
    const extensions =
      vsix === undefined
        ? at('extensions')
        : extensionsWith(vsix, (folder) => {
            const install = [...common, '--extensions-dir', folder, '--install-extension', vsix];
            return spawnSync(installation.node, [installation.entry, ...install], { env, encoding: 'utf8' });
          });
    common.push('--extensions-dir', extensions);

    const port = await freePort();
    const log = at('server.log');
    const output = openSync(log, 'w');
    const [program, ...args] = [...(options.launcher ?? []), installation.node, installation.entry];
    args.push(...common, '--auth', 'none', '--bind-addr', `127.0.0.1:${port}`);
    args.push('--session-socket', at('ipc.sock'), '--disable-telemetry', '--disable-update-check');
    args.push('--disable-getting-started-override', '--disable-file-downloads');
    if (options.asksForTrust !== true) args.push('--disable-workspace-trust');
    const child = spawn(program, args, { stdio: ['ignore', output, output], env, detached: true });
    closeSync(output);
    const server = new WorkbenchServer(child, port, log);
    const end = () => {
      server.signal('SIGKILL');
    };
    process.once('exit', end);
    child.once('exit', () => process.off('exit', end));
    await server.ready();
    return server;
  }

  /**
   * The workbench's address with this folder or .code-workspace file open. `host`: the browser's name for the server.
   */
  url(target: { folder: string } | { workspace: string }, host = `127.0.0.1:${this.port}`): string {
    return `http://${host}/?${new URLSearchParams(target).toString()}`;
  }

  get running(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  async stop(): Promise<void> {
    if (!this.running) return;
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    const timer = setTimeout(() => this.signal('SIGKILL'), stopTimeoutMs);
    this.signal('SIGTERM');
    await ended;
    clearTimeout(timer);
  }

  private async ready(): Promise<void> {
    await poll(
      async () => {
        if (!this.running) return;
        const response = await fetch(`http://127.0.0.1:${this.port}/healthz`);
        if (!response.ok) throw new Error(`HTTP status ${response.status}`);
      },
      { what: 'the workbench server answers', timeoutMs: startTimeoutMs },
    );
    if (!this.running) throw new Error(`the workbench server ended:\n${readFileSync(this.log, 'utf8')}`);
  }

  /** Signals the server's process group, which contains the extension host and its children. */
  private signal(signal: NodeJS.Signals): void {
    if (!this.running || this.child.pid === undefined) return;
    try {
      process.kill(-this.child.pid, signal);
    } catch {
      // The process has already ended.
    }
  }
}
