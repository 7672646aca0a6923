/** Delay of unrequested reports of changes through `git-resident watch`, and their cost. */
import { spawn } from 'node:child_process';
import { closeSync, openSync, readdirSync, statSync, truncateSync, utimesSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { processorTimeOf } from '../../support/gauges';

export interface Told {
  milliseconds: number[];
  /** Share of one core used by the process that keeps the worktree. */
  share: number;
}

interface Line {
  changed?: { path: string }[];
  removed?: string[];
}

/**
 * Counts descriptors of all threads, which may have separate tables. Skips a thread that ends; throws if the
 * process ended.
 */
function openFilesOf(pid: number): number {
  const threads = `/proc/${pid}/task`;
  const openFilesOfThread = (thread: string): number => {
    try {
      return readdirSync(`${threads}/${thread}/fd`).length;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
      throw error;
    }
  };
  return readdirSync(threads).reduce((sum, thread) => sum + openFilesOfThread(thread), 0);
}

/** Waits until the process opens no more files. */
async function settled(pid: number): Promise<void> {
  for (let before = -1, now = openFilesOf(pid); now !== before; before = now, now = openFilesOf(pid)) {
    await pause(1500);
  }
}

export interface Asked {
  binary: string;
  env: NodeJS.ProcessEnv;
  worktree: string;
  /** The same directory by the path of the writer. */
  writtenBelow: string;
  /** Duration of the CPU measurement. */
  seconds: number;
}

/** Appends to each of `files` (paths from the root), and undoes it. `pid` keeps the worktree. */
export async function measureToldUnasked(pid: number, files: readonly string[], asked: Asked): Promise<Told> {
  const { binary, worktree, env, seconds } = asked;
  const child = spawn(binary, ['watch', '--json', worktree], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    const told = async (wanted: (line: Line) => boolean): Promise<void> => {
      for (;;) {
        const { value, done } = (await lines.next()) as IteratorResult<string, undefined>;
        if (done) throw new Error('git-resident watch ended');
        if (wanted(JSON.parse(value) as Line)) return;
      }
    };
    await told(() => true);
    await settled(pid);
    const milliseconds: number[] = [];
    const [cpu, begin] = [processorTimeOf(pid), performance.now()];
    for (const file of files) {
      const path = join(asked.writtenBelow, file);
      const { size, atimeMs, mtimeMs } = statSync(path);
      const before = performance.now();
      const descriptor = openSync(path, 'r+');
      writeSync(descriptor, 'edited', size);
      closeSync(descriptor);
      await told(({ changed }) => changed?.some((entry) => entry.path === file) ?? false);
      milliseconds.push(performance.now() - before);
      truncateSync(path, size);
      utimesSync(path, atimeMs / 1000, mtimeMs / 1000);
      await told(({ removed }) => removed?.includes(file) ?? false);
    }
    await pause(begin + seconds * 1000 - performance.now());
    const took = (performance.now() - begin) / 1000;
    return { milliseconds, share: (processorTimeOf(pid) - cpu) / took };
  } finally {
    child.kill('SIGKILL');
  }
}
