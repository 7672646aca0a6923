/**
 * Lists of commands side by side, those of each list one after another, for the price of one process of Node's:
 * a shell forks in a fraction of the time, and passes arguments and directories of any bytes.
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
  /** A file that gets a line `@<number>` after each command of the first list. */
  markIn?: string;
  timeoutMs?: number;
}

const quoted = (word: Bytes): Bytes => `'${word.replaceAll("'", `'\\''`)}'`;

/** `$o` is where the outputs go, with the beginning of their names. */
function lineOf(command: Command, number: number, markIn: string | undefined): Bytes {
  const env = Object.entries(command.env ?? {}).map(([name, value]) => `${name}=${quoted(value)} `);
  const words = command.words.map(quoted).join(' ');
  const mark = markIn === undefined ? '' : `; echo @${number} >>${quoted(markIn)}`;
  const output = `"$o"${number}`;
  // A directory that is gone is a failure of the command, as it is for the shell of a person.
  return (
    `if cd ${quoted(command.cwd)} >${output}.out 2>${output}.err; then ` +
    `${env.join('')}${words} >${output}.out 2>${output}.err </dev/null; echo $? >>"$o"codes; ` +
    `else echo 2 >>"$o"codes; fi${mark}`
  );
}

/** Results in the order of the lists and of their commands. */
export function runBatch(lists: readonly (readonly Command[])[], options: BatchOptions): RunResult[][] {
  const directory = mkdtempSync(join(options.scratch, 'batch-'));
  const outputs = lists.map((_, number) => join(directory, `${number}-`));
  const timeout = options.timeoutMs ?? 120_000;
  const scripts = lists.map((commands, number) => {
    const lines = commands.map((command, i) => lineOf(command, i, number === 0 ? options.markIn : undefined));
    return `(\no=${quoted(outputs[number] ?? '')}\n${lines.join('\n')}\n) &\n`;
  });
  const shell = spawnSync('/bin/sh', ['-s'], {
    cwd: directory,
    env: options.env,
    input: Buffer.from(`${scripts.join('')}wait\n`, 'latin1'),
    timeout,
    killSignal: 'SIGKILL',
    // A process group of its own, so that a command that hangs ends with its shell.
    detached: true,
  } as Parameters<typeof spawnSync>[2]);
  try {
    if (shell.error) {
      if (shell.pid > 0) killGroup(shell.pid);
      if ((shell.error as NodeJS.ErrnoException).code !== 'ETIMEDOUT') throw shell.error;
      const hanging = lists.flatMap((commands, number) => commands[codesIn(outputs[number]).length] ?? []);
      const named = hanging.map(({ words, cwd }) => `${words.join(' ')} (in ${cwd})`);
      throw new TimeoutError(`no end within ${timeout} ms: ${named.join(', ')}`);
    }
    return lists.map((commands, number) => {
      const codes = codesIn(outputs[number]);
      if (codes.length !== commands.length) throw new Error(`a batch ended early: ${String(shell.stderr)}`);
      return codes.map((code, i) => ({
        code,
        stdout: readFileSync(`${outputs[number]}${i}.out`),
        stderr: readFileSync(`${outputs[number]}${i}.err`),
      }));
    });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function codesIn(output = ''): number[] {
  const path = `${output}codes`;
  return existsSync(path) ? readFileSync(path, 'latin1').split('\n').filter(Boolean).map(Number) : [];
}

function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
