/**
 * Measures the time from `write()` to the delta in the extension's model: p50 and p99, in a repository of
 * 50,000 files, through the built helper.
 *
 *     npm run test:perf [-- --files N --samples N]
 */
import { parseArgs } from 'node:util';
import { Sandbox } from '../support/sandbox';
import { measureDeltaLatency, percentile } from './deltaLatency';
import { makeLargeRepository, nameOf } from './largeRepository';

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '50000' },
    samples: { type: 'string', default: '300' },
  },
});
const fileCount = Number(values.files);
const sampleCount = Number(values.samples);

function print(name: string, samples: readonly number[]): void {
  const at = (share: number): string => percentile(samples, share).toFixed(2);
  console.log(
    `${name.padEnd(16)} p50 ${at(0.5)} ms   p99 ${at(0.99)} ms   max ${at(1)} ms   (${samples.length} samples)`,
  );
}

async function main(): Promise<void> {
  const sandbox = new Sandbox();
  try {
    const { root } = makeLargeRepository(sandbox, fileCount);
    // A stride without a common divisor with the count visits directories in no order.
    const files = Array.from({ length: sampleCount }, (_, i) => nameOf((i * 7919) % fileCount));
    const latency = await measureDeltaLatency(root, files, sandbox.env);
    console.log(`${fileCount} files: first answer after ${latency.firstAnswer.toFixed(0)} ms`);
    print('edit a file', latency.edit);
    print('create a file', latency.create);
    print('remove a file', latency.remove);
  } finally {
    sandbox.remove();
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
