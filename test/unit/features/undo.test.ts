/** Brings back amended or undone commits, rebased or deleted branches and dropped stashes; compared with git. */
import { strict as assert } from 'node:assert';
import { parseBranchConfig, restoreBranch } from '../../../extension/features/branches/git';
import { commit, lastCommit, undoCommit } from '../../../extension/features/commit/git';
import { withSubject } from '../../../extension/features/commit/plan';
import { accept, restoreReplaced } from '../../../extension/features/conflicts/git';
import { dropAllStashes, storeStashes, takeStash } from '../../../extension/features/stash/git';
import { kListStashes, parseStashes } from '../../../extension/features/stash/plan';
import { headOid, moveHeadBack } from '../../../extension/git/headMove';
import { parsePorcelain } from '../../../extension/git/porcelain';
import { Repository } from '../../support/repository';
import { Sandbox } from '../../support/sandbox';
import { runs } from '../support/runs';

describe('undo, beside git', () => {
  let sandbox: Sandbox;
  let repository: Repository;

  beforeEach(() => {
    sandbox = new Sandbox();
    repository = Repository.init(sandbox, 'r');
    repository.write('a', 'a\n');
    repository.commit('base');
  });
  afterEach(() => {
    sandbox.remove();
  });

  const run = runs(() => repository);
  const head = () => repository.git('rev-parse', 'HEAD').trim();
  const log = () => repository.git('log', '--format=%s').trimEnd().split('\n');
  const status = () => repository.git('status', '--porcelain');

  it('brings back a commit that was amended, and keeps what was staged', async () => {
    repository.write('a', 'more\n');
    const from = head();
    const request = { options: { amend: true, all: true }, message: 'amended', stageFirst: [] };
    assert.ok(await commit(run, repository.root, request));
    const to = head();
    assert.equal(await moveHeadBack(run, { from, to }, 'soft'), 'done');
    assert.deepEqual([head(), log(), status()], [from, ['base'], 'M  a\n']);
  });

  it('brings back a commit that was undone, also the first one', async () => {
    for (const commits of [1, 0]) {
      if (commits === 1) repository.commit('second');
      const from = head();
      const last = await lastCommit(run);
      assert.ok(last && (await undoCommit(run, last)));
      const to = await headOid(run);
      assert.ok(to !== undefined && to !== from);
      assert.equal(await moveHeadBack(run, { from, to }, 'soft'), 'done');
      assert.deepEqual([head(), status()], [from, '']);
      repository.git('reset', '-q', '--hard', 'HEAD');
      if (commits === 1) repository.git('reset', '-q', '--hard', 'HEAD~');
    }
  });

  it('brings back a branch that was rebased, with its files', async () => {
    repository.git('checkout', '-q', '-b', 'side');
    repository.write('side', 'side\n');
    repository.commit('side');
    repository.git('checkout', '-q', 'main');
    repository.write('ours', 'ours\n');
    repository.commit('ours');
    const from = head();
    repository.git('rebase', '-q', 'side');
    const to = head();
    assert.equal(await moveHeadBack(run, { from, to }, 'keep'), 'done');
    assert.deepEqual([head(), status(), repository.exists('side')], [from, '', false]);
  });

  it('does nothing where HEAD has moved since', async () => {
    const from = head();
    repository.commit('second');
    const to = head();
    repository.commit('third');
    const now = head();
    assert.equal(await moveHeadBack(run, { from, to }, 'soft'), 'moved');
    assert.equal(head(), now);
  });

  it('brings back stashes, in their order and with their messages', async () => {
    const list = async () => parseStashes((await run({ args: kListStashes }))?.stdout ?? Buffer.alloc(0));
    for (const name of ['one', 'two', 'three']) {
      repository.write('a', `${name}\n`);
      repository.git('stash', 'push', '-q', '-m', name);
    }
    const before = await list();
    const ids = (stashes: typeof before) => stashes.map(({ oid, description }) => `${oid} ${description}`);
    assert.equal(await dropAllStashes(run, before), 'done');
    await storeStashes(run, before);
    assert.deepEqual(ids(await list()), ids(before));
    const [first] = before;
    assert.ok(first);
    assert.equal(await takeStash(run, 'drop', first), 'done');
    await storeStashes(run, [first]);
    assert.deepEqual(ids(await list()), ids(before));
  });

  it('brings back a branch with its upstream, and overwrites none of its name', async () => {
    const name = 'a.b.c';
    repository.git('branch', name);
    repository.git('branch', 'a.b');
    repository.config(`branch.${name}.remote`, 'origin');
    repository.config(`branch.${name}.merge`, 'refs/heads/main');
    repository.config('branch.a.b.remote', 'elsewhere');
    const config = parseBranchConfig(
      repository.ask('config', '--local', '-z', '--get-regexp', '^branch\\.').stdout,
      name,
    );
    assert.deepEqual(config, [
      [`branch.${name}.remote`, 'origin'],
      [`branch.${name}.merge`, 'refs/heads/main'],
    ]);
    const oid = head();
    repository.git('branch', '-D', name);
    await restoreBranch(run, { name, oid, config });
    assert.equal(repository.git('rev-parse', name).trim(), oid);
    assert.equal(repository.git('config', `branch.${name}.merge`), 'refs/heads/main\n');
    repository.commit('second');
    repository.git('branch', '-f', name);
    const other = head();
    await restoreBranch(run, { name, oid, config }).catch(() => undefined);
    assert.equal(repository.git('rev-parse', name).trim(), other);
  });

  it('brings back conflicts as they were, but no file that was changed since', async () => {
    repository.write('b', 'b\n');
    repository.commit('b');
    repository.git('checkout', '-q', '-b', 'theirs');
    for (const file of ['a', 'b']) repository.write(file, 'theirs\n');
    repository.commit('theirs');
    repository.git('checkout', '-q', 'main');
    for (const file of ['a', 'b']) repository.write(file, 'ours\n');
    repository.commit('ours');
    repository.tryGit('merge', '-q', 'theirs');
    const before = repository.read('a');
    const conflicts = parsePorcelain(repository.ask('status', '--porcelain=v2', '-z').stdout).flatMap(
      (entry) => (entry.kind === 'unmerged' ? [entry] : []),
    );
    const { left, replaced } = await accept(run, repository.root, conflicts, 'current', new Set());
    assert.deepEqual([left, repository.read('a'), replaced?.length], [[], 'ours\n', 2]);
    repository.write('b', 'by hand\n');
    assert.deepEqual(await restoreReplaced(repository.root, replaced ?? []), [
      { path: 'b', why: 'has changed since' },
    ]);
    assert.deepEqual([repository.read('a'), repository.read('b')], [before, 'by hand\n']);
  });

  it('keeps the other lines of a message whose first one is edited', () => {
    assert.equal(withSubject('old\n\nbody\n', 'new'), 'new\n\nbody\n');
    assert.equal(withSubject('old', 'new'), 'new');
  });
});
