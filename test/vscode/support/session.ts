/**
 * Everything that a test file needs: a sandbox, a server with the packaged extension, and a window. `ofSuite` ends
 * and removes them.
 *
 * A new window takes ten seconds of processor time before it shows anything. Test files that do not test its start
 * share a window. They call `sharedSandbox` and `share` instead of `new Sandbox` and `open`. The window is kept for
 * the next sharing file of this process, unless a test in it has failed. It ends before the next file that does not
 * share, or with the process.
 */
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { residentBinary } from '../../support/binary';
import type { Repository } from '../../support/repository';
import { forceEmpty } from '../../support/remove';
import { run } from '../../support/run';
import { Sandbox } from '../../support/sandbox';
import { Browser, kAddress } from './browser';
import { expectedRows, shownRows } from './expected';
import { helperPids } from './helper-process';
import { installWorkbench } from './install';
import { poll } from './poll';
import { WorkbenchServer, writeUserSettings } from './server';
import { Workbench } from './workbench';

const kToldLines = 30;

const projectRoot = resolve(__dirname, '../../..');

/** The package at RESIDENT_VSIX. Default: the package that the suite made of dist/. */
export function packagedExtension(): string {
  return resolve(process.env.RESIDENT_VSIX ?? join(projectRoot, 'dist/test.vsix'));
}

/** Disables the built-in Git, so every row and badge is ours. */
const settingsOfOurs = {
  'git.enabled': false,
  'git.decorations.enabled': false,
  'scm.alwaysShowRepositories': false,
  'explorer.compactFolders': false,
  // A new editor would otherwise change the selection in the view during a test.
  'scm.autoReveal': false,
};

const settingsOfBuiltIn = { ...settingsOfOurs, 'git.enabled': true, 'git.decorations.enabled': true };
/** Default settings for both extensions. The view shows a row for each provider, even for a single repository. */
const settingsOfBoth = { 'scm.alwaysShowRepositories': true };

/** The active Git extensions: only ours, only VS Code's own Git, or both. */
export type AtWork = 'ours' | 'builtIn' | 'both';

const settingsAtWork: Record<AtWork, Record<string, unknown>> = {
  ours: settingsOfOurs,
  builtIn: settingsOfBuiltIn,
  both: settingsOfBoth,
};

interface SessionOptions {
  atWork?: AtWork;
  env?: NodeJS.ProcessEnv;
  /** The workspace has no trust until the user grants it. */
  asksForTrust?: boolean;
  /** Added to the settings of `atWork`. */
  settings?: Record<string, unknown>;
  /** Command words that start the server. Their program must become the server. */
  launcher?: readonly string[];
  /** Script that runs in the page before the workbench's own scripts. */
  script?: string;
}

/** Names below a sandbox's root: the server's profile, the browser's profile, and the folder of a shared window. */
const kServerProfile = 'vs';
const kBrowserProfile = 'chromium';
const kSharedFolder = 'project';

/** The part of a session that a shared window keeps. */
interface Window {
  readonly workbench: Workbench;
  readonly serverPid: number;
  /** Cleanup steps, run from last to first. */
  readonly endings: (() => Promise<void> | void)[];
}

export class Session {
  private static readonly opened: Session[] = [];
  /** The shared window of an ended suite. Its server and its browser end with the process. */
  private static kept: Session | undefined;
  /** The shared window between sharedSandbox() and share(). */
  private static emptied: Session | undefined;

  /** Size of each log at the session's start. Earlier lines belong to another test file. */
  private readonly logged: ReadonlyMap<string, number>;
  private readonly settingsAtFirst: Record<string, unknown>;

  private constructor(
    readonly sandbox: Sandbox,
    private readonly window: Window,
    private readonly isShared: boolean,
  ) {
    this.logged = new Map(isShared ? this.logFiles().map((path) => [path, statSync(path).size]) : []);
    this.settingsAtFirst = this.userSettings();
  }

  get workbench(): Workbench {
    return this.window.workbench;
  }

  get serverPid(): number {
    return this.window.serverPid;
  }

  get profile(): string {
    return this.sandbox.path(kServerProfile);
  }

