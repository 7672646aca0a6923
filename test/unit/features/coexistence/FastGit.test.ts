/** The repositories whose git is made fast, with a real git and a real config. */
import { strict as assert } from 'node:assert';
import { Accelerator } from '../../../../extension/features/accelerate/Accelerator';
import { FastGit } from '../../../../extension/features/coexistence/FastGit';
import { residentBinary } from '../../../support/binary';
import { Repository } from '../../../support/repository';
import { Sandbox } from '../../../support/sandbox';

describe('FastGit', () => {
  let sandbox: Sandbox;
  let memory: Map<string, unknown>;
  let fastGit: FastGit;
  beforeEach(() => {
    sandbox = new Sandbox();
    memory = new Map();
    const accelerator = new Accelerator(residentBinary(), () => sandbox.env);
    fastGit = new FastGit(accelerator, {
      get: (key) => memory.get(key),
      update: (key, value) => {
        if (value === undefined) memory.delete(key);
        else memory.set(key, value);
        return Promise.resolve();
      },
    });
  });
  afterEach(() => sandbox.remove());

  const untracked = (repository: Repository) =>
    repository.tryGit('config', 'status.showUntrackedFiles').stdout.toString('utf8').trim();

  it('writes what was planned, and undoes it to the byte', async () => {
    const repositories = ['one', 'two'].map((name) => Repository.init(sandbox, name));
    const roots = repositories.map(({ root }) => root);
    const before = repositories.map((repository) => repository.read('.git/config'));
    const { plans, refused } = await fastGit.plan(roots, true);
    assert.deepEqual(refused, []);
    assert.deepEqual(
      plans.map(({ settings }) => settings.at(-1)),
      Array<string>(2).fill('status.showUntrackedFiles = all (was not set)'),
    );
    assert.equal(fastGit.canUndo(roots), false);
    await fastGit.write(plans);
    assert.deepEqual(repositories.map(untracked), ['all', 'all']);
    assert.deepEqual(
      (await fastGit.plan(roots, true)).plans.map(({ settings }) => settings),
      [[], []],
    );
    assert.equal(fastGit.canUndo(roots), true);
    assert.notDeepEqual(await fastGit.undo(roots.slice(0, 1)), []);
    assert.deepEqual(repositories.map(untracked), ['', 'all']);
    assert.equal(fastGit.canUndo(roots.slice(0, 1)), false);
    await fastGit.undo(roots);
    assert.deepEqual(
      repositories.map((repository) => repository.read('.git/config')),
      before,
    );
    assert.equal(memory.size, 0);
    assert.deepEqual(await fastGit.undo(roots), []);
  });

  it('leaves the key of untracked files out where that is wanted', async () => {
    const repository = Repository.init(sandbox, 'one');
    const { plans } = await fastGit.plan([repository.root], false);
    await fastGit.write(plans);
    assert.equal(untracked(repository), '');
    assert.match(repository.read('.git/config'), /untrackedCache = true/);
  });

  it('refuses a repository that asks another monitor, and no other one', async () => {
    const [other, free] = ['other', 'free'].map((name) => Repository.init(sandbox, name)) as [
      Repository,
      Repository,
    ];
    other.config('core.fsmonitor', '/usr/bin/another');
    const { plans, refused } = await fastGit.plan([other.root, free.root], true);
    assert.deepEqual(
      plans.map(({ root }) => root),
      [free.root],
    );
    assert.equal(refused[0]?.root, other.root);
    assert.match(refused[0].reason, /core\.fsmonitor is already \/usr\/bin\/another/);
  });
});
