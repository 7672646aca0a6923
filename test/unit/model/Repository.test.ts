import assert from 'node:assert/strict';
import { Repository, RepositoryChange } from '../../../extension/model/Repository';
import { delta, entry, kRoot, kWatching } from '../support/deltas';

function observed(): { repository: Repository; changes: RepositoryChange[]; last: () => RepositoryChange } {
  const repository = new Repository(kRoot);
  const changes: RepositoryChange[] = [];
  repository.onDidChange((change) => changes.push(change));
  const last = () => {
    const change = changes.at(-1);
    assert.ok(change, 'nothing was told');
    return change;
  };
  return { repository, changes, last };
}

function paths(repository: Repository): string[] {
  return Array.from(repository.entries(), (each) => each.path).sort();
}

describe('Repository', () => {
  it('folds deltas and tells which paths and groups they concern', () => {
    const { repository, last } = observed();
    repository.apply(delta({ upserted: [entry('M  a'), entry(' M b'), entry('?? c')], state: kWatching }));
    assert.deepEqual(paths(repository), ['a', 'b', 'c']);
    assert.deepEqual([...last().groups].sort(), ['index', 'untracked', 'workingTree']);

    repository.apply(delta({ baseVersion: 1, upserted: [entry('MM a')], removed: ['b'], latencyMs: 3 }));
    assert.deepEqual(paths(repository), ['a', 'c']);
    assert.deepEqual([...last().paths].sort(), ['a', 'b']);
    assert.deepEqual([...last().groups].sort(), ['index', 'workingTree']);
    assert.equal(last().latencyMs, 3);
    assert.equal(last().head, false);
    assert.equal(repository.verified, true);
  });

  it('keeps a tracked and an untracked entry of one path apart', () => {
    const { repository } = observed();
    repository.apply(delta({ upserted: [entry('D  f'), entry('?? f')], state: kWatching }));
    assert.equal(repository.entriesAt('f').length, 2);
    repository.apply(delta({ baseVersion: 1, removed: ['f'] }));
    assert.deepEqual(repository.entriesAt('f'), [entry('?? f')]);
    repository.apply(delta({ baseVersion: 2, removedUntracked: ['f'] }));
    assert.equal(repository.size, 0);
  });

  it('tells nothing of an entry that stays as it is', () => {
    const { repository, changes } = observed();
    repository.apply(delta({ upserted: [entry(' M a')], state: kWatching }));
    const count = changes.length;
    repository.apply(delta({ baseVersion: 1, upserted: [entry(' M a')], removed: ['nowhere'] }));
    assert.equal(changes.length, count);
  });

  it('shows a step only when all of it has come', () => {
    const { repository, changes, last } = observed();
    repository.apply(delta({ upserted: [entry(' M a')], more: true }));
    assert.equal(changes.length, 0);
    repository.apply(delta({ baseVersion: 1, upserted: [entry(' M b')], state: kWatching }));
    assert.equal(changes.length, 1);
    assert.deepEqual([...last().paths].sort(), ['a', 'b']);
  });

  it('reports branch, operation and state apart from entries', () => {
    const { repository, last } = observed();
    repository.apply(delta({ branch: { name: 'main' }, operation: 'merge', state: kWatching }));
    assert.deepEqual([last().head, last().state, last().paths.size], [true, true, 0]);
    repository.apply(delta({ baseVersion: 1, operation: null }));
    assert.equal(repository.operation, undefined);
    assert.equal(repository.branch.name, 'main');
  });

  it('keeps details while they are told, and none of a lost helper', () => {
    const { repository, last } = observed();
    repository.apply(delta({ details: { stashes: 1 }, state: kWatching }));
    assert.deepEqual([last().details, last().head, repository.details?.stashes], [true, true, 1]);
    repository.apply(delta({ baseVersion: 1, details: { stashes: 2 } }));
    assert.deepEqual([last().details, last().head, repository.details?.stashes], [true, false, 2]);
    repository.apply(delta({ baseVersion: 2, details: null }));
    assert.equal(repository.details, undefined);
    repository.apply(delta({ baseVersion: 3, details: { stashes: 3 } }));
    repository.markLost();
    assert.equal(repository.details, undefined);
  });

  it('shows the first scan as it goes, not as stale', () => {
    const { repository } = observed();
    const state = { state: 'scanning', filesSeen: 1, filesExpected: 9 } as const;
    repository.apply(delta({ upserted: [entry(' M a')], state }));
    assert.deepEqual(paths(repository), ['a']);
    assert.deepEqual([repository.stale, repository.verified], [false, false]);
  });

  it('notices a missed delta once, and keeps what it had as stale until the whole state is there', () => {
    const { repository, last } = observed();
    repository.apply(delta({ upserted: [entry(' M a'), entry(' M b')], state: kWatching }));
    assert.equal(repository.apply(delta({ baseVersion: 5, upserted: [entry('?? x')] })), 'gap');
    assert.equal(repository.stale, true);
    assert.equal(last().stale, true);
    assert.equal(repository.apply(delta({ baseVersion: 6, upserted: [entry('?? y')] })), 'ignored');
    assert.deepEqual(paths(repository), ['a', 'b']);

    const scanning = { state: 'scanning', filesSeen: 0, filesExpected: 2 } as const;
    repository.apply(delta({ upserted: [entry('MM b')], state: scanning }));
    assert.deepEqual(paths(repository), ['a', 'b'], 'a scan under way replaces nothing');
    repository.apply(delta({ baseVersion: 1, upserted: [entry('?? c')], state: kWatching }));
    assert.deepEqual(paths(repository), ['b', 'c']);
    assert.equal(repository.stale, false);
    assert.deepEqual([...last().paths].sort(), ['a', 'b', 'c']);
    assert.equal(last().stale, true);
  });

  it('tells only what differs after a helper was lost', () => {
    const { repository, last } = observed();
    repository.apply(delta({ upserted: [entry(' M a'), entry('?? b')], state: kWatching }));
    repository.markLost();
    assert.equal(repository.stale, true);
    assert.deepEqual(paths(repository), ['a', 'b']);
    repository.apply(delta({ upserted: [entry(' M a'), entry('?? b')], state: kWatching }));
    assert.equal(last().paths.size, 0);
    assert.equal(repository.stale, false);
    assert.equal(last().content, true, 'what was asked of the lost helper is void');
  });

  it('survives a second loss while the state is on its way', () => {
    const { repository } = observed();
    repository.apply(delta({ upserted: [entry(' M a')], state: kWatching }));
    repository.markLost();
    repository.apply(delta({ upserted: [entry('?? z')], more: true }));
    repository.markLost();
    assert.deepEqual(paths(repository), ['a']);
    repository.apply(delta({ upserted: [entry('?? c')], state: kWatching }));
    assert.deepEqual(paths(repository), ['c']);
  });

  it('follows its git directory', () => {
    const { repository } = observed();
    const places = () => [repository.gitDir, repository.commonDir];
    repository.apply(delta({ gitDir: '/w/.git', commonDir: '/w/.git', state: kWatching }));
    assert.deepEqual(places(), ['/w/.git', '/w/.git']);
    repository.apply(delta({ baseVersion: 1, upserted: [entry(' M a')] }));
    assert.deepEqual(places(), ['/w/.git', '/w/.git']);
    repository.apply(delta({ gitDir: '/m/.git/worktrees/w', commonDir: '/m/.git', state: kWatching }));
    assert.deepEqual(places(), ['/m/.git/worktrees/w', '/m/.git']);
  });

  it('says stale while all files are being checked again', () => {
    const { repository, last } = observed();
    repository.apply(delta({ upserted: [entry(' M a')], state: kWatching }));
    const state = { state: 'verifying', filesSeen: 0, filesExpected: 1, reason: 'overflow' } as const;
    repository.apply(delta({ baseVersion: 1, state }));
    assert.deepEqual([repository.stale, last().stale, last().paths.size], [true, true, 0]);
    repository.apply(delta({ baseVersion: 2, state: kWatching }));
    assert.equal(repository.stale, false);
  });

  it('shows a failure after a loss instead of waiting for ever', () => {
    const { repository } = observed();
    repository.apply(delta({ upserted: [entry(' M a')], state: kWatching }));
    repository.markLost();
    repository.apply(delta({ state: { state: 'failed', message: '.git/index: bad signature' } }));
    assert.equal(repository.state.state, 'failed');
    assert.equal(repository.size, 0);
  });
});
