/** Submodules, compared with git. */
import { strict as assert } from 'node:assert';
import { cloneArguments } from '../../../../extension/features/repositories/plan';
import {
  isSubmodule,
  leavesCommit,
  submoduleArguments,
} from '../../../../extension/features/submodules/plan';
import { runGit } from '../../../../extension/git/runGit';
import { Repository } from '../../../support/repository';
import { Sandbox } from '../../../support/sandbox';

describe('submodules, beside git', () => {
  let sandbox: Sandbox;
  let clone: Repository;

  beforeEach(() => {
    sandbox = new Sandbox();
    const library = Repository.init(sandbox, 'library');
    library.write('l', 'l\n');
    library.commit();
    const main = Repository.init(sandbox, 'main');
    for (const path of ['l*', 'lib', 'a b'])
      main.git('submodule', '--quiet', 'add', '--', '../library', path);
    main.commit();
    sandbox.exec('git', 'clone', '-q', 'main', 'clone');
    clone = new Repository(sandbox, sandbox.path('clone'));
  });
  afterEach(() => {
    sandbox.remove();
  });

  async function update(init: boolean, paths?: string[], recursive = false): Promise<void> {
    const command = { args: submoduleArguments({ init, recursive, paths }) };
    const program = { path: 'git', env: sandbox.env };
    const result = await runGit(program, clone.root, command, new AbortController().signal);
    assert.equal(result.code, 0, result.stderr.toString());
  }
  const there = () => ['a b', 'l*', 'lib'].filter((path) => clone.exists(`${path}/l`));

  it('clones those that are named, by their names', async () => {
    await update(true, ['l*']);
    assert.deepEqual(there(), ['l*']);
    await update(true, ['a b']);
    assert.deepEqual(there(), ['a b', 'l*']);
  });

  it('clones all, or updates none that is not initialized', async () => {
    await update(false);
    assert.deepEqual(there(), []);
    await update(true);
    assert.deepEqual(there(), ['a b', 'l*', 'lib']);
  });

  it('come with a clone where that is wanted', async () => {
    for (const recursive of [false, true]) {
      const folder = `recursive-${recursive}`;
      const command = { args: cloneArguments(sandbox.path('main'), folder, { recursive }) };
      const program = { path: 'git', env: sandbox.env };
      const result = await runGit(program, sandbox.path('.'), command, new AbortController().signal);
      assert.equal(result.code, 0, result.stderr.toString());
      clone = new Repository(sandbox, sandbox.path(folder));
      assert.deepEqual(there(), recursive ? ['a b', 'l*', 'lib'] : []);
    }
  });

  it('brings back the commit that is recorded', async () => {
    await update(true);
    const inner = clone.at('lib');
    inner.commit('another');
    clone.at('l*').commit('another');
    await update(false, ['lib']);
    assert.equal(clone.git('status', '--porcelain'), ' M l*\n');
  });

  it('goes down to those within, and brings theirs back too', async () => {
    sandbox.exec('git', 'clone', '-q', 'library', 'inner');
    const library = new Repository(sandbox, sandbox.path('library'));
    library.git('submodule', '--quiet', 'add', '--', '../inner', 'in ner');
    library.commit();
    clone.git('submodule', '--quiet', 'update', '--init', '--remote', '--', 'lib');
    clone.git('commit', '-qam', 'newer');
    assert.ok(!clone.exists('lib/in ner/l'));
    await update(true, ['lib'], true);
    assert.ok(clone.exists('lib/in ner/l'));
    assert.deepEqual(there(), ['lib']);
    clone.at('lib/in ner').commit('another');
    assert.match(clone.git('status', '--porcelain=v2', 'lib'), /^1 \.M S\.M\. /);
    await update(true, undefined, true);
    assert.equal(clone.git('status', '--porcelain'), '');
    assert.deepEqual(there(), ['a b', 'l*', 'lib']);
  });
});

describe('an entry of a submodule', () => {
  const changed = { kind: 'changed', path: 's', index: '.', worktree: 'M' } as const;

  it('is told from a file', () => {
    assert.ok(!isSubmodule(changed) && !isSubmodule({ kind: 'untracked', path: 's/' }));
    for (const recursive of [false, true]) assert.ok(!leavesCommit(changed, { init: true, recursive }));
  });

  it('tells whether updating it leaves a commit, and what may be left within it', () => {
    for (const [submodule, own, within] of [
      ['SC..', true, true],
      ['SCMU', true, true],
      ['S.M.', false, true],
      ['S..U', false, false],
      ['S...', false, false],
    ] as const) {
      const entry = { ...changed, submodule };
      assert.ok(isSubmodule(entry));
      assert.equal(leavesCommit(entry, { init: false, recursive: false }), own, submodule);
      assert.equal(leavesCommit(entry, { init: true, recursive: true }), within, submodule);
    }
  });
});
