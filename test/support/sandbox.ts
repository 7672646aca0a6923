/**
 * A temporary directory with an environment in which git sees nothing of the machine's own configuration.
 * Every repository of a test lives in one. Also keeps a shell script of what was done, for bug reports.
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

/** Before 2.28 git takes the name of the first branch from a template only. */
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
/** A container may have 64 MB there. */
const enoughMemory = 1 << 30;

/** A file system in memory where the machine has one: for many small repositories that nobody looks at later. */
export function memoryDirectory(): string {
  if (!existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize >= enoughMemory ? memory : tmpdir();
}

export class Sandbox {
  /**
   * Short, because a socket's path below it may have 107 bytes at most. Names the process that made it, so that
   * nobody takes a running test's directory for one that was left behind.
   */
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  /** What was done, as lines of bash that replay it in an empty directory. */
  readonly script: string[] = [];

  /** Makes one below `parent`, or, with `existing`, stands in the one that another process made there. */
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

  /** The same directory as a new sandbox, where all is removed but what `kept` names. */
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
    // Where a git that does not know GIT_CONFIG_GLOBAL looks: before 2.32.
    symlinkSync('../gitconfig', join(this.root, 'home/.gitconfig'));
  }

  path(...names: string[]): string {
    return join(this.root, ...names);
  }

  /** Sets a variable for all that happens in the sandbox from now on. */
  setVariable(name: string, value: string): void {
    this.env[name] = value;
    const shown = value.startsWith(this.root)
      ? `"$PWD"${shellWord(value.slice(this.root.length))}`
      : shellWord(value);
    this.script.push(`export ${name}=${shown}`);
  }

  /**
   * The environment for a question: asking leaves the index as it is. `spy` puts a `git` first on PATH that
   * notes each call in `spyLog` before it does what was asked (native/testing/git_spy.cc).
   */
  questionEnv(options: { spy: boolean }): NodeJS.ProcessEnv {
    const env = options.spy ? this.spiedEnv() : this.env;
    return { ...env, GIT_OPTIONAL_LOCKS: '0' };
  }

  /** The environment in which each call of git is noted. */
  spiedEnv(): NodeJS.ProcessEnv {
    const spy = { RESIDENT_SPY_GIT: oracleGit(), RESIDENT_SPY_LOG: this.spyLog };
    return { ...this.env, ...spy, PATH: `${this.path('bin')}${delimiter}${this.env.PATH}` };
  }

  /** The calls of a server, beside those of who asks it. */
  get serverSpyLog(): string {
    return this.path('git-calls-of-the-server.log');
  }

  get spyLog(): string {
    return this.path('git-calls.log');
  }

  /** Installs the `git` of `questionEnv({ spy: true })`. */
  installSpy(): void {
    // A copy, which a test may replace or write over; once, since it may run.
    if (!existsSync(this.path('bin/git'))) copyFileSync(testProgram('git_spy'), this.path('bin/git'));
    writeFileSync(this.spyLog, '');
    writeFileSync(this.serverSpyLog, '');
  }

  /** Runs any other program in the sandbox's root; fails where it fails. */
  exec(program: string, ...args: string[]): void {
    this.script.push([program, ...args].map(shellWord).join(' '));
    const { code, stderr } = run(program, args, { cwd: this.root, env: this.env });
    if (code !== 0)
      throw new Error(`${program} ${args.join(' ')}: exit code ${code}\n${stderr.toString('latin1')}`);
  }

  /** The script with what it needs to run by itself. */
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
