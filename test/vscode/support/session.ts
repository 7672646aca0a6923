/**
 * What a test file needs: a sandbox, a server with the packaged extension in it, and a window. `ofSuite`
 * sees to it that all of it ends and is removed.
 */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import assert from 'node:assert/strict';
import { residentBinary } from '../../support/binary';
import type { Repository } from '../../support/repository';
import { run } from '../../support/run';
import { Sandbox } from '../../support/sandbox';
import { Browser } from './browser';
import { expectedRows, shownRows } from './expected';
import { helperPids } from './helper-process';
import { installWorkbench } from './install';
import { poll } from './poll';
import { WorkbenchServer } from './server';
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

export class Session {
  private static readonly opened: Session[] = [];

  private constructor(
    readonly sandbox: Sandbox,
    readonly profile: string,
    readonly workbench: Workbench,
    readonly serverPid: number,
    /** Ends one thing each; the last one first. */
    private readonly endings: (() => Promise<void> | void)[],
  ) {}

  /**
   * Opens what `target` names (made by then in the sandbox) in a fresh profile. The sandbox is ours now.
   */
  static async open(
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
  ): Promise<Session> {
    const endings = [(): Promise<void> | void => sandbox.remove()];
    try {
      const installation = installWorkbench();
      const profile = sandbox.path('vs');
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
      const browser = await Browser.start(installation, sandbox.path('chromium'));
      endings.push(() => browser.close());
      if (script !== undefined) await browser.page.addInitScript({ content: script });
      const workbench = await Workbench.open(browser, server.url(target));
      const session = new Session(sandbox, profile, workbench, server.pid, endings);
      Session.opened.push(session);
      return session;
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
    after(() => Session.closeAll());
  }

  /** Ends every session that is open. */
  static async closeAll(): Promise<void> {
    for (const session of Session.opened.splice(0)) await endAll(session.endings);
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
    writeFileSync(this.settingsFile, JSON.stringify({ ...this.userSettings(), [setting]: value }, null, 2));
  }

  private get settingsFile(): string {
    return join(this.profile, 'data/User/settings.json');
  }

  /** What the extension's log channel holds so far. */
  extensionLog(): string {
    return this.logs('Resident Git.log');
  }

  /** What the extension host tells of extensions that it starts. */
  hostLog(): string {
    return this.logs('remoteexthost.log');
  }

  private logs(file: string): string {
    const logs = join(this.profile, 'data/logs');
    return readdirSync(logs, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith(file))
      .map((name) => readFileSync(join(logs, name), 'utf8'))
      .join('\n');
  }
}

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
