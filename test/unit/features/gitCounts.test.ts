/** The exact number of git processes of an action. The number does not grow with the number of paths. */
import { strict as assert } from 'node:assert';
import { mkdirSync, writeFileSync } from 'node:fs';
import { checkoutBranchArguments } from '../../../extension/features/branches/plan';
import { discard, stage, unstage } from '../../../extension/features/changes/git';
import { commit } from '../../../extension/features/commit/git';
import { stashAndCheckout, stashPaths } from '../../../extension/features/stash/git';
import { parseStaged } from '../../support/staged';
import { Run } from '../../../extension/git/runGit';
import { Repository } from '../../support/repository';
import { Sandbox } from '../../support/sandbox';
import { runsWell } from '../support/runs';

const kMany = 10_000;
/** 200,000 paths take 13 s, including the writes. A quadratic comparison of 50,000 would take many minutes. */
const kHuge = 50_000;

describe('gits of an action', () => {
  let sandbox: Sandbox;
  let repository: Repository;
  let gits: string[];

  beforeEach(() => {
    sandbox = new Sandbox();
    repository = Repository.init(sandbox, 'r');
    repository.write('a', 'a\n');
    repository.commit('base');
    gits = [];
  });
  afterEach(() => {
    sandbox.remove();
  });

  const runWell = runsWell(() => repository);
  const run: Run = (command) => {
    gits.push(command.args.find((word) => /^[a-z][a-z-]+$/.test(word)) ?? '');
    return runWell(command);
  };
  function ran(...wanted: string[]): void {
    assert.deepEqual(gits, wanted);
    gits = [];
  }
  function make(count: number): string[] {
    const perFolder = 1000;
    const paths = Array.from({ length: count }, (_, i) => `d${Math.floor(i / perFolder)}/${i}`);
    for (let i = 0; i < count; i += perFolder) mkdirSync(`${repository.root}/d${i / perFolder}`);
    for (const path of paths) writeFileSync(`${repository.root}/${path}`, '');
    return paths;
  }
  const staged = () =>
    parseStaged(repository.ask('status', '--porcelain=v2', '-z', '--untracked-files=no').stdout);

  for (const count of [1, kMany]) {
    it(`${count} paths: one to stage, to unstage, to discard, to commit`, async () => {
      const paths = make(count);
      await stage(run, repository.root, { paths, deleted: [] });
      ran('update-index');
      assert.equal(staged().length, count);
      await unstage(run, staged());
      ran('update-index');
      assert.equal(staged().length, 0);
      await commit(run, repository.root, { options: {}, message: 'all', stageFirst: paths });
      ran('update-index', 'commit');
      for (const path of paths) writeFileSync(`${repository.root}/${path}`, 'x');
      const plan = { restore: paths, remove: [], forget: [], submodules: [], left: [] };
      await discard(run, repository.root, plan, () => Promise.resolve());
      ran('checkout-index');
      assert.equal(repository.git('status', '--porcelain'), '');
      await commit(run, repository.root, { options: { empty: true }, message: 'none', stageFirst: [] });
      ran('commit');
    });
  }

  it('two or three past changes that are in the way of a checkout, and one to stash rows', async () => {
    repository.git('branch', 'other');
    await stashAndCheckout(run, checkoutBranchArguments('other'), { migrates: true });
    ran('stash', 'checkout');
    repository.append('a', '1\n');
    await stashAndCheckout(run, checkoutBranchArguments('main'), { migrates: true });
    ran('stash', 'checkout', 'stash');
    await stashPaths(run, '', { paths: ['a'], untracked: false }, { staged: [] });
    ran('stash');
  });

  it(`stage and unstage ${kHuge} paths in seconds`, async () => {
    const paths = make(kHuge);
    const began = performance.now();
    await stage(run, repository.root, { paths, deleted: [] });
    const entries = staged();
    assert.equal(entries.length, kHuge);
    await unstage(run, entries);
    assert.equal(repository.git('ls-files').trim(), 'a');
    ran('update-index', 'update-index');
    const seconds = (performance.now() - began) / 1000;
    assert.ok(seconds < 60, `${seconds} s`);
  });
});
