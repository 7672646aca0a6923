/**
 * What a test file needs: a sandbox, a server with the packaged extension in it, and a window. `ofSuite`
 * sees to it that all of it ends and is removed.
 *
 * A window costs ten seconds of a processor before it shows anything. Files whose tests are not about its start share
 * one: `sharedSandbox` and `share` in place of `new Sandbox` and `open`. It is kept for the next file of the process that
 * shares, unless a test has failed in it, and ends before one that does not, or with the process.
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

/** RESIDENT_VSIX; else what the suite has packed of dist/. */
export function packagedExtension(): string {
  return resolve(process.env.RESIDENT_VSIX ?? join(projectRoot, 'dist/test.vsix'));
}

/** The built-in Git stays out of it, so that every row and badge is ours. */
const settingsOfOurs = {
  'git.enabled': false,
  'git.decorations.enabled': false,
  'scm.alwaysShowRepositories': false,
  'explorer.compactFolders': false,
  // An editor that has just opened would take the selection from what is being selected.
  'scm.autoReveal': false,
};

const settingsOfBuiltIn = { ...settingsOfOurs, 'git.enabled': true, 'git.decorations.enabled': true };
/** Both as somebody has them who has set nothing; a row in the view for each, even where there is one. */
const settingsOfBoth = { 'scm.alwaysShowRepositories': true };

/** Who is at work: ours alone, VS Code's own Git without ours, or both. */
export type AtWork = 'ours' | 'builtIn' | 'both';

const settingsAtWork: Record<AtWork, Record<string, unknown>> = {
  ours: settingsOfOurs,
  builtIn: settingsOfBuiltIn,
  both: settingsOfBoth,
};

interface SessionOptions {
  atWork?: AtWork;
  env?: NodeJS.ProcessEnv;
  /** The workspace is not trusted before the user says so. */
  asksForTrust?: boolean;
  /** Beside those of who is at work. */
  settings?: Record<string, unknown>;
  /** Words before the server's own, whose program becomes the server. */
  launcher?: readonly string[];
  /** Runs in the page before the workbench's own. */
  script?: string;
}

/** Below a sandbox's root: what the server writes, what the browser does, and the folder that a shared window is on. */
const kServerProfile = 'vs';
const kBrowserProfile = 'chromium';
const kSharedFolder = 'project';

/** What of a session outlives it where the window is shared. */
interface Window {
  readonly workbench: Workbench;
  readonly serverPid: number;
  /** Ends one thing each; the last one first. */
  readonly endings: (() => Promise<void> | void)[];
}

export class Session {
  private static readonly opened: Session[] = [];
  /** A shared window whose suite has ended. Its server and its browser end with the process by themselves. */
  private static kept: Session | undefined;
  /** A shared window between sharedSandbox() and share(). */
  private static emptied: Session | undefined;

  /** How long each log was when the session began: what is in it by then is of another file of tests. */
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
   * Opens what `target` names (made by then in the sandbox) in a fresh profile. The sandbox is ours now.
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
   * A sandbox for a repository `project`, which share() opens: that of the window which this process keeps, with nothing
   * in it any more, or a new one. Not for files that bring settings or search for files: the editor has been seen to miss a
   * `.vscode` that came with a new repository, and to find no file in one.
   */
  static async sharedSandbox(): Promise<Sandbox> {
    const { kept } = Session;
    if (kept === undefined) return new Sandbox();
    Session.kept = undefined;
    Session.emptied = kept;
    await kept.empty();
    return kept.sandbox.emptied(kServerProfile, kBrowserProfile, kSharedFolder);
  }

  /** As open() on the folder `project` of a sandbox that is sharedSandbox()'s. */
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

  /** For a suite: a failed test is pictured and told in each session that is open, and all end with the suite. */
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

  /** Ends every session that is open; `keepsShared`: a shared window is kept. */
  static async closeAll(keepsShared = false): Promise<void> {
    const { emptied, opened } = Session;
    Session.emptied = undefined;
    if (emptied) await endAll(emptied.window.endings);
    for (const session of opened.splice(0)) {
      if (keepsShared && session.isShared && (await session.isAsOpened())) Session.kept = session;
      else await endAll(session.window.endings);
    }
  }

  /** Ends the window that is kept for a file that shares it. */
  static async endKept(): Promise<void> {
    const { kept } = Session;
    Session.kept = undefined;
    if (kept) await endAll(kept.window.endings);
  }

  /** Whether the window is on the folder that it is shared for, with the settings that it read at its start. */
  private async isAsOpened(): Promise<boolean> {
    const search = await this.workbench.page.evaluate<string>('location.search');
    const isOnFolder = new URLSearchParams(search).get('folder') === this.sandbox.path(kSharedFolder);
    return isOnFolder && isDeepStrictEqual(this.userSettings(), this.settingsAtFirst);
  }

  /** The window as it was when it opened, on a folder without a repository. */
  private async empty(): Promise<void> {
    await this.workbench.tidy();
    forceEmpty(this.sandbox.path(kSharedFolder));
    await this.workbench.hasNoRepository();
  }

  /** Waits until the view's rows are exactly those of `git status` in these repositories. */
  async matchesGit(...repositories: Repository[]): Promise<void> {
    // git is asked each time: what it says may be of the middle of a command.
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

  /** What a failure is understood by: what is asked and told in the window, and the end of the log. */
  private async told(): Promise<string> {
    const log = this.extensionLog().trimEnd().split('\n').slice(-kToldLines);
    return [
      await this.workbench.asked(),
      ...(await this.workbench.notifications.messages()),
      'the log:',
      ...log,
    ].join('\n');
  }

  /** What the helper's models hold, and the log: whether a row was lost before the view or in it. */
  private modelsOf(repositories: Repository[]): string {
    const models = repositories.map(({ root }) => {
      const command = ['status', '--source=resident', '--porcelain'];
      const { stdout, stderr } = run(residentBinary(), command, { cwd: root, env: this.sandbox.env });
      return `the model of ${root}:\n${stdout.toString()}${stderr.toString()}`;
    });
    return [...models, 'the log:', this.extensionLog()].join('\n');
  }

  /** The user's settings as they stand on the disk. */
  userSettings(): Record<string, unknown> {
    return JSON.parse(readFileSync(this.settingsFile, 'utf8')) as Record<string, unknown>;
  }

  /** As if the user had written it. What is read at the start only takes a reload. */
  set(setting: string, value: unknown): void {
    writeUserSettings(this.profile, { ...this.userSettings(), [setting]: value });
  }

  private get settingsFile(): string {
    return join(this.profile, 'data/User/settings.json');
  }

  /** What the extension's log channel holds so far of this session. */
  extensionLog(): string {
    return this.logs('Resident Git.log');
  }

  /** Waits until the extension host tells that the extension was among the first, as VS Code's own Git is. */
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

// A process of `mocha --parallel` has further files when this one has ended; any other has had all of them.
if (typeof after === 'function' && process.env.MOCHA_WORKER_ID === undefined) after(() => Session.endKept());

/** Ends everything, whatever fails on the way; then the first failure is thrown. */
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

/** A helper has to end with its extension host; one that does not fails the test, and is ended here. */
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
