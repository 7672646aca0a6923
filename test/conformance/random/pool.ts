/** Runs seeds in worker processes. */
import { join } from 'node:path';
import type { Source } from '../disagreement';
import { runSeed, type SeedResult } from './seed';
import { runInWorkers } from './workers';

/** `SeedOptions` as JSON. */
export interface PoolOptions {
  operations: number;
  skip: number[];
  keep: boolean;
  sources: Source[];
  in?: string;
}

interface Task {
  seed: number;
  options: PoolOptions;
}

export function runTask({ seed, options }: Task): Promise<SeedResult> {
  return runSeed(seed, { ...options, skip: new Set(options.skip) });
}

/** Results by seed. After `stop` no new seed starts. */
export async function runSeeds(
  seeds: readonly number[],
  jobs: number,
  options: PoolOptions,
  onResult: (result: SeedResult) => void,
  stop?: AbortSignal,
): Promise<SeedResult[]> {
  const tasks: Task[] = seeds.map((seed) => ({ seed, options }));
  const script = join(__dirname, 'worker.ts');
  const results = await runInWorkers<SeedResult>(script, tasks, jobs, onResult, stop);
  return results.sort((left, right) => left.seed - right.seed);
}
