/** A worker process of `pool.ts`. */
import type { DamageTask } from './pool';
import { runDamages } from './run';

process.on('message', ({ seed, options }: DamageTask) => {
  void runDamages(seed, options).then((result) => process.send?.(result));
});
