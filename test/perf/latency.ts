/**
 * How long it takes from `write()` to the delta in the extension's model: p50 and p99, in a repository of 50,000
 * files, through the built helper.
 *
 *     npm run test:perf [-- --files N --samples N]
 */
import { appendFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Repository as Model } from '../../extension/model/Repository';
import { Sandbox } from '../support/sandbox';
import { HelperProcess } from './helperProcess';
import { filesPerDirectory, makeLargeRepository, nameOf } from './largeRepository';

const timeoutMs = 10_000;
const readyTimeoutMs = 120_000;

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '50000' },
    samples: { type: 'string', default: '300' },
  },
});
const fileCount = Number(values.files);
const sampleCount = Number(values.samples);

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

class Samples {
  private readonly milliseconds: number[] = [];

  constructor(readonly name: string) {}

  /** Acts, and notes how long the model took to have it. */
  async measure(model: Model, act: () => void, holds: () => boolean): Promise<void> {
    const arrived = until(model, holds, this.name);
    const started = performance.now();
    act();
    await arrived;
    this.milliseconds.push(performance.now() - started);
  }

  toString(): string {
    const sorted = [...this.milliseconds].sort((a, b) => a - b);
    const at = (share: number): string => (sorted[Math.ceil(share * sorted.length) - 1] ?? NaN).toFixed(2);
    return `${this.name.padEnd(16)} p50 ${at(0.5)} ms   p99 ${at(0.99)} ms   max ${at(1)} ms   (${sorted.length} samples)`;
  }
}

async function main(): Promise<void> {
  const sandbox = new Sandbox();
  const repository = makeLargeRepository(sandbox, fileCount);
  const root = realpathSync(repository.root);
  const model = new Model(root);
  const helper = await HelperProcess.start(sandbox.env, (delta) => model.apply(delta));
  try {
    const started = performance.now();
    await helper.open(root);
    await until(model, () => model.verified, 'the first scan', readyTimeoutMs);
    console.log(`${fileCount} files: first answer after ${(performance.now() - started).toFixed(0)} ms`);

    const [edit, create, remove] = [
      new Samples('edit a file'),
      new Samples('create a file'),
      new Samples('remove a file'),
    ];
    for (let i = 0; i < sampleCount; i += 1) {
      // A stride that shares no divisor with the count visits directories in no order.
      const edited = nameOf((i * 7919) % fileCount);
      const made = `src/module${i % Math.ceil(fileCount / filesPerDirectory)}/made${i}.ts`;
      const has = (path: string) => () => model.entriesAt(path).length > 0;
      await edit.measure(model, () => appendFileSync(join(root, edited), '// edited\n'), has(edited));
      await create.measure(model, () => writeFileSync(join(root, made), 'made\n'), has(made));
      await remove.measure(
        model,
        () => rmSync(join(root, made)),
        () => !has(made)(),
      );
    }
    for (const samples of [edit, create, remove]) console.log(samples.toString());
  } finally {
    await helper.stop();
    sandbox.remove();
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
