/**
 * Several commands one after another, for the price of one process of Node's: a shell forks in a fraction of
 * the time, and passes arguments and directories of any bytes.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Bytes } from './bytes';
import { type RunResult, TimeoutError } from './run';

export interface Command {
  /** The program, by its absolute path, and its arguments. */
  words: readonly Bytes[];
  cwd: Bytes;
  /** Variables beside those of the batch. */
  env?: Readonly<Record<string, string>>;
}

export interface BatchOptions {
  /** Where a directory for the outputs may be made. */
  scratch: string;
  env: NodeJS.ProcessEnv;
  /** A file that gets a line `@<number>` after each command. */
  markIn?: string;
  timeoutMs?: number;
}

const quoted = (word: Bytes): Bytes => `'${word.replaceAll("'", `'\\''`)}'`;

function lineOf(command: Command, number: number, markIn: string | undefined): Bytes {
  const env = Object.entries(command.env ?? {}).map(([name, value]) => `${name}=${quoted(value)} `);
  const words = command.words.map(quoted).join(' ');
  const mark = markIn === undefined ? '' : `; echo @${number} >>${quoted(markIn)}`;
  // A directory that is gone is a failure of the command, as it is for the shell of a person.
  return (
    `if cd ${quoted(command.cwd)} 2>"$o/${number}.err"; then ` +
    `${env.join('')}${words} >"$o/${number}.out" 2>"$o/${number}.err" </dev/null; echo $? >>"$o/codes"; ` +
    `else echo 2 >>"$o/codes"; fi${mark}`
  );
}

/** Results in the order of the commands. */
export function runBatch(commands: readonly Command[], options: BatchOptions): RunResult[] {
  if (commands.length === 0) return [];
  const directory = mkdtempSync(join(options.scratch, 'batch-'));
  const timeout = options.timeoutMs ?? 120_000;
  const script = commands.map((command, i) => lineOf(command, i, options.markIn)).join('\n');
  const shell = spawnSync('/bin/sh', ['-s'], {
    cwd: directory,
    env: options.env,
    input: Buffer.from(`o=${quoted(directory)}\n${script}\n`, 'latin1'),
    timeout,
    killSignal: 'SIGKILL',
    // A process group of its own, so that a command that hangs ends with its shell.
    detached: true,
  } as Parameters<typeof spawnSync>[2]);
  try {
    if (shell.error) {
      if (shell.pid > 0) killGroup(shell.pid);
      if ((shell.error as NodeJS.ErrnoException).code !== 'ETIMEDOUT') throw shell.error;
      const hanging = commands[codesIn(directory).length];
      throw new TimeoutError(`no end within ${timeout} ms: ${hanging?.words.join(' ')} (in ${hanging?.cwd})`);
    }
    const codes = codesIn(directory);
    if (codes.length !== commands.length) throw new Error(`a batch ended early: ${String(shell.stderr)}`);
    return codes.map((code, i) => ({
      code,
      stdout: outputOf(join(directory, `${i}.out`)),
      stderr: outputOf(join(directory, `${i}.err`)),
    }));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function outputOf(path: string): Buffer {
  return existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
}

function codesIn(directory: string): number[] {
  const path = join(directory, 'codes');
  return existsSync(path) ? readFileSync(path, 'latin1').split('\n').filter(Boolean).map(Number) : [];
}

function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
