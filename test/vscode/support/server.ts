/**
 * code-server on 127.0.0.1 with a profile of its own and a packaged extension installed as a user would
 * install it. It never outlives this process.
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
  /** An empty or absent folder for everything that the server writes; short, since sockets live in it. */
  profile: string;
  /** None is installed without. */
  vsix?: string;
  /** Whether the window asks for trust, and has none before that; else every workspace is trusted. */
  asksForTrust?: boolean;
  /** User settings beside the ones that keep the workbench quiet. */
  settings?: Record<string, unknown>;
  /** Words before the server's own, whose program becomes the server. */
  launcher?: readonly string[];
  env: NodeJS.ProcessEnv;
}

/** No welcome pages, no assistants: nothing but the workbench. */
const quietSettings = {
  'chat.disableAIFeatures': true,
  'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.tips.enabled': false,
  'telemetry.telemetryLevel': 'off',
  // A browser's default saves what is typed after a second.
  'files.autoSave': 'off',
  'extensions.ignoreRecommendations': true,
  'window.commandCenter': false,
  // A tooltip would stand over what is clicked next.
  'workbench.hover.delay': 1_000_000,
  'workbench.hover.reducedDelay': 1_000_000,
};

/** The user's settings of the server with this profile: these, and those that keep the workbench quiet. */
export function writeUserSettings(profile: string, settings: Record<string, unknown>): void {
  const path = join(profile, 'data/User/settings.json');
  writeFileSync(path, JSON.stringify({ ...quietSettings, ...settings }, null, 2));
}

/** Brings a window back to what it showed when it opened, but for what the closing of editors asks. */
export const kTidyKey = 'Control+Alt+Shift+F9';
/** Shows the view. VS Code's own are two keys, of which a busy window can take the second for a text. */
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

/** A folder in which this extension is installed, once for all servers of this process and gone with it. */
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
      // As from a terminal: extensions get these variables, and not what a login shell would make of them.
      VSCODE_CLI: '1',
    };
    // Set where the tests are run from a terminal of VS Code: the server would talk to that one.
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

  /** Where a browser finds the workbench with this folder (or .code-workspace file) open; `host`: what it knows the server by. */
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

  /** Reaches the extension host and what it spawned too: they are in the server's process group. */
  private signal(signal: NodeJS.Signals): void {
    if (!this.running || this.child.pid === undefined) return;
    try {
      process.kill(-this.child.pid, signal);
    } catch {
      // It ended in the meantime.
    }
  }
}
