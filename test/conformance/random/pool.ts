/** Runs seeds in worker processes, each taking the next seed when it has finished one. */
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { Source } from '../disagreement';
import { runSeed, type SeedResult } from './seed';

/** `SeedOptions` as JSON carries them. */
export interface PoolOptions {
  operations: number;
  skip: number[];
  keep: boolean;
  sources: Source[];
}

interface Task {
  seed: number;
  options: PoolOptions;
}

export function runTask({ seed, options }: Task): Promise<SeedResult> {
  return runSeed(seed, { ...options, skip: new Set(options.skip) });
}

/** Results by seed. After `stop` no seed is begun any more. */
export async function runSeeds(
  seeds: readonly number[],
  jobs: number,
  options: PoolOptions,
  onResult: (result: SeedResult) => void,
  stop?: AbortSignal,
): Promise<SeedResult[]> {
  const waiting = [...seeds];
  stop?.addEventListener('abort', () => waiting.splice(0));
  const results: SeedResult[] = [];
  const work = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const worker: ChildProcess = fork(join(__dirname, 'worker.ts'), { execArgv: ['--import', 'tsx'] });
      const next = (): void => {
        const seed = waiting.shift();
        if (seed === undefined) worker.disconnect();
        else worker.send({ seed, options } satisfies Task);
      };
      worker.on('message', (result: SeedResult) => {
        results.push(result);
        onResult(result);
        next();
      });
      worker.once('error', reject);
      worker.once('exit', (code, signal) => {
        if (code === 0) resolve();
        else reject(new Error(`a worker ended with ${signal ?? `exit code ${code}`}`));
      });
      next();
    });
  await Promise.all(Array.from({ length: Math.min(jobs, seeds.length) }, work));
  return results.sort((left, right) => left.seed - right.seed);
}
