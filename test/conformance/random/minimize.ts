/** Finds unnecessary operations of a failing seed. */
import { type PoolOptions, runTask } from './pool';

/** Numbers of operations that can be skipped together while the seed still fails. */
export async function minimize(seed: number, options: PoolOptions): Promise<number[]> {
  let skip = [...options.skip];
  const fails = async (without: number[]): Promise<number | undefined> => {
    const { failure } = await runTask({ seed, options: { ...options, keep: false, skip: without } });
    if (!failure) return undefined;
    const last = failure.log.at(-1) ?? '';
    return Number(/^(\d+):/.exec(last)?.[1] ?? 0);
  };
  let last = await fails(skip);
  if (last === undefined) return skip;
  for (let size = 8; size >= 1; size = size >> 1) {
    for (let from = last; from >= 1; from -= size) {
      const more = Array.from({ length: Math.min(size, from) }, (_, i) => from - i).filter(
        (n) => !skip.includes(n),
      );
      if (more.length === 0) continue;
      const failed: number | undefined = await fails([...skip, ...more]);
      if (failed === undefined) continue;
      skip = [...skip, ...more];
      last = Math.min(last, failed);
    }
  }
  return skip.sort((left, right) => left - right);
}
