/**
 * A temporary directory with an environment in which git ignores the machine's configuration. Every test
 * repository is in a sandbox. It also records a shell script of all actions, for bug reports.
 */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  statfsSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { testProgram } from './binary';
import { shellWord } from './bytes';
import { atLeast, oracleGit } from './oracle';
import { forceEmpty, forceRemove } from './remove';
import { run } from './run';

const configOfEveryone = `[user]
	name = A U Thor
	email = author@example.com
[init]
	defaultBranch = main
[core]
	fsync = none
[gc]
	auto = 0
[maintenance]
	auto = false
[protocol "file"]
	allow = always
[rerere]
	enabled = false
`;

/** Before 2.28 only a template sets git's name of the first branch. */
const namesBranchByTemplate = (): boolean => !atLeast(2, 28);
const templateHead = 'ref: refs/heads/main';

function globalConfig(): string {
  return namesBranchByTemplate()
    ? configOfEveryone.replace('defaultBranch = main', 'templateDir = ~/template')
    : configOfEveryone;
}

const fixedDates = {
  GIT_AUTHOR_DATE: '1700000000 +0000',
  GIT_COMMITTER_DATE: '1700000000 +0000',
};

/** Variables that a developer may set for a sanitizer build of the program under test. */
const passedThrough = ['ASAN_OPTIONS', 'LSAN_OPTIONS', 'TSAN_OPTIONS', 'UBSAN_OPTIONS', 'LD_LIBRARY_PATH'];

const memory = '/dev/shm';
/** A container may have only 64 MB there. */
const enoughMemory = 1 << 30;

/** A file system in memory if the machine has one: for many small short-lived repositories. */
export function memoryDirectory(): string {
  if (!existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize >= enoughMemory ? memory : tmpdir();
}

export class Sandbox {
  /**
   * Short, because a socket path may have at most 107 bytes. Contains the id of its process, so that a
   * running test's directory does not look stale.
   */
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  /** The actions as lines of bash, which replay them in an empty directory. */
  readonly script: string[] = [];

  /** Makes a new directory in `parent`, or uses the `existing` one of another process. */
  constructor(parent = tmpdir(), existing?: string) {
    this.root = existing ?? mkdtempSync(join(parent, `rg-${process.pid}-`));
    if (existing === undefined) this.furnish();
    this.env = {
      PATH: process.env.PATH,
      HOME: join(this.root, 'home'),
      XDG_CONFIG_HOME: join(this.root, 'home/.config'),
      XDG_RUNTIME_DIR: join(this.root, 'run'),
      TMPDIR: this.root,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: join(this.root, 'gitconfig'),
      GIT_EDITOR: 'true',
      GIT_TERMINAL_PROMPT: '0',
      LC_ALL: 'C',
      TZ: 'UTC',
      TERM: 'dumb',
      ...fixedDates,
    };
    for (const name of passedThrough) if (process.env[name]) this.env[name] = process.env[name];
  }

  /** The same directory as a new sandbox: removes everything except the `kept` names. */
  emptied(...kept: string[]): Sandbox {
    forceEmpty(this.root, ...kept);
    this.furnish();
    return new Sandbox(undefined, this.root);
  }

  private furnish(): void {
    for (const name of ['home', 'run', 'bin']) mkdirSync(join(this.root, name), { mode: 0o700 });
    writeFileSync(join(this.root, 'gitconfig'), globalConfig());
    if (namesBranchByTemplate()) {
      mkdirSync(join(this.root, 'home/template/info'), { recursive: true });
      writeFileSync(join(this.root, 'home/template/HEAD'), `${templateHead}\n`);
      writeFileSync(join(this.root, 'home/template/info/exclude'), '');
    }
    // A git before 2.32 does not know GIT_CONFIG_GLOBAL, and reads this file.
    symlinkSync('../gitconfig', join(this.root, 'home/.gitconfig'));
  }

  path(...names: string[]): string {
    return join(this.root, ...names);
  }

  /** Sets a variable for all later actions in the sandbox. */
  setVariable(name: string, value: string): void {
    this.env[name] = value;
    const shown = value.startsWith(this.root)
      ? `"$PWD"${shellWord(value.slice(this.root.length))}`
      : shellWord(value);
    this.script.push(`export ${name}=${shown}`);
  }

  /**
   * Environment of a question, which must not change the index. With `spy`, the first `git` on PATH logs each
   * call in `spyLog`, then runs git (native/testing/git_spy.cc).
   */
  questionEnv(options: { spy: boolean }): NodeJS.ProcessEnv {
    const env = options.spy ? this.spiedEnv() : this.env;
    return { ...env, GIT_OPTIONAL_LOCKS: '0' };
  }

  /** Environment that logs each call of git. */
  spiedEnv(): NodeJS.ProcessEnv {
    const spy = { RESIDENT_SPY_GIT: oracleGit(), RESIDENT_SPY_LOG: this.spyLog };
    return { ...this.env, ...spy, PATH: `${this.path('bin')}${delimiter}${this.env.PATH}` };
  }

  /** Calls of a server, separate from its clients' calls. */
  get serverSpyLog(): string {
    return this.path('git-calls-of-the-server.log');
  }

  get spyLog(): string {
    return this.path('git-calls.log');
  }

  /** Installs the `git` of `questionEnv({ spy: true })`. */
  installSpy(): void {
    // A copy, which a test may replace or overwrite. Made only once, because it may be running.
    if (!existsSync(this.path('bin/git'))) copyFileSync(testProgram('git_spy'), this.path('bin/git'));
    writeFileSync(this.spyLog, '');
    writeFileSync(this.serverSpyLog, '');
  }

  /** Runs any other program in the sandbox's root. Fails if it fails. */
  exec(program: string, ...args: string[]): void {
    this.script.push([program, ...args].map(shellWord).join(' '));
    const { code, stderr } = run(program, args, { cwd: this.root, env: this.env });
    if (code !== 0)
      throw new Error(`${program} ${args.join(' ')}: exit code ${code}\n${stderr.toString('latin1')}`);
  }

  /** The script with everything that it needs to run alone. */
  replayScript(): string {
    const settings = ['GIT_AUTHOR_DATE', 'GIT_COMMITTER_DATE', 'GIT_CONFIG_NOSYSTEM', 'GIT_EDITOR', 'LC_ALL'];
    return [
      '#!/bin/bash',
      'cd "$(mktemp -d)" && pwd',
      ...settings.map((name) => `export ${name}='${this.env[name]}'`),
      'export HOME="$PWD" XDG_CONFIG_HOME="$PWD/.config" GIT_CONFIG_GLOBAL="$PWD/gitconfig"',
      `cat >gitconfig <<'EOF'\n${globalConfig()}EOF`,
      ...(namesBranchByTemplate()
        ? [`mkdir -p template/info && >template/info/exclude && echo '${templateHead}' >template/HEAD`]
        : []),
      ...this.script,
    ].join('\n');
  }

  remove(): void {
    forceRemove(this.root);
  }
}
