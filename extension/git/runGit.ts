/**
 * One run of git, to its end: its own process group and session, so that nothing it starts finds a terminal to ask at, and
 * that cancelling reaches its hooks too. Does not know `vscode`.
 *
 * Cancelling is SIGTERM and never SIGKILL: git removes its lock files on the first and leaves them on the second.
 */
import { spawn } from 'node:child_process';
import { EditorMode } from './environment';

/** What is run, and in which environment. */
export interface GitProgram {
  path: string;
  env: NodeJS.ProcessEnv;
}

export interface GitCommand {
  args: readonly string[];
  /** For its standard input, which is empty otherwise. */
  input?: Uint8Array;
  /** Everything that it says is kept. */
  keepsAll?: boolean;
  /** Of a longer output, so many bytes: the last. */
  keeps?: number;
  /** What becomes of a message that it wants edited; absent: that is refused. */
  editor?: EditorMode;
  /** A file that it takes for the index, and no other's. */
  index?: string;
}

export interface GitResult {
  /** Undefined where a signal ended it. */
  code: number | undefined;
  /** The last of each, at least `kKeptBytes` or what the command asks for. */
  stdout: Buffer;
  stderr: Buffer;
  milliseconds: number;
  isCancelled: boolean;
}

const kKeptBytes = 1 << 20;

/** Rejects where the program cannot be started. */
export function runGit(
  { path, env }: GitProgram,
  cwd: string,
  { args, input, keepsAll = false, keeps = kKeptBytes }: GitCommand,
  signal: AbortSignal,
): Promise<GitResult> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(path, args, { cwd, env, stdio: 'pipe', detached: true });
    const stdout = new Tail(keepsAll ? Infinity : keeps);
    const stderr = new Tail(kKeptBytes);
    child.stdout.on('data', (chunk: Buffer) => {
      stdout.add(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderr.add(chunk);
    });
    const cancel = () => {
      if (child.pid === undefined) return;
      try {
        process.kill(-child.pid, 'SIGTERM');
      } catch {
        // It has ended.
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
    // A hook that outlives git can hold its output open.
    child.once('exit', (code) => {
      if (signal.aborted) settle(code);
    });
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) cancel();
    // git may end before it has read everything.
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