  /**
   * Opens `target` in a fresh profile. `target` must already exist in the sandbox. Takes ownership of the sandbox.
   */
  static async open(
    sandbox: Sandbox,
    target: { folder: string } | { workspace: string },
    options: SessionOptions = {},
  ): Promise<Session> {
    await Session.endKept();
    const session = new Session(sandbox, await Session.openWindow(sandbox, target, options), false);
    Session.opened.push(session);
    return session;
  }

  /**
   * A sandbox for a repository `project`, which share() opens. Returns the emptied sandbox of the kept window, or a
   * new sandbox. Do not use it for tests that write settings or search files. The editor sometimes missed a new
   * repository's `.vscode`, and found none of its files.
   */
  static async sharedSandbox(): Promise<Sandbox> {
    const { kept } = Session;
    if (kept === undefined) return new Sandbox();
    Session.kept = undefined;
    Session.emptied = kept;
    await kept.empty();
    return kept.sandbox.emptied(kServerProfile, kBrowserProfile, kSharedFolder);
  }

  /** Opens the folder `project` of the sandbox from sharedSandbox(). */
  static async share(sandbox: Sandbox): Promise<Session> {
    const { emptied } = Session;
    Session.emptied = undefined;
    const target = { folder: sandbox.path(kSharedFolder) };
    const window = emptied?.window ?? (await Session.openWindow(sandbox, target));
    const session = new Session(sandbox, window, true);
    Session.opened.push(session);
    if (emptied) await session.workbench.hasRepository();
    return session;
  }

  private static async openWindow(
    sandbox: Sandbox,
    target: { folder: string } | { workspace: string },
    {
      atWork = 'ours',
      env = sandbox.env,
      asksForTrust = false,
      settings = {},
      launcher = [],
      script,
    }: SessionOptions = {},
  ): Promise<Window> {
    const endings = [(): Promise<void> | void => sandbox.remove()];
    try {
      const installation = installWorkbench();
      const profile = sandbox.path(kServerProfile);
      const server = await WorkbenchServer.start({
        installation,
        profile,
        env,
        asksForTrust,
        launcher,
        settings: { ...settingsAtWork[atWork], ...settings },
        ...(atWork !== 'builtIn' && { vsix: packagedExtension() }),
      });
      endings.push(() => noHelperRemains(profile));
      endings.push(() => server.stop());
      const browser = await Browser.start(installation, sandbox.path(kBrowserProfile), server.port);
      endings.push(() => browser.close());
      if (script !== undefined) await browser.page.addInitScript({ content: script });
      const workbench = await Workbench.open(browser, server.url(target, kAddress));
      return { workbench, serverPid: server.pid, endings };
    } catch (error) {
      await endAll(endings);
      throw error;
    }
  }

  /**
   * Call inside a suite. After a failed test, each open session takes a screenshot and prints its state. After the
   * suite, all sessions end.
   */
  static ofSuite(): void {
    afterEach(async function () {
      const test = this.currentTest;
      if (test?.state !== 'failed') return;
      for (const session of Session.opened) {
        await session.workbench.screenshot(`failed ${test.title}`);
        process.stdout.write(`${test.title}:\n${await session.told()}\n`);
      }
    });
    after(async function () {
      let areAllPassed = true;
      this.test?.parent?.eachTest((test) => {
        areAllPassed &&= test.isPassed() || test.isPending();
      });
      await Session.closeAll(areAllPassed);
    });
  }

  /** Ends every open session. `keepsShared`: keeps a shared window. */
  static async closeAll(keepsShared = false): Promise<void> {
    const { emptied, opened } = Session;
    Session.emptied = undefined;
    if (emptied) await endAll(emptied.window.endings);
    for (const session of opened.splice(0)) {
      if (keepsShared && session.isShared && (await session.isAsOpened())) Session.kept = session;
      else await endAll(session.window.endings);
    }
  }

  /** Ends the kept window. */
  static async endKept(): Promise<void> {
    const { kept } = Session;
    Session.kept = undefined;
    if (kept) await endAll(kept.window.endings);
  }

  /** Whether the window is still on the shared folder, with the settings from its start. */
  private async isAsOpened(): Promise<boolean> {
    const search = await this.workbench.page.evaluate<string>('location.search');
    const isOnFolder = new URLSearchParams(search).get('folder') === this.sandbox.path(kSharedFolder);
    return isOnFolder && isDeepStrictEqual(this.userSettings(), this.settingsAtFirst);
  }

