/** Runs seeds of damages in worker processes. */
import { join } from 'node:path';
import { runInWorkers } from '../random/workers';
import type { DamageOptions, DamageResult } from './run';

export interface DamageTask {
  seed: number;
  options: DamageOptions;
}

/** Results by seed. */
export async function runDamageSeeds(
  seeds: readonly number[],
  jobs: number,
  options: DamageOptions,
  onResult: (result: DamageResult) => void,
): Promise<DamageResult[]> {
  const tasks: DamageTask[] = seeds.map((seed) => ({ seed, options }));
  const script = join(__dirname, 'worker.ts');
  const results = await runInWorkers<DamageResult>(script, tasks, jobs, onResult);
  return results.sort((left, right) => left.seed - right.seed);
}
