/**
 * The random generator as a test. CONFORMANCE_SEEDS sets the number of seeds, CONFORMANCE_FIRST the first
 * seed, CONFORMANCE_OPERATIONS the length of each.
 *
 * A known seed finds no new fault; new seeds are for `random.ts` by hand. These seeds guard old findings:
 * there are enough to meet every kind of state. An interactive run has fewer.
 */
import { strict as assert } from 'node:assert';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { oracleVersion } from '../support/oracle';
import type { SeedResult } from './random/seed';
import { runSeeds, runTask } from './random/pool';
import { missingKinds, showFailure, showSummary, summarize } from './random/report';
import type { Source } from './disagreement';

const seedCount = Number(process.env.CONFORMANCE_SEEDS ?? 30);
/** With at least this many seeds, every kind of state must occur. */
const enoughForEveryKind = 200;
const firstSeed = Number(process.env.CONFORMANCE_FIRST ?? 1);
const lastSeed = firstSeed + seedCount - 1;
const operations = Number(process.env.CONFORMANCE_OPERATIONS ?? 20);
const jobs = availableParallelism() + 1;
const blockSize = 25;
/** Limit of extra seeds until every kind of state has occurred. */
const moreSeeds = 250;
const sources: Source[] = ['resident', 'scan'];
const options = { operations, skip: [], keep: false, sources };

describe(`random repositories beside git ${oracleVersion()} (${seedCount} seeds of ${operations} operations)`, function () {
  this.timeout(600_000);
  this.slow(120_000);
  const results: SeedResult[] = [];

  /** Asks about each of the seeds. Fails if an answer differs. */
  async function ask(first: number, last: number): Promise<void> {
    const seeds = Array.from({ length: last - first + 1 }, (_, i) => first + i);
    const block = await runSeeds(seeds, jobs, options, () => {});
    results.push(...block);
    const failures = block.filter(({ failure }) => failure);
    // Prints one failure in full and the others by number: most have the same cause.
    const [told] = failures;
    assert.ok(
      !told,
      `${failures.length} of ${block.length} seeds failed: ${failures.map(({ seed }) => seed).join(' ')}\n` +
        (told ? showFailure(told, operations, []) : ''),
    );
  }

  for (let first = firstSeed; first <= lastSeed; first += blockSize) {
    const last = Math.min(first + blockSize - 1, lastSeed);
    it(`seeds ${first} to ${last}`, () => ask(first, last));
  }

  const itMeetsEveryKind = seedCount >= enoughForEveryKind ? it : (): void => undefined;
  itMeetsEveryKind('met every kind of state', async () => {
    // A rare kind of state gets extra seeds.
    const end = lastSeed + moreSeeds;
    for (let first = lastSeed + 1; first <= end && missingKinds(summarize(results)).length > 0;) {
      const last = Math.min(first + blockSize - 1, end);
      await ask(first, last);
      first = last + 1;
    }
    const summary = summarize(results);
    console.log(showSummary(summary));
    assert.deepEqual(missingKinds(summary), []);
  });
});

describe('the random generator itself', function () {
  this.timeout(120_000);
  const binary = process.env.RESIDENT_BINARY;

  async function runWith(program: string, seed: number): Promise<SeedResult> {
    process.env.RESIDENT_BINARY = join(__dirname, 'programs', program);
    try {
      return await runTask({ seed, options: { ...options, operations: 12 } });
    } finally {
      if (binary === undefined) delete process.env.RESIDENT_BINARY;
      else process.env.RESIDENT_BINARY = binary;
    }
  }

  it('does the same for the same seed', async () => {
    const [one, other] = [await runWith('drops-an-entry', 4), await runWith('drops-an-entry', 4)];
    assert.deepEqual(one.failure?.log, other.failure?.log);
    assert.deepEqual(one.kinds, other.kinds);
  });

  for (const program of ['drops-an-entry', 'answers-stale']) {
    it(`finds out a program that ${program.replaceAll('-', ' ')}`, async () => {
      const result = await runWith(program, 3);
      assert.ok(result.failure);
      assert.match(showFailure(result, 12, []), /random\.ts --seed 3 --operations 12 --keep$/);
      assert.match(result.failure.reason, /differs from git/);
    });
  }

  it('passes a program that is right', async () => {
    assert.equal((await runWith('forwards-to-git', 3)).failure, undefined);
  });
});