  /** Restores the window's first state, with an empty folder. */
  private async empty(): Promise<void> {
    await this.workbench.tidy();
    forceEmpty(this.sandbox.path(kSharedFolder));
    await this.workbench.hasNoRepository();
  }

  /** Waits until the view's rows are exactly those of `git status` in these repositories. */
  async matchesGit(...repositories: Repository[]): Promise<void> {
    // Each attempt asks git again: an answer may come from the middle of a command.
    const compare = async () => {
      const shown = shownRows(await this.workbench.resources());
      assert.deepEqual(shown, repositories.flatMap(expectedRows).sort());
    };
    try {
      await poll(compare, { what: 'the view shows what git status says' });
    } catch (error) {
      await this.workbench.screenshot('view-differs');
      throw new Error(`${(error as Error).message}\n${this.modelsOf(repositories)}`, { cause: error });
    }
  }

  /** State for a failure's report: the open dialogs, the messages, and the end of the log. */
  private async told(): Promise<string> {
    const log = this.extensionLog().trimEnd().split('\n').slice(-kToldLines);
    return [
      await this.workbench.asked(),
      ...(await this.workbench.notifications.messages()),
      'the log:',
      ...log,
    ].join('\n');
  }

  /** The helper's models and the log. They show whether a row was lost before the view or inside it. */
  private modelsOf(repositories: Repository[]): string {
    const models = repositories.map(({ root }) => {
      const command = ['status', '--source=resident', '--porcelain'];
      const { stdout, stderr } = run(residentBinary(), command, { cwd: root, env: this.sandbox.env });
      return `the model of ${root}:\n${stdout.toString()}${stderr.toString()}`;
    });
    return [...models, 'the log:', this.extensionLog()].join('\n');
  }

  /** The user's settings on disk. */
  userSettings(): Record<string, unknown> {
    return JSON.parse(readFileSync(this.settingsFile, 'utf8')) as Record<string, unknown>;
  }

  /** Writes a setting like the user would. Settings that are read only at the start need a reload. */
  set(setting: string, value: unknown): void {
    writeUserSettings(this.profile, { ...this.userSettings(), [setting]: value });
  }

  private get settingsFile(): string {
    return join(this.profile, 'data/User/settings.json');
  }

  /** The extension's log of this session up to now. */
  extensionLog(): string {
    return this.logs('Resident Git.log');
  }

  /** Waits until the extension host's log says that the extension started early, like VS Code's own Git. */
  async startedEarly(): Promise<void> {
    const early =
      /resident-git\.resident-git, startup: \w+, activationEvent: '([^']*)'[^]*Eager extensions activated/;
    await poll(
      () => {
        const [, event] = early.exec(this.logs('remoteexthost.log')) ?? assert.fail('it was not, by now');
        assert.equal(event, 'workspaceContains:.');
      },
      { what: 'the extension has started before the start-up was done' },
    );
  }

  private logs(file: string): string {
    return this.logFiles()
      .filter((path) => path.endsWith(file))
      .map((path) => readFileSync(path).subarray(this.logged.get(path)).toString('utf8'))
      .join('\n');
  }

  private logFiles(): string[] {
    const logs = join(this.profile, 'data/logs');
    return readdirSync(logs, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.log'))
      .map((name) => join(logs, name));
  }
}

// A `mocha --parallel` process may get further files. Any other process has finished all files here.
if (typeof after === 'function' && process.env.MOCHA_WORKER_ID === undefined) after(() => Session.endKept());

/** Runs every cleanup step, even after a failure. Then throws the first failure. */
async function endAll(endings: (() => Promise<void> | void)[]): Promise<void> {
  const errors: unknown[] = [];
  for (const end of endings.reverse()) {
    try {
      await end();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0] as Error;
}

/** A helper must end with its extension host. A surviving helper fails the test and is killed. */
async function noHelperRemains(profile: string): Promise<void> {
  try {
    await poll(
      () => {
        assert.deepEqual(helperPids(profile), []);
      },
      { what: 'the helper ends with its extension host' },
    );
  } finally {
    for (const pid of helperPids(profile)) process.kill(pid, 'SIGKILL');
  }
}
