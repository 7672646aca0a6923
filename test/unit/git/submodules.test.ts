/** Submodules, beside git. */
import { strict as assert } from 'node:assert';
import { runGit } from '../../../extension/git/runGit';
import { hasOtherCommit, isSubmodule, submoduleArguments } from '../../../extension/model/submodulePlan';
import { Repository } from '../../support/repository';
import { Sandbox } from '../../support/sandbox';

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

  async function update(init: boolean, paths?: string[]): Promise<void> {
    const command = { args: submoduleArguments({ init, paths }) };
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

  it('brings back the commit that is recorded', async () => {
    await update(true);
    const inner = clone.at('lib');
    inner.commit('another');
    clone.at('l*').commit('another');
    await update(false, ['lib']);
    assert.equal(clone.git('status', '--porcelain'), ' M l*\n');
  });
});

describe('an entry of a submodule', () => {
  const changed = { kind: 'changed', path: 's', index: '.', worktree: 'M' } as const;

  it('is told from a file, and one with another commit from one with changes of its own', () => {
    assert.ok(!isSubmodule(changed) && !isSubmodule({ kind: 'untracked', path: 's/' }));
    for (const [submodule, other] of [
      ['SC..', true],
      ['SCMU', true],
      ['S.M.', false],
      ['S...', false],
    ] as const) {
      assert.ok(isSubmodule({ ...changed, submodule }));
      assert.equal(hasOtherCommit({ ...changed, submodule }), other, submodule);
    }
  });
});
