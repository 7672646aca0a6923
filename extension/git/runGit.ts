/**
 * Runs git once, to its end. Does not know `vscode`.
 *
 * Each run has its own process group and session. Its child processes find no terminal for questions, and a
 * cancellation also reaches its hooks. A cancellation sends SIGTERM and never SIGKILL: git deletes its lock files only
 * after SIGTERM.
 */
import { spawn } from 'node:child_process';
import { EditorMode } from './environment';

/** The program to run, and its environment. */
export interface GitProgram {
  path: string;
  env: NodeJS.ProcessEnv;
}

export interface GitCommand {
  args: readonly string[];
  /** For git's standard input. Default: empty. */
  input?: Uint8Array;
  /** Keep the whole standard output. */
  keepsAll?: boolean;
  /** Limit for the standard output, in bytes: only its end is kept. */
  keeps?: number;
  /** Receives the standard output as it arrives. The result then has none. Must not throw. */
  onOutput?: (chunk: Buffer) => void;
  /** How to answer when git wants a message edited. Default: refuse. */
  editor?: EditorMode;
  /** A temporary index file for this command, in place of the repository's. */
  index?: string;
}

export interface GitResult {
  /** Undefined if a signal ended git. */
  code: number | undefined;
  /** The end of each output: at most `kKeptBytes`, or the command's own limit for stdout. */
  stdout: Buffer;
  stderr: Buffer;
  milliseconds: number;
  isCancelled: boolean;
}

/** Undefined if git failed or was cancelled. */
export type Run = (command: GitCommand) => Promise<GitResult | undefined>;

/** Runs git in the repository at `root`. Undefined: git may not run there. */
export type BackgroundRun = (
  root: string,
  command: GitCommand,
  signal: AbortSignal,
) => Promise<GitResult | undefined>;

const kKeptBytes = 1 << 20;

/** Rejects if the program cannot be started. */
export function runGit(
  { path, env }: GitProgram,
  cwd: string,
  { args, input, keepsAll = false, keeps = kKeptBytes, onOutput }: GitCommand,
  signal: AbortSignal,
): Promise<GitResult> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(path, args, { cwd, env, stdio: 'pipe', detached: true });
    const stdout = new Tail(keepsAll ? Infinity : keeps);
    const stderr = new Tail(kKeptBytes);
    child.stdout.on('data', (chunk: Buffer) => {
      if (onOutput === undefined) stdout.add(chunk);
      else onOutput(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderr.add(chunk);
    });
    const cancel = () => {
      if (child.pid === undefined) return;
      try {
        process.kill(-child.pid, 'SIGTERM');
      } catch {
        // The process has already ended.
      }
    };
    const settle = (code: number | null) => {
      signal.removeEventListener('abort', cancel);
      resolve({
        code: code ?? undefined,
        stdout: stdout.bytes,
        stderr: stderr.bytes,
        milliseconds: performance.now() - started,
        isCancelled: signal.aborted,
      });
    };
    child.once('error', (error) => {
      signal.removeEventListener('abort', cancel);
      reject(error);
    });
    child.once('close', settle);
    // A hook that outlives git can keep git's output open.
    child.once('exit', (code) => {
      if (signal.aborted) settle(code);
    });
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) cancel();
    // git may end before it has read all input.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}

/** The last bytes of a stream. */
class Tail {
  private chunks: Buffer[] = [];
  private size = 0;

  constructor(private readonly limit: number) {}

  add(chunk: Buffer): void {
    this.chunks.push(chunk);
    this.size += chunk.byteLength;
    if (this.size <= 2 * this.limit) return;
    this.chunks = [this.bytes];
    this.size = this.limit;
  }

  get bytes(): Buffer {
    const all = Buffer.concat(this.chunks);
    return all.byteLength > this.limit ? all.subarray(-this.limit) : all;
  }
}
