/**
 * Damaged git files in CI. CONFORMANCE_DAMAGE_SEEDS sets the number of repositories, CONFORMANCE_DAMAGES the
 * damages of each.
 */
import { strict as assert } from 'node:assert';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { damaged, damageKinds, describeDamage, drawDamage } from './damage/damages';
import { runDamageSeeds } from './damage/pool';
import { showDamageFailure, showDamageSummary } from './damage/report';
import { runDamages } from './damage/run';
import { Prng } from './random/prng';

const seedCount = Number(process.env.CONFORMANCE_DAMAGE_SEEDS ?? 30);
const damages = Number(process.env.CONFORMANCE_DAMAGES ?? 12);
const options = { damages, only: [], keep: false };

describe(`damaged files of git's (${seedCount} repositories, ${damages} damages each)`, function () {
  this.timeout(600_000);
  this.slow(120_000);

  it('an answer is that of git, whatever file is damaged', async () => {
    const seeds = Array.from({ length: seedCount }, (_, i) => i + 1);
    const results = await runDamageSeeds(seeds, availableParallelism() + 1, options, () => {});
    console.log(showDamageSummary(results));
    const failed = results.filter(({ failure }) => failure);
    const [told] = failed;
    assert.ok(
      !told,
      `${failed.length} repositories failed: ${failed.map(({ seed }) => seed).join(' ')}\n` +
        (told ? showDamageFailure(told, damages) : ''),
    );
  });
});

describe('the damages themselves', function () {
  this.timeout(120_000);

  it('are of every kind, change the content, and are told exactly', () => {
    const content = 'a line\nanother\n'.repeat(9);
    const met = new Set<string>();
    for (let seed = 1; seed <= 300; seed++) {
      const damage = drawDamage(new Prng(seed), content);
      if (!damage) continue;
      met.add(damage.kind);
      assert.notEqual(damaged(content, damage), content);
      assert.match(describeDamage(damage, content), /at \d+ of 135 bytes became /);
      assert.deepEqual(drawDamage(new Prng(seed), content), damage);
    }
    assert.deepEqual([...met].sort(), [...damageKinds].sort());
  });

  it('find out a program that drops an entry', async () => {
    const binary = process.env.RESIDENT_BINARY;
    process.env.RESIDENT_BINARY = join(__dirname, 'programs', 'drops-an-entry');
    try {
      const result = await runDamages(1, { ...options, damages: 1 });
      assert.match(result.failure?.reason ?? '', /differs from git/);
    } finally {
      if (binary === undefined) delete process.env.RESIDENT_BINARY;
      else process.env.RESIDENT_BINARY = binary;
    }
  });
});
