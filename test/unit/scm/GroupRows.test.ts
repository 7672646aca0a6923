import { strict as assert } from 'node:assert';
import { Repository } from '../../../extension/model/Repository';
import { GroupRows, kRowsPerTurn, maxRowsOf } from '../../../extension/scm/GroupRows';
import { GroupId } from '../../../extension/model/status';
import type { StatusEntry } from '../../../extension/protocol';

const kWatching = { state: 'watching', directories: 1 } as const;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('GroupRows', () => {
  let repository: Repository;
  let version: number;
  let made: number;
  let done: number;
  let rows: GroupRows<string>;

  function start(maxRows: number, groups: readonly GroupId[] = ['untracked']): void {
    repository = new Repository('/r');
    version = 0;
    made = 0;
    done = 0;
    rows = new GroupRows(
      groups,
      repository,
      (entry) => {
        made++;
        return entry.path;
      },
      () => done++,
      maxRows,
    );
    repository.onDidChange(({ paths, groups }) => {
      if (groups.has('untracked') || groups.has('workingTree')) rows.note(paths);
    });
  }

  function tell(upserted: StatusEntry[], removedUntracked: string[] = []): void {
    const base = { root: '/r', removed: [], state: kWatching };
    repository.apply({ ...base, baseVersion: version, version: ++version, upserted, removedUntracked });
  }
  const names = (from: number, to: number): string[] =>
    Array.from({ length: to - from }, (_, i) => `f${from + i}`);
  const untracked = (paths: string[]): StatusEntry[] => paths.map((path) => ({ kind: 'untracked', path }));

  it('makes the rows of 50,000 entries in slices, and gives them all at once', async () => {
    start(100_000);
    tell(untracked(names(0, 50_000)));
    let before = 0;
    let turns = 0;
    do {
      assert.ok(made - before <= kRowsPerTurn);
      before = made;
      turns++;
      await turn();
    } while (made < 50_000);
    await turn();
    await turn();
    // The first slice runs inside the change itself.
    assert.equal(turns, 50_000 / kRowsPerTurn - 1);
    assert.equal(done, 1);
    assert.equal(rows.shown.length, 50_000);
  });

  it('looks only at what changed', () => {
    start(1000);
    tell(untracked(names(0, 400)));
    made = 0;
    tell(untracked(['new']), ['f7', 'f8']);
    assert.equal(made, 1);
    assert.deepEqual(rows.shown.sort(), [...names(0, 7), ...names(9, 400), 'new'].sort());
    tell([{ kind: 'changed', path: 'tracked', index: '.', worktree: 'M' }]);
    assert.equal(made, 1);
  });

  it('shows no more rows than the editor bears, knows how many there are, and fills up', () => {
    start(100);
    tell(untracked(names(0, 300)));
    assert.equal(rows.shown.length, 100);
    assert.equal(rows.total, 300);
    tell([], names(0, 95));
    assert.equal(rows.shown.length, 100, 'there is room for others');
    assert.equal(rows.total, 205);
    tell([], names(120, 300));
    assert.deepEqual(rows.shown.sort(), names(95, 120).sort());
    assert.equal(rows.total, 25);
  });

  it('is right whatever comes in between its slices', async () => {
    start(100_000);
    tell(untracked(names(0, 5000)));
    tell([], names(0, 2500));
    tell(untracked(names(4000, 6000)));
    const isDone = (): boolean => done > 0;
    assert.ok(!isDone());
    while (!isDone()) await turn();
    assert.deepEqual(rows.shown.sort(), names(2500, 6000).sort());
  });

  it('has what is tracked and what is not in one group where that is wanted', async () => {
    start(3, ['workingTree', 'untracked']);
    const changed: StatusEntry = { kind: 'changed', path: 'changed', index: '.', worktree: 'M' };
    const staged: StatusEntry = { kind: 'changed', path: 'f0', index: 'D', worktree: '.' };
    tell([changed, staged, ...untracked(names(0, 4))]);
    await turn();
    assert.equal(rows.total, 5);
    assert.equal(rows.shown.length, 3);
    tell([], names(2, 4));
    await turn();
    assert.deepEqual([...rows.shown].sort(), ['changed', 'f0', 'f1']);
  });

  it('has nothing where nothing is wanted', async () => {
    start(3, []);
    tell(untracked(names(0, 4)));
    await turn();
    assert.deepEqual([rows.total, rows.shown], [0, []]);
  });

  it('never cuts conflicts', () => {
    assert.equal(maxRowsOf(['merge']), Infinity);
    assert.equal(maxRowsOf(['workingTree', 'untracked']), 10_000);
  });
});
