/** The diagnostics of each worktree, and the paths on which git status differs. */
import { strict as assert } from 'node:assert';
import {
  comparisonReport,
  DiagnosedWorktree,
  diagnosticsReport,
} from '../../../../extension/features/diagnostics/reports';
import { compareStatus } from '../../../../extension/features/diagnostics/statusComparison';
import {
  WorktreeHistories,
  WorktreeHistory,
} from '../../../../extension/features/diagnostics/WorktreeHistory';
import { Repository } from '../../../../extension/model/Repository';
import type { ModelState, StatusEntry } from '../../../../extension/protocol';
import { inChinese, inEnglish } from '../../support/chinese';

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

  it('keeps the reason of each rescan once', () => {
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

describe('the diagnostics', () => {
  const worktree: DiagnosedWorktree = {
    root: '/r\udcff',
    gitDir: '/r/.git',
    details: ['On main', 'Watching 3 directories'],
    trouble: undefined,
    changes: 3,
    batches: [
      { time: new Date(2026, 0, 2, 3, 4, 5).getTime(), paths: 1, latencyMs: 0.25 },
      { time: new Date(2026, 0, 2, 14, 0, 0).getTime(), paths: 1200, latencyMs: undefined },
    ],
    rescans: [{ time: new Date(2026, 0, 2, 14, 3, 21).getTime(), reason: 'an overflow' }],
  };
  const process = { pid: 7, memoryKb: 10_240, maxWatches: 8192 };

  it('begin with a summary: how many repositories, whether something is wrong, and the process', () => {
    const lines = diagnosticsReport({ ...process, worktrees: [worktree] }).split('\n');
    assert.deepEqual(lines.slice(0, 6), [
      'Resident Git Diagnostics',
      '',
      '1 repository is open.',
      'No problems found.',
      'The background process is process 7 and uses 10 MB of memory.',
      'fs.inotify.max_user_watches is 8,192.',
    ]);
    const troubled = { ...worktree, root: '/a/slow', trouble: 'Waiting for filter lfs since 14:03:21' };
    const text = diagnosticsReport({ ...process, worktrees: [worktree, troubled] });
    assert.match(
      text,
      /^2 repositories are open\.\nslow: Waiting for filter lfs since 14:03:21\nThe background/m,
    );
    assert.doesNotMatch(text, /No problems found/);
  });

  it('say what is not known', () => {
    const none = { pid: undefined, memoryKb: undefined, maxWatches: undefined, worktrees: [] };
    assert.match(diagnosticsReport(none), /^0 repositories are open\.$/m);
    assert.match(diagnosticsReport(none), /^The background process is not running\.$/m);
    assert.match(diagnosticsReport({ ...none, pid: 7 }), /^The background process is process 7\.$/m);
  });

  it('have one time zone, and name it', () => {
    const text = diagnosticsReport({ ...process, worktrees: [worktree] });
    assert.match(text, /^All times are local \(UTC[+-]\d\d:\d\d\)\.$/m);
    const times = text.match(/\d+:\d\d:\d\d\S*/g);
    assert.deepEqual(times, ['14:03:21', '14:00:00', '03:04:05'], 'as a clock on the wall has them');
  });

  it('have a part for each worktree, with the newest events first', () => {
    const text = diagnosticsReport({ ...process, worktrees: [worktree] });
    assert.deepEqual(text.split('\n').slice(8), [
      '/r\\377',
      '  git directory: /r/.git',
      '  On main',
      '  Watching 3 directories',
      '  Changed paths: 3',
      '  Rescans, newest first:',
      '    2026-01-02 14:03:21  an overflow',
      '  Last changes, newest first:',
      '    2026-01-02 14:00:00  1,200 paths',
      '    2026-01-02 03:04:05  1 path, 0.25 ms after the event',
      '',
    ]);
    const quiet = diagnosticsReport({ ...process, worktrees: [{ ...worktree, batches: [], rescans: [] }] });
    assert.match(quiet, /^ {2}Rescans: none\n {2}Last changes: none$/m);
  });
});

describe('the comparison with git status', () => {
  it('has each path that differs, and no contents', () => {
    const text = comparisonReport({
      root: '/r',
      details: ['On main'],
      versions: ['an editor'],
      gitMs: 12.3,
      differences: [{ path: 'a\n', ours: undefined, git: '.M' }],
    });
    assert.match(text, /^Different paths: 1\n {2}a\\n: Resident Git no entry, git \.M$/m);
    assert.match(text, /^git status took 12 ms\.$/m);
  });
});

describe('reports', () => {
  it('are in the language of the editor, but for paths and what git says', () => {
    inChinese();
    try {
      const worktree = {
        root: '/R',
        gitDir: '/R/G',
        details: [],
        trouble: undefined,
        changes: 1,
        batches: [{ time: 0, paths: 1, latencyMs: 1 }],
        rescans: [{ time: 0, reason: 'the inotify queue overflowed' }],
      } as const;
      const none = { pid: undefined, memoryKb: undefined, maxWatches: undefined };
      const reports = [
        diagnosticsReport({ pid: 1, memoryKb: 1024, maxWatches: 1, worktrees: [worktree] }),
        diagnosticsReport({ ...none, pid: 1, worktrees: [] }),
        diagnosticsReport({ ...none, worktrees: [{ ...worktree, batches: [], rescans: [] }] }),
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
