/** Runs a program to its end and returns its output as bytes. */
import { runProgram } from './spawner';

export interface RunResult {
  /** Exit code, or 128 + signal number as a shell reports it. */
  code: number;
  stdout: Buffer;
  stderr: Buffer;
}

export interface RunOptions {
  cwd: string;
  env: NodeJS.ProcessEnv;
  input?: Buffer;
  timeoutMs?: number;
}

/** A program that was killed at its time limit. */
export class TimeoutError extends Error {}

export function run(program: string, args: readonly string[], options: RunOptions): RunResult {
  const { cwd, env, input = Buffer.alloc(0), timeoutMs = 60_000 } = options;
  const words = [program, ...args];
  const { how, ...result } = runProgram({ words, cwd, env, input, timeoutMs });
  if (how === 'late') throw new TimeoutError(`no end within ${timeoutMs} ms: ${words.join(' ')} (in ${cwd})`);
  if (how === 'failed')
    throw new Error(`cannot run ${words.join(' ')} in ${cwd}: ${result.stderr.toString()}`);
  return result;
}
