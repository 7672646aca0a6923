/** Reports about a worktree, and about differences from git's status. */
import { strict as assert } from 'node:assert';
import { Repository } from '../../../extension/model/Repository';
import { comparisonReport, watchedReport } from '../../../extension/model/reports';
import { compareStatus } from '../../../extension/model/statusComparison';
import { WorktreeHistories, WorktreeHistory } from '../../../extension/model/WorktreeHistory';
import type { ModelState, StatusEntry } from '../../../extension/protocol';
import { inChinese, inEnglish } from '../support/chinese';

const changed = (path: string, letters: string, more: Partial<StatusEntry> = {}): StatusEntry =>
  ({ kind: 'changed', path, index: letters[0], worktree: letters[1], ...more }) as StatusEntry;
const untracked = (path: string): StatusEntry => ({ kind: 'untracked', path });

describe('compareStatus', () => {
  it('finds nothing where both say the same, in whatever order', () => {
    const ours = [changed('b', '.M'), untracked('a')];
    assert.deepEqual(compareStatus(ours, [...ours].reverse()), []);
  });

  it('tells what only one has, and what both have differently', () => {
    const ours = [changed('a', '.M'), untracked('b'), changed('d', 'R.', { from: 'c', score: 90 })];
    const git = [
      changed('a', 'M.'),
      changed('b', 'D.'),
      { kind: 'unmerged', path: 'e', conflict: 'UU' } as const,
    ];
    assert.deepEqual(compareStatus(ours, git), [
      { path: 'a', ours: '.M', git: 'M.' },
      { path: 'b', ours: undefined, git: 'D.' },
      { path: 'b', ours: '??', git: undefined },
      { path: 'd', ours: 'R. from c (90%)', git: undefined },
      { path: 'e', ours: undefined, git: 'UU' },
    ]);
  });
});

describe('WorktreeHistory', () => {
  function start() {
    const repository = new Repository('/r');
    let opened: (repository: Repository) => void = () => undefined;
    const onDidOpen = (listener: (repository: Repository) => void) => {
      opened = listener;
      return { dispose: () => undefined };
    };
    const histories = new WorktreeHistories({ onDidOpen });
    opened(repository);
    let version = 0;
    const tell = (state: ModelState, paths: string[] = [], latencyMs?: number) =>
      repository.apply({
        root: '/r',
        baseVersion: version,
        version: ++version,
        upserted: paths.map(untracked),
        removed: [],
        removedUntracked: [],
        state,
        ...(latencyMs !== undefined && { latencyMs }),
      });
    return { history: histories.of(repository), tell };
  }
  const kWatching = { state: 'watching', directories: 1 } as const;

  it('keeps the last batches of changes, with their latency', () => {
    const { history, tell } = start();
    for (let i = 0; i < 60; i++) tell(kWatching, [`f${i}`], i);
    assert.equal(history.batches.length, 50);
    assert.deepEqual(
      history.batches.slice(-1).map(({ paths, latencyMs }) => [paths, latencyMs]),
      [[1, 59]],
    );
  });

  it('keeps why everything was looked at again, once for each time', () => {
    const { history, tell } = start();
    const verifying = (reason: string, filesSeen: number): ModelState => ({
      state: 'verifying',
      filesSeen,
      filesExpected: 9,
      reason,
    });
    tell(kWatching);
    tell(verifying('an overflow', 1));
    tell(verifying('an overflow', 5));
    tell(kWatching);
    tell(verifying('an overflow', 1));
    assert.deepEqual(
      history.rescans.map(({ reason }) => reason),
      ['an overflow', 'an overflow'],
    );
  });

  it('begins empty', () => {
    assert.deepEqual(new WorktreeHistory().batches, []);
  });
});

describe('reports', () => {
  it('tell what is watched, and how long changes took', () => {
    const text = watchedReport({
      pid: 7,
      memoryKb: 10_240,
      maxWatches: 8192,
      worktrees: [
        {
          root: '/r\udcff',
          gitDir: '/r/.git',
          details: ['On main'],
          state: { state: 'polling', directories: 1200, polled: 200, needed: 9000, command: 'raise' },
          changes: 3,
          batches: [{ time: 0, paths: 2, latencyMs: 0.5 }],
          rescans: [{ time: 1000, reason: 'an overflow' }],
        },
      ],
    });
    assert.match(text, /process 7, 10 MB of memory/);
    assert.match(text, /max_user_watches is 8,192/);
    assert.match(text, /^\/r\\377$/m);
    assert.match(text, /Directories: 1,200 watched, 200 polled/);
    assert.match(text, /1970-01-01T00:00:01\.000Z {2}an overflow/);
    assert.match(text, /2 paths, 0\.50 ms after the event/);
    assert.match(
      watchedReport({ pid: undefined, memoryKb: undefined, maxWatches: undefined, worktrees: [] }),
      /does not run/,
    );
  });

  it('tell each path of which git says something else, and nothing of contents', () => {
    const text = comparisonReport({
      root: '/r',
      details: ['On main'],
      versions: ['an editor'],
      gitMs: 12.3,
      differences: [{ path: 'a\n', ours: undefined, git: '.M' }],
    });
    assert.match(text, /^ {2}a\\n: Resident Git nothing, git \.M$/m);
    assert.match(text, /git status took 12 ms/);
  });

  it('are in the language of the editor, but for paths and what git says', () => {
    inChinese();
    try {
      const worktree = {
        root: '/R',
        gitDir: '/R/G',
        details: [],
        state: { state: 'watching', directories: 1 },
        changes: 1,
        batches: [{ time: 0, paths: 1, latencyMs: 1 }],
        rescans: [{ time: 0, reason: 'the inotify queue overflowed' }],
      } as const;
      const reports = [
        watchedReport({ pid: 1, memoryKb: 1024, maxWatches: 1, worktrees: [worktree] }),
        watchedReport({ pid: 1, memoryKb: undefined, maxWatches: undefined, worktrees: [] }),
        watchedReport({
          pid: undefined,
          memoryKb: undefined,
          maxWatches: undefined,
          worktrees: [{ ...worktree, batches: [], rescans: [] }],
        }),
        comparisonReport({
          root: '/R',
          details: [],
          versions: [],
          gitMs: 1,
          differences: compareStatus([changed('P', 'R.', { from: 'P', score: 9 })], []),
        }),
      ];
      const names = /Resident Git|git status|fs\.inotify\.max_user_watches|\bgit\b|inotify|MB/g;
      for (const report of reports) {
        assert.match(report, /[\u4e00-\u9fff]/);
        assert.doesNotMatch(report.replace(names, ''), /[a-z]{2}/);
      }
    } finally {
      inEnglish();
    }
  });
});
