/** Runs a test script of git, unchanged or with its status answered by a program. */
import { spawn } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { forceRemove } from '../../support/remove';
import type { Source } from '../disagreement';
import { installFront } from './front';
import { parseReport, type Report } from './tap';

export interface Answerer {
  program: string;
  source: Source;
  mode: 'answer' | 'compare';
}

export interface SuiteRun {
  report: Report;
  /** Differences of `mode: 'compare'`, for people. */
  differences: string;
  /** Number of the monitor's answers. */
  hookAnswers: number;
  /** Directory of the remaining files; unset: removed. */
  kept?: string;
}

export interface SuiteOptions {
  /** A directory with git's source, built. */
  gitSource: string;
  /** Unset: git answers itself. */
  answerer?: Answerer;
  /** The git-resident for git's file system monitor; unset: git has no monitor. */
  monitor?: string;
  /** Passed to the script. */
  arguments?: readonly string[];
  keep?: boolean;
}

const timeoutMs = 30 * 60_000;

/** File names of the scripts that call `git status`, directly or in a library. */
export function suitesAskingForStatus(gitSource: string): string[] {
  const directory = join(gitSource, 't');
  const asks = (text: string): boolean => /\bgit\b[^\n|&;]* status\b/.test(text);
  const texts = readdirSync(directory)
    .filter((name) => name.endsWith('.sh'))
    .map((name) => ({ name, text: readFileSync(join(directory, name), 'latin1') }));
  const libraries = texts.filter(({ name, text }) => name.startsWith('lib-') && asks(text));
  return texts
    .filter(({ name }) => /^t\d{4}-/.test(name))
    .filter(({ text }) => asks(text) || libraries.some((library) => text.includes(`/${library.name}`)))
    .map(({ name }) => name)
    .sort();
}

/** `name`: "t7508" or a file name. */
export function suiteFile(gitSource: string, name: string): string {
  const files = readdirSync(join(gitSource, 't')).filter((file) => file.endsWith('.sh'));
  const found = files.find((file) => file === name || file.startsWith(`${name}-`));
  if (found === undefined) throw new Error(`git's t/ has no script ${name}`);
  return found;
}

export async function runSuite(file: string, options: SuiteOptions): Promise<SuiteRun> {
  // Short: a socket path below it may have at most 107 bytes.
  const directory = mkdtempSync(join(realpathSync(tmpdir()), 'rg-t-'));
  const output = join(directory, 'output');
  const state = join(directory, 'state');
  const log = join(directory, 'tap');
  for (const path of [output, state, join(directory, 'run')]) mkdirSync(path, { mode: 0o700 });
  writeFileSync(log, '');
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    TEST_OUTPUT_DIRECTORY: output,
    TEST_NO_MALLOC_CHECK: '1',
    GIT_TEST_CHAIN_LINT: '0',
    XDG_RUNTIME_DIR: join(directory, 'run'),
    TMPDIR: directory,
  };
  const { answerer, gitSource, monitor } = options;
  if (answerer) {
    const wrappers = join(gitSource, 'bin-wrappers');
    env.GIT_TEST_INSTALLED = join(directory, 'front');
    const settings = { ...answerer, realGit: join(wrappers, 'git'), log, state };
    installFront(env.GIT_TEST_INSTALLED, settings, wrappers);
  }
  if (monitor !== undefined) {
    mkdirSync(join(state, 'servers'));
    env.GIT_TEST_FSMONITOR = join(__dirname, 'monitor-hook');
    env.MONITOR_PROGRAM = monitor;
    env.MONITOR_STATE = state;
  }
  try {
    await runScript(join(gitSource, 't'), [`./${file}`, ...(options.arguments ?? [])], env, log);
  } finally {
    const program = answerer?.program ?? monitor;
    if (program !== undefined) endServers(join(state, 'servers'), program);
  }
  const report = parseReport(readFileSync(log, 'latin1'));
  const found = join(state, 'differences');
  const differences = existsSync(found) ? readFileSync(found, 'latin1') : '';
  const answers = join(state, 'answers');
  const hookAnswers = existsSync(answers) ? readFileSync(answers).length : 0;
  if (options.keep) return { report, differences, hookAnswers, kept: directory };
  forceRemove(directory);
  return { report, differences, hookAnswers };
}

/** Output goes to a file, not a pipe: it stays in order with the front's lines. */
function runScript(cwd: string, command: string[], env: NodeJS.ProcessEnv, log: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const out = openSync(log, 'a');
    const child = spawn('/bin/sh', command, { cwd, env, stdio: ['ignore', out, out], timeout: timeoutMs });
    closeSync(out);
    child.once('error', reject);
    child.once('exit', () => resolve());
  });
}

function endServers(directory: string, program: string): void {
  if (!existsSync(directory)) return;
  for (const name of readdirSync(directory)) {
    const pid = Number(readFileSync(join(directory, name, 'pid'), 'latin1'));
    // The server of a removed worktree has ended, and another process may have its id.
    if (executableOf(pid) === realpathSync(program)) process.kill(pid, 'SIGTERM');
  }
}

function executableOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/exe`);
  } catch {
    return undefined;
  }
}
