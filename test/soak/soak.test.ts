/** A short soak, and a check that it works. SOAK_SECONDS makes it longer; `npm run soak` is the full soak. */
import { strict as assert } from 'node:assert';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { forceRemove } from '../support/remove';
import { soak } from './soak';

const seconds = Number(process.env.SOAK_SECONDS ?? 10);
const short = { seconds, seed: 1, writers: 3, roundMs: 1000, atLeast: { settles: 2, done: 10 } };

describe(`soak (${seconds} s)`, function () {
  this.slow(60_000);

  it('answers every client as git does after every storm, and needs no more at its end', async () => {
    const result = await soak({ ...short, clients: true });
    assert.equal(result.failure, undefined, `${result.failure?.reason}, kept in ${result.failure?.kept}`);
  });

  it('finds out a program that answers what was true before', async () => {
    const binary = process.env.RESIDENT_BINARY;
    process.env.RESIDENT_BINARY = join(__dirname, '../conformance/programs/answers-stale');
    try {
      const { failure } = await soak(short);
      assert.match(failure?.reason ?? '', /differs from git/);
      const kept = failure?.kept ?? '';
      assert.ok(existsSync(join(kept, 'w/.git')), 'the worktree is kept');
      assert.ok(existsSync(join(kept, 'writer-0.log')), 'so is what was done');
      forceRemove(kept);
    } finally {
      if (binary === undefined) delete process.env.RESIDENT_BINARY;
      else process.env.RESIDENT_BINARY = binary;
    }
  });
});
