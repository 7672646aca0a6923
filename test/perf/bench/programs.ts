/** The measuring programs of native/bench, and strace, as functions. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { run } from '../../support/run';
import type { SystemCalls } from './result';

const programsDirectory = resolve(__dirname, '../../../native/build/release/bench');
const limitMs = 30 * 60_000;

export interface ProcessResult {
  milliseconds: number[];
  peakMb: number;
  minorFaults: number;
  userMs: number;
  systemMs: number;
}

/** Numbers and lists of numbers, by name. */
type Said = Record<string, number | number[]>;

const perMillisecond = 1e6;
const kbPerMb = 1024;

export function toMilliseconds(nanoseconds: number | number[] | undefined): number[] {
  const list = typeof nanoseconds === 'number' ? [nanoseconds] : (nanoseconds ?? []);
  return list.map((value) => value / perMillisecond);
}

export function toMb(kb: number | number[] | undefined): number {
  return typeof kb === 'number' ? kb / kbPerMb : NaN;
}

function pathOf(program: string): string {
  const path = join(programsDirectory, `bench_${program}`);
  if (!existsSync(path)) throw new Error(`no ${path}: run "node .dev/build.mjs bench"`);
  return path;
}

export class Programs {
  constructor(private readonly env: NodeJS.ProcessEnv) {}

  /** A hook that does nothing; git can run it as a monitor. */
  get idleHook(): string {
    return pathOf('hook');
  }

  generate(shape: string, folder: string): void {
    this.call('generate', [shape, folder]);
  }

  floor(work: 'hot' | 'cold' | 'watch' | 'index', path: string, count: number): Said {
    return this.ask('floor', [work, path, String(count)]);
  }

  core(row: string, ...args: (string | number)[]): Said {
    return this.coreIn({}, row, ...args);
  }

  /** Adds these variables to the environment of all programs. */
  coreIn(env: NodeJS.ProcessEnv, row: string, ...args: (string | number)[]): Said {
    return this.ask('core', [row, ...args.map(String)], { env });
  }

  /** Runs a command `repeat` times in a row. */
  once(command: readonly string[], options: RunIn & { repeat?: number }): ProcessResult {
    const args = ['once', String(options.repeat ?? 1), options.output ?? '/dev/null', ...command];
    const said = this.ask('process', args, options);
    return {
      milliseconds: toMilliseconds(said.ns),
      peakMb: toMb(said.peakKb),
      minorFaults: Number(said.minorFaults),
      userMs: Number(said.userUs) / 1000,
      systemMs: Number(said.systemUs) / 1000,
    };
  }

  /** Runs a command until it has printed a line, then ends it. */
  ready(
    command: readonly string[],
    options: RunIn,
  ): { milliseconds: number[]; residentMb: number; peakMb: number } {
    const said = this.ask('process', ['ready', ...command], options);
    return {
      milliseconds: toMilliseconds(said.ns),
      residentMb: toMb(said.residentKb),
      peakMb: toMb(said.peakKb),
    };
  }

  private ask(program: string, args: string[], options: Partial<RunIn> = {}): Said {
    return JSON.parse(this.call(program, args, options)) as Said;
  }

  private call(program: string, args: string[], options: Partial<RunIn> = {}): string {
    const path = pathOf(program);
    const { cwd = '/', env = {} } = options;
    const result = run(path, args, { cwd, env: { ...this.env, ...env }, timeoutMs: limitMs });
    if (result.code === 0) return result.stdout.toString('utf8');
    throw new Error(`bench_${program} ${args.join(' ')}:\n${result.stderr.toString('utf8')}`);
  }
}

export interface RunIn {
  cwd: string;
  env?: NodeJS.ProcessEnv;
  /** Receives the command's output; default: discarded. */
  output?: string;
}

const maxNames = 8;

/** The summary table of `strace -c`. */
export function parseSystemCalls(table: string): SystemCalls {
  const counts: [string, number][] = [];
  for (const line of table.split('\n')) {
    // % time, seconds, usecs/call, calls, [errors,] syscall
    const found = /^\s*[\d.]+\s+[\d.]+\s+\d+\s+(\d+)(?:\s+\d+)?\s+(\w+)$/.exec(line);
    const [, count, name] = found ?? [];
    if (count !== undefined && name !== undefined && name !== 'total') counts.push([name, Number(count)]);
  }
  counts.sort(([, a], [, b]) => b - a);
  return {
    total: counts.reduce((total, [, count]) => total + count, 0),
    byName: Object.fromEntries(counts.slice(0, maxNames)),
  };
}

export function hasStrace(): boolean {
  return spawnSync('strace', ['-V'], { stdio: 'ignore' }).status === 0;
}

/** System calls of one run of a command and its children; undefined if strace is not permitted. */
export function countSystemCalls(
  command: readonly string[],
  options: RunIn & { scratch: string },
): SystemCalls | undefined {
  const args = ['-f', '-c', '-o', options.scratch, ...command];
  const env = { ...process.env, ...options.env };
  const ended = spawnSync('strace', args, { cwd: options.cwd, env, stdio: 'ignore', timeout: limitMs });
  return ended.status === 0 ? parseSystemCalls(readFileSync(options.scratch, 'utf8')) : undefined;
}

/** System calls of a running process during `act`; undefined if strace is not permitted. */
export async function systemCallsDuring(
  pid: number,
  scratch: string,
  act: () => void,
): Promise<SystemCalls | undefined> {
  const child = spawn('strace', ['-f', '-c', '-o', scratch, '-p', String(pid)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  const attached = await new Promise<boolean>((settle) => {
    child.stderr.on('data', (chunk: Buffer) => {
      if (chunk.includes('attached')) settle(true);
    });
    child.once('exit', () => settle(false));
    child.once('error', () => settle(false));
  });
  if (!attached) return undefined;
  act();
  child.kill('SIGINT');
  await ended;
  return parseSystemCalls(readFileSync(scratch, 'utf8'));
}
