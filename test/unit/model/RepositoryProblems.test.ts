/** Repositories that are refused, fail, disappear and return. Checks the registry's events. */
import assert from 'node:assert/strict';
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { mock } from 'node:test';
import { isRepository } from '../../../extension/model/findRepositories';
import { RepositoryProblems } from '../../../extension/model/RepositoryProblems';
import { RepositoryRegistry } from '../../../extension/model/RepositoryRegistry';
import { delta, kWatching } from '../support/deltas';
import { FakeHelper, kTrusted, RepositoriesOnDisk } from '../support/registry';

const kPatienceMs = 10_000;

describe('problems of repositories', () => {
  let helper: FakeHelper;
  let reports: string[];
  let registry: RepositoryRegistry;
  let disk: RepositoriesOnDisk;
  let folder: string;
  beforeEach(() => {
    helper = new FakeHelper();
    reports = [];
    registry = new RepositoryRegistry(helper, (severity, message) => reports.push(`${severity}: ${message}`));
    disk = new RepositoriesOnDisk();
    ({ folder } = disk);
  });
  afterEach(() => {
    disk.remove();
  });
  const at = (...names: string[]) => disk.at(...names);
  const repositoryAt = (...names: string[]) => disk.repositoryAt(...names);
  const linkedAt = (name: string, gitDir: string) => disk.linkedAt(name, gitDir);
  const finds = (path: string, ...found: string[]) => helper.found.set(path, { roots: found, problems: [] });
  const roots = () => registry.repositories.map((repository) => repository.root).sort();
  const below = () => roots().map((root) => root.slice(folder.length + 1));
  /** Waits with event loop turns, which also allow disk reads. Timers may be mocked. */
  async function until(holds: () => boolean): Promise<void> {
    const end = Date.now() + kPatienceMs;
    while (!holds()) {
      if (Date.now() > end) assert.fail(`it does not come: ${holds.toString()}`);
      await new Promise(setImmediate);
    }
  }

  it('closes one whose .git is gone and stays so, and no other that fails', async () => {
    const [gone, again, broken] = [repositoryAt('gone'), repositoryAt('again'), repositoryAt('broken')];
    finds(folder);
    await registry.setWorkspace([folder], kTrusted);
    await new Promise(setImmediate);
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      for (const root of [gone, again]) rmSync(join(root, '.git'), { recursive: true });
      for (const root of [gone, again, broken])
        registry.didChange({ ...delta({}), root, state: { state: 'failed', message: 'broken' } });
      assert.deepEqual(below(), ['again', 'broken', 'gone'], 'it may come again at once');
      repositoryAt('again');
      const closed = new Promise((resolve) => registry.onDidClose(resolve));
      mock.timers.tick(5_000);
      await closed;
    } finally {
      mock.timers.reset();
    }
    assert.deepEqual(below(), ['again', 'broken']);
    assert.ok(helper.calls.includes(`close ${gone}`));
  });

  it('lets one bad repository be a problem of its own', async () => {
    const bad = repositoryAt('bad');
    finds(folder, folder);
    helper.found.get(folder)?.problems.push({ path: '/odd', message: 'dubious ownership' });
    helper.refused.set(bad, new Error('index: bad signature'));
    await registry.setWorkspace([folder, '/missing'], kTrusted);
    await until(() => registry.problems.has(bad));
    assert.deepEqual(below(), ['']);
    assert.deepEqual([...registry.problems.keys()].sort(), [bad, '/missing', '/odd'].sort());
    assert.ok(reports.some((report) => report.includes('bad signature')));
  });

  it('tells of one that the helper gave up, and lets the others be', async () => {
    const [a, b] = [repositoryAt('a'), repositoryAt('b')];
    finds(folder);
    await registry.setWorkspace([folder], kTrusted);
    await new Promise(setImmediate);
    registry.didClose({ root: b, message: 'no memory' });
    await until(() => registry.problems.size > 0);
    assert.deepEqual([...registry.problems], [[b, 'no memory']]);
    assert.deepEqual(roots(), [a]);
  });

  it('tells of one that fails and stays so', async () => {
    const [broken, mended, gone] = [repositoryAt('broken'), repositoryAt('mended'), repositoryAt('gone')];
    finds(folder);
    await registry.setWorkspace([folder], kTrusted);
    await new Promise(setImmediate);
    const failed: string[] = [];
    registry.onDidFail(({ root }) => failed.push(root));
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      for (const root of [broken, mended, gone])
        registry.didChange({ ...delta({}), root, state: { state: 'failed', message: 'broken' } });
      mock.timers.tick(1_000);
      registry.didChange({ ...delta({}), root: broken, state: { state: 'failed', message: 'still' } });
      registry.didChange({ ...delta({}), root: mended, state: kWatching });
      rmSync(gone, { recursive: true });
      mock.timers.tick(1_500);
      await until(() => failed.length > 0 && roots().length === 2);
    } finally {
      mock.timers.reset();
    }
    assert.deepEqual(failed, [broken]);
  });

  it('opens one again that went and came back with the folder around it', async () => {
    const [away, gone] = [repositoryAt('around/away'), repositoryAt('around/gone')];
    finds(folder);
    await registry.setWorkspace([folder], { ...kTrusted, depth: 2 });
    await new Promise(setImmediate);
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      renameSync(at('around'), at('elsewhere'));
      const looked = new Promise<void>((resolve) => {
        let count = 0;
        registry.onDidChangeProblems(() => (count += 1) === 2 && resolve());
      });
      for (const root of [away, gone]) registry.didClose({ root, message: 'the worktree was removed' });
      await looked;
      assert.deepEqual(roots(), []);
      renameSync(at('elsewhere'), at('around'));
      rmSync(gone, { recursive: true });
      mock.timers.tick(5_000);
      await until(() => roots().length > 0);
    } finally {
      mock.timers.reset();
    }
    assert.deepEqual(roots(), [away]);
    assert.deepEqual([...registry.problems], []);
  });

  it('has no problem with what is removed, before it is told or later', async () => {
    const [removed, broken, closing] = [
      repositoryAt('removed'),
      repositoryAt('broken'),
      repositoryAt('closing'),
    ];
    finds(folder);
    helper.refused.set(broken, new Error('broken'));
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      await registry.setWorkspace([folder], kTrusted);
      await until(() => registry.problems.size > 0);
      const looked = new Promise<void>((resolve) => registry.onDidChangeProblems(resolve));
      rmSync(removed, { recursive: true });
      registry.didClose({ root: removed, message: 'the worktree was removed' });
      await looked;
      assert.deepEqual([...registry.problems], [[broken, 'broken']]);
      registry.didClose({ root: closing, message: 'no memory' });
      await until(() => registry.problems.size > 1);
      rmSync(closing, { recursive: true });
      mock.timers.tick(5_000);
      await until(() => registry.problems.size < 2);
    } finally {
      mock.timers.reset();
    }
    assert.deepEqual([...registry.problems], [[broken, 'broken']]);
    rmSync(broken, { recursive: true });
    await registry.forgetGone();
    assert.deepEqual([...registry.problems], []);
  });

  it('closes a linked worktree whose repository is gone, and opens it with a file once that is back', async () => {
    const [elsewhere, gone] = [at('elsewhere/main'), at('elsewhere/gone')];
    const linked = linkedAt('linked', join(elsewhere, 'worktrees/linked'));
    finds(folder);
    await registry.setWorkspace([folder], kTrusted);
    await new Promise(setImmediate);
    await registry.discoverAround(join(linked, 'f'));
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      renameSync(elsewhere, gone);
      registry.didChange({ ...delta({}), root: linked, state: { state: 'failed', message: 'gone' } });
      const closed = new Promise((resolve) => registry.onDidClose(resolve));
      mock.timers.tick(5_000);
      await closed;
    } finally {
      mock.timers.reset();
    }
    assert.deepEqual(below(), []);
    renameSync(gone, elsewhere);
    await registry.discoverAround(join(linked, 'f'));
    assert.deepEqual(below(), ['linked']);
  });

  describe('of which nobody wants to know any more', () => {
    let told: string[];
    let problems: RepositoryProblems;
    beforeEach(() => {
      told = [];
      problems = new RepositoryProblems((_, message) => told.push(message), {
        isKnown: () => false,
        isBack: (root) => told.push(`${root} is back`),
        onDidChange: () => told.push('changed'),
      });
      mock.timers.enable({ apis: ['setTimeout'] });
    });
    afterEach(() => {
      mock.timers.reset();
    });

    it('begin no other look where they end during the first', async () => {
      const timers = mock.method(globalThis, 'setTimeout');
      const noted = problems.noteOfRefused(repositoryAt('refused'), 'refused');
      problems.dispose();
      await noted;
      assert.equal(timers.mock.callCount(), 0);
      assert.deepEqual(told, []);
    });

    it('tell of none that is back where they end during the second', async () => {
      const gone = at('gone');
      await problems.noteOfRefused(gone, 'gone');
      repositoryAt('gone');
      told = [];
      mock.timers.tick(5_000);
      problems.dispose();
      // The scheduled check ends before these 20 checks do.
      for (let i = 0; i < 20; i++) await isRepository(gone);
      assert.deepEqual(told, []);
    });
  });
});
