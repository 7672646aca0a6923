/**
 * Starts programs and waits for their end. Node's process has much memory: its fork costs several times a
 * small program's run time. native/testing/spawner.cc starts once, and starts the programs instead.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testProgram } from './binary';

export interface Start {
  /** The program and its arguments; empty for a batch (batch.ts), whose fields are the input. */
  words: readonly string[];
  cwd: string;
  /** The whole environment. */
  env: NodeJS.ProcessEnv;
  input: Uint8Array;
  timeoutMs: number;
}

export interface Ending {
  /** `failed`: could not be started, see `stderr`. `late`: killed at its time limit. */
  how: 'ended' | 'late' | 'failed';
  /** Exit code in the convention of a shell. */
  code: number;
  stdout: Buffer;
  stderr: Buffer;
}

class Spawner {
  private readonly requests: number;
  private readonly replies: number;

  constructor() {
    const folder = mkdtempSync(join(tmpdir(), 'rg-spawner-'));
    const pipes = ['requests', 'replies'].map((name) => join(folder, name)) as [string, string];
    try {
      if (spawnSync('mkfifo', pipes).status !== 0) throw new Error(`no pipes in ${folder}`);
      const spawner = spawn(testProgram('spawner'), pipes, { stdio: ['ignore', 'ignore', 'inherit'] });
      spawner.on('error', () => undefined).unref();
      if (spawner.pid === undefined) throw new Error(`cannot run ${spawner.spawnfile}: run "npm run build"`);
      // Opening a pipe blocks until the other end is open.
      this.requests = openSync(pipes[0], 'w');
      this.replies = openSync(pipes[1], 'r');
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  run({ words, cwd, env, input, timeoutMs }: Start): Ending {
    const variables = Object.entries(env).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}=${value}`],
    );
    const fields = [cwd, timeoutMs, variables.length, ...variables, words.length, ...words];
    const head = Buffer.from(fields.map((field) => `${field}\0`).join(''));
    this.write(Buffer.concat([Buffer.from(`${head.length + input.length}\n`), head, input]));
    return this.readEnding();
  }

  private write(bytes: Buffer): void {
    for (let at = 0; at < bytes.length;) at += writeSync(this.requests, bytes, at);
  }

  private readEnding(): Ending {
    const first = Buffer.alloc(1 << 16);
    let count = 0;
    let lineEnd = -1;
    while (lineEnd < 0) {
      count += this.read(first, count);
      lineEnd = first.subarray(0, count).indexOf('\n');
    }
    const [how = '', ...numbers] = first.toString('latin1', 0, lineEnd).split(' ');
    const [code = 0, outLength = 0, errLength = 0] = numbers.map(Number);
    const said = Buffer.alloc(outLength + errLength);
    let at = first.copy(said, 0, lineEnd + 1, count);
    while (at < said.length) at += this.read(said, at);
    return {
      how: how as Ending['how'],
      code,
      stdout: said.subarray(0, outLength),
      stderr: said.subarray(outLength),
    };
  }

  private read(into: Buffer, at: number): number {
    const count = readSync(this.replies, into, at, into.length - at, null);
    if (count === 0) throw new Error('the spawner has ended');
    return count;
  }
}

let spawner: Spawner | undefined;

export function runProgram(start: Start): Ending {
  return (spawner ??= new Spawner()).run(start);
}
