/**
 * Damages git files by hand.
 *
 *     npx tsx test/conformance/damage.ts --seed N [--damages 25] [--only 3,5] [--keep]
 *     npx tsx test/conformance/damage.ts --seeds A..B [--jobs 2]
 *
 * A failure names the file, the bytes and the way of writing. Exits with 1 if an answer differs from git's.
 */
import { parseArgs } from 'node:util';
import { residentBinary } from '../support/binary';
import { oracleGit, oracleVersion, useGitOf } from '../support/oracle';
import { runDamageSeeds } from './damage/pool';
import { showDamageFailure, showDamageSummary } from './damage/report';
import { numberOption, numbersOption, seedsOption } from './random/options';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    seeds: { type: 'string' },
    damages: { type: 'string', default: '25' },
    jobs: { type: 'string', default: '2' },
    only: { type: 'string', default: '' },
    git: { type: 'string' },
    keep: { type: 'boolean', default: false },
  },
});

async function main(): Promise<number> {
  const seeds = seedsOption(values);
  const options = {
    damages: numberOption(values.damages, '--damages'),
    only: numbersOption(values.only, '--only'),
    keep: values.keep,
  };
  if (values.git !== undefined) useGitOf(values.git);
  // Fails once without a program, and not once per seed.
  residentBinary();
  console.log(`asking git ${oracleVersion()}, ${oracleGit()}`);
  let done = 0;
  const results = await runDamageSeeds(seeds, numberOption(values.jobs, '--jobs'), options, (result) => {
    done++;
    if (result.failure) console.log(showDamageFailure(result, options.damages));
    else if (done % 20 === 0) console.log(`${done} of ${seeds.length} seeds`);
  });
  console.log(showDamageSummary(results));
  return results.some(({ failure }) => failure) ? 1 : 0;
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
