/** Time from `write()` to the delta in the extension's model, through the built helper. */
import { appendFileSync, realpathSync, rmSync, truncateSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Repository as Model } from '../../extension/model/Repository';
import { HelperProcess } from './helperProcess';

const timeoutMs = 10_000;
const readyTimeoutMs = 300_000;

/** In milliseconds. */
export interface DeltaLatency {
  firstAnswer: number;
  edit: number[];
  create: number[];
  remove: number[];
}

/** Resolves at the first change of the model after which `holds` is true. */
function until(model: Model, holds: () => boolean, what: string, limitMs = timeoutMs): Promise<void> {
  if (holds()) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      subscription.dispose();
      reject(new Error(`not within ${limitMs} ms: ${what}; state ${JSON.stringify(model.state)}`));
    }, limitMs);
    const subscription = model.onDidChange(() => {
      if (!holds()) return;
      clearTimeout(timer);
      subscription.dispose();
      resolve();
    });
  });
}

/**
 * Edits each of `files` (tracked, unchanged, without duplicates), and makes and removes a file beside it.
 * Restores the contents afterwards, but not the stat data.
 */
export async function measureDeltaLatency(
  worktree: string,
  files: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<DeltaLatency> {
  const root = realpathSync(worktree);
  const model = new Model(root);
  const helper = await HelperProcess.start(env, (delta) => model.apply(delta));
  const result: DeltaLatency = { firstAnswer: NaN, edit: [], create: [], remove: [] };
  const sizes = new Map<string, number>();
  const measure = async (act: () => void, holds: () => boolean, what: string): Promise<number> => {
    const arrived = until(model, holds, what);
    const started = performance.now();
    act();
    await arrived;
    return performance.now() - started;
  };
  try {
    const started = performance.now();
    await helper.open(root);
    await until(model, () => model.verified, 'the first scan', readyTimeoutMs);
    result.firstAnswer = performance.now() - started;
    for (const [i, file] of files.entries()) {
      const made = join(dirname(file), `made${i}.tmp`);
      const has = (path: string) => () => model.entriesAt(path).length > 0;
      const absolute = join(root, file);
      sizes.set(absolute, statSync(absolute).size);
      result.edit.push(await measure(() => appendFileSync(absolute, '// edited\n'), has(file), file));
      result.create.push(await measure(() => writeFileSync(join(root, made), 'made\n'), has(made), made));
      result.remove.push(
        await measure(
          () => rmSync(join(root, made)),
          () => !has(made)(),
          made,
        ),
      );
    }
  } finally {
    for (const [path, size] of sizes) truncateSync(path, size);
    await helper.stop();
  }
  return result;
}

/** The smallest sample that is at least as large as the given share of samples. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.ceil(share * sorted.length) - 1] ?? NaN;
}
