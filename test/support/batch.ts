/**
 * Runs lists of commands: the lists in parallel, the commands of a list in order. A batch is one request to
 * the spawner. It starts programs much faster than Node, with arguments and directories of any bytes.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Bytes } from './bytes';
import { type RunResult, TimeoutError } from './run';
import { runProgram } from './spawner';

export interface Command {
  /** The program's absolute path, and its arguments. */
  words: readonly Bytes[];
  cwd: Bytes;
  /** Variables beside those of the batch. */
  env?: Readonly<Record<string, string>>;
}

export interface BatchOptions {
  env: NodeJS.ProcessEnv;
  /** A file that gets a line `@<number>` after each command of the first list. */
  markIn?: string;
  /**
   * Promises that nothing changes during the batch. The answers of git are cached in a new directory in this
   * one: a command need not ask git what another command asked.
   */
  keepAnswersIn?: string;
  timeoutMs?: number;
}

/** Fields that end in NUL, for native/testing/batch.h. */
function fieldsOf(lists: readonly (readonly Command[])[], markIn: string): Bytes {
  const fields: (Bytes | number)[] = [markIn, lists.length];
  for (const commands of lists) {
    fields.push(commands.length);
    for (const { words, cwd, env } of commands) {
      const variables = Object.entries(env ?? {}).map(([name, value]) => `${name}=${value}`);
      fields.push(cwd, variables.length, ...variables, words.length, ...words);
    }
  }
  return fields.map((field) => `${field}\0`).join('');
}

/** Results in the order of the lists and of their commands. */
export function runBatch(lists: readonly (readonly Command[])[], options: BatchOptions): RunResult[][] {
  const { markIn = '', keepAnswersIn, timeoutMs = 120_000 } = options;
  const answers = keepAnswersIn === undefined ? undefined : mkdtempSync(join(keepAnswersIn, 'answers-'));
  const withAnswers = (command: Command): Command =>
    answers === undefined ? command : { ...command, env: { ...command.env, RESIDENT_SPY_ANSWERS: answers } };
  const all = lists.map((commands, number) => (number === 0 ? commands.map(withAnswers) : commands));
  const runner = runProgram({
    words: [],
    cwd: '/',
    env: options.env,
    input: Buffer.from(fieldsOf(all, markIn), 'latin1'),
    timeoutMs,
  });
  if (answers !== undefined) removeAnswers(answers);
  const results = resultsIn(runner.stdout, lists.length);
  if (runner.how === 'late') {
    const hanging = lists.flatMap((commands, number) => commands[results[number]?.length ?? 0] ?? []);
    const named = hanging.map(({ words, cwd }) => `${words.join(' ')} (in ${cwd})`);
    throw new TimeoutError(`no end within ${timeoutMs} ms: ${named.join(', ')}`);
  }
  const isWhole = lists.every((commands, number) => commands.length === results[number]?.length);
  if (runner.how === 'failed' || runner.code !== 0 || !isWhole)
    throw new Error(`a batch ended early: ${runner.stderr.toString()}`);
  return results;
}

/** A git that outlived its command can still write a cached answer: retry the removal. */
function removeAnswers(folder: string): void {
  for (let tries = 0; tries < 100; tries++) {
    try {
      rmSync(folder, { recursive: true, force: true });
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
    }
  }
}

/** Parses the spawner's output so far: each command has a line, its output and its standard error. */
function resultsIn(told: Buffer, listCount: number): RunResult[][] {
  const results: RunResult[][] = Array.from({ length: listCount }, () => []);
  let at = 0;
  for (let end = told.indexOf('\n', at); end >= 0; end = told.indexOf('\n', at)) {
    const head = told.toString('latin1', at, end).split(' ').map(Number);
    const [list = 0, number = 0, code = 0, outLength = 0, errLength = 0] = head;
    const [out, err] = [end + 1, end + 1 + outLength];
    at = err + errLength;
    if (at > told.length) break;
    (results[list] ?? [])[number] = {
      code,
      stdout: told.subarray(out, err),
      stderr: told.subarray(err, at),
    };
  }
  return results;
}
