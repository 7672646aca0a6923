/**
 * Runs the random generator by hand.
 *
 *     npx tsx test/conformance/random.ts --seed N [--operations 30] [--skip 3,5] [--keep] [--minimize]
 *     npx tsx test/conformance/random.ts --seeds A..B [--jobs 2]
 *
 * SIGTERM ends a run early: running seeds are finished and reported.
 * - `--in DIR` makes the repositories there, such as on another file system.
 * - `--git DIR` uses the git of that directory, not the git on PATH.
 * - `--source scan|resident` asks only that source.
 *
 * Exits with 1 if an answer differs from git's.
 */
import { parseArgs } from 'node:util';
import { residentBinary } from '../support/binary';
import { oracleGit, oracleVersion, useGitOf } from '../support/oracle';
import type { Source } from './disagreement';
import { minimize } from './random/minimize';
import { numberOption, numbersOption, seedsOption } from './random/options';
import { type PoolOptions, runSeeds, runTask } from './random/pool';
import type { SeedResult } from './random/seed';
import { missingKinds, showFailure, showSummary, summarize } from './random/report';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    seeds: { type: 'string' },
    operations: { type: 'string', default: '30' },
    jobs: { type: 'string', default: '2' },
    skip: { type: 'string', default: '' },
    source: { type: 'string', default: 'both' },
    keep: { type: 'boolean', default: false },
    in: { type: 'string' },
    git: { type: 'string' },
    minimize: { type: 'boolean', default: false },
  },
});

function sourcesOf(name: string): Source[] {
  if (name === 'both') return ['resident', 'scan'];
  if (name === 'scan' || name === 'resident') return [name];
  throw new Error(`--source: scan, resident or both, not ${name}`);
}

async function main(): Promise<number> {
  const options: PoolOptions = {
    operations: numberOption(values.operations, '--operations'),
    skip: numbersOption(values.skip, '--skip'),
    keep: values.keep,
    sources: sourcesOf(values.source),
  };
  if (values.in !== undefined) options.in = values.in;
  if (values.git !== undefined) useGitOf(values.git);
  console.log(`asking git ${oracleVersion()}, ${oracleGit()}`);
  const seeds = seedsOption(values);
  // Fails once without a program, and not once per seed.
  residentBinary();
  const [only] = seeds;
  if (seeds.length === 1 && only !== undefined) {
    if (values.minimize) options.skip = await minimize(only, options);
    const result = await runTask({ seed: only, options });
    const summary = showSummary(summarize([result]));
    console.log(
      result.failure ? showFailure(result, options.operations, options.skip) : `seed ${only}\n${summary}`,
    );
    return result.failure ? 1 : 0;
  }
  let done = 0;
  const onResult = (result: SeedResult): void => {
    done++;
    if (result.failure) console.log(showFailure(result, options.operations, options.skip));
    else if (done % 50 === 0) console.log(`${done} of ${seeds.length} seeds`);
  };
  const stop = new AbortController();
  process.once('SIGTERM', () => stop.abort());
  const results = await runSeeds(seeds, numberOption(values.jobs, '--jobs'), options, onResult, stop.signal);
  const summary = summarize(results);
  console.log(showSummary(summary));
  const missing = missingKinds(summary);
  if (missing.length > 0) console.log(`never occurred: ${missing.join(', ')}`);
  const failed = summary.failures.map(({ seed }) => seed);
  if (failed.length > 0) console.log(`failed seeds: ${failed.join(' ')}`);
  return failed.length > 0 || missing.length > 0 ? 1 : 0;
}

void main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 2;
  },
);
