/** Runs a program to its end and returns what it said, as bytes. */
import { spawnSync } from 'node:child_process';

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

/** A program that did not end by itself in its time. */
export class TimeoutError extends Error {}

export function run(program: string, args: readonly string[], options: RunOptions): RunResult {
  const timeout = options.timeoutMs ?? 60_000;
  const child = spawnSync(program, args, {
    cwd: options.cwd,
    env: options.env,
    input: options.input ?? Buffer.alloc(0),
    maxBuffer: 1 << 30,
    timeout,
    killSignal: 'SIGKILL',
  });
  if (child.error) {
    const code = (child.error as NodeJS.ErrnoException).code;
    const words = [program, ...args].join(' ');
    if (code === 'ETIMEDOUT')
      throw new TimeoutError(`no end within ${timeout} ms: ${words} (in ${options.cwd})`);
    // A program may close its input before we have written it.
    if (code !== 'EPIPE') throw new Error(`cannot run ${words} in ${options.cwd}: ${child.error.message}`);
  }
  return {
    code: child.status ?? 128 + signalNumber(child.signal),
    stdout: child.stdout,
    stderr: child.stderr,
  };
}

function signalNumber(signal: NodeJS.Signals | null): number {
  const numbers: Partial<Record<NodeJS.Signals, number>> = {
    SIGABRT: 6,
    SIGKILL: 9,
    SIGSEGV: 11,
    SIGPIPE: 13,
    SIGTERM: 15,
  };
  return (signal && numbers[signal]) ?? 127;
}
