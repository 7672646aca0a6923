import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { Emitter } from '../../../extension/model/Emitter';
import { IgnoredCache } from '../../../extension/model/IgnoredCache';
import { statusLine } from '../../../extension/model/statusText';
import { Throttle } from '../../../extension/model/Throttle';
import { WorkspacePaths } from '../../../extension/model/WorkspacePaths';
import { BranchDetails, ModelState } from '../../../extension/protocol';
import { uncaughtDuring } from '../support/uncaught';

describe('Emitter', () => {
  it('calls no listener that is gone', () => {
    const emitter = new Emitter<number>();
    const seen: string[] = [];
    emitter.event((value) => {
      seen.push(`a${value}`);
      second.dispose();
    });
    const second = emitter.event((value) => seen.push(`b${value}`));
    emitter.fire(1);
    emitter.dispose();
    emitter.fire(2);
    assert.deepEqual(seen, ['a1']);
  });

  it('goes on after a listener that throws, and lets the error be known', async () => {
    const emitter = new Emitter<number>();
    const seen: number[] = [];
    emitter.event(() => {
      throw new Error('on purpose');
    });
    emitter.event((value) => seen.push(value));
    const messages = await uncaughtDuring(() => {
      emitter.fire(1);
    });
    assert.deepEqual(seen, [1]);
    assert.deepEqual(messages, ['on purpose']);
  });
});

describe('Throttle', () => {
  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
  });
  afterEach(() => {
    mock.timers.reset();
  });

  it('runs the first at once and the rest together', () => {
    let runs = 0;
    const throttle = new Throttle(20, () => runs++);
    for (let i = 0; i < 10; i++) throttle.schedule();
    assert.equal(runs, 1);
    mock.timers.tick(19);
    assert.equal(runs, 1);
    mock.timers.tick(1);
    assert.equal(runs, 2);
    mock.timers.tick(20);
    throttle.schedule();
    assert.equal(runs, 3);
    throttle.schedule();
    throttle.dispose();
    mock.timers.tick(100);
    assert.equal(runs, 3);
  });
});

function answers(cache: IgnoredCache, ...paths: string[]): Promise<boolean[]> {
  return Promise.all(paths.map(async (path) => cache.isIgnored(path)));
}

describe('IgnoredCache', () => {
  const make = () => {
    const asked: string[][] = [];
    const changed: (string[] | undefined)[] = [];
    const rules = new Set(['x']);
    const cache = new IgnoredCache(
      (paths) => {
        asked.push(paths);
        return Promise.resolve(paths.map((path) => rules.has(path)));
      },
      (paths) => changed.push(paths),
    );
    return { asked, changed, rules, cache };
  };

  it('asks in one batch, and each path once', async () => {
    const { asked, cache } = make();
    assert.deepEqual(await answers(cache, 'x', 'y', 'x'), [true, false, true]);
    assert.deepEqual(asked, [['x', 'y']]);
    assert.equal(cache.isIgnored('x'), true);
    assert.equal(cache.isIgnored('y'), false);
  });

  it('asks about many in parts, each no longer than a message may be', async () => {
    const { asked, changed, rules, cache } = make();
    const paths = Array.from({ length: 3000 }, (_, i) => `${'p'.repeat(300)}${i}`);
    rules.add(paths[7] ?? '').add(paths[2999] ?? '');
    const expected = paths.map((path) => rules.has(path));
    assert.deepEqual(await answers(cache, ...paths), expected);
    rules.delete(paths[2999] ?? '');
    await cache.recheck();
    assert.deepEqual(changed, [[paths[2999]]]);
    assert.deepEqual(asked.flat(), [...paths, ...paths]);
    assert.ok(asked.length > 10);
    // JSON takes at most six bytes per character.
    assert.ok(asked.every((part) => part.join('').length * 6 < 1_000_000));
  });

  it('tells only what differs after rules changed', async () => {
    const { changed, rules, cache } = make();
    await answers(cache, 'x', 'y', 'z');
    rules.clear();
    rules.add('y');
    await cache.recheck();
    assert.deepEqual(changed, [['x', 'y']]);
    assert.equal(cache.isIgnored('x'), false);
  });

  it('asks again for a path whose entry came or went', async () => {
    const { asked, cache } = make();
    await cache.isIgnored('x');
    cache.forget(['x']);
    await cache.isIgnored('x');
    assert.equal(asked.length, 2);
  });

  it('keeps no failure as an answer', async () => {
    let fails = true;
    const cache = new IgnoredCache(
      (paths) => (fails ? Promise.reject(new Error('lost')) : Promise.resolve(paths.map(() => true))),
      () => undefined,
    );
    assert.equal(await cache.isIgnored('x'), false);
    fails = false;
    assert.equal(await cache.isIgnored('x'), true);
  });

  it('answers whoever waits when it is disposed', async () => {
    const { cache } = make();
    const answer = cache.isIgnored('x');
    cache.dispose();
    assert.equal(await answer, false);
  });
});

describe('WorkspacePaths', () => {
  it('prefers the deepest folder and knows every name', () => {
    const paths = new WorkspacePaths([
      { opened: '/link', real: '/data' },
      { opened: '/data', real: '/data' },
      { opened: '/deep', real: '/data/deep' },
    ]);
    assert.deepEqual(paths.toOpened('/data/deep/f'), ['/deep/f', '/link/deep/f', '/data/deep/f']);
    assert.deepEqual(paths.toOpened('/database/f'), ['/database/f']);
    assert.equal(paths.toReal('/link/deep/f'), '/data/deep/f');
    assert.equal(paths.toReal('/linked'), '/linked');
  });
});

describe('statusLine', () => {
  const source = {
    branch: { name: 'main', oid: '1'.repeat(40) },
    operation: undefined,
    stale: false,
  } as const;
  const line = (state: ModelState, more: object = {}) => statusLine({ ...source, state, ...more }, 'running');

  it('shows branch and operation', () => {
    const branch = { name: 'main', oid: '1' };
    const { text } = line({ state: 'watching', directories: 3 }, { branch, operation: 'rebase' });
    assert.equal(text, '$(git-branch) main (Rebasing)');
    const step = { step: 2, of: 5, branch: 'topic' };
    const rebasing = line(
      { state: 'watching', directories: 3 },
      { branch: { oid: 'abcdef0123' }, operation: 'rebase', step },
    );
    assert.equal(rebasing.text, '$(git-commit) topic (Rebasing 2/5)');
    assert.ok(rebasing.details.includes('Rebasing 2/5 of topic is in progress'), rebasing.details.join());
    assert.match(
      line({ state: 'watching', directories: 3 }, { branch: { oid: 'abcdef0123' } }).text,
      /abcdef01$/,
    );
  });

  it('shows the details of the branch, and none while nothing vouches for them', () => {
    const branch = { name: 'main', oid: '1', upstream: 'origin/main', ahead: 1, behind: 0 };
    const upstream = { remote: 'origin', branch: 'main', url: 'https://me:secret@x/a' };
    const shown = (details: BranchDetails, more: object = {}) =>
      line({ state: 'watching', directories: 3 }, { branch, details, ...more }).details.slice(2, -1);
    assert.deepEqual(shown({}), []);
    assert.deepEqual(
      shown({
        tag: { name: 'v1', distance: 1234 },
        stashes: 2,
        upstream,
        push: { remote: 'mine', branch: 'main', url: '/mine', ahead: 3, behind: 4 },
      }),
      [
        'Remote origin: https://me:***@x/a',
        'Pushed to mine/main: 3 ahead, 4 behind',
        'Remote for pushing mine: /mine',
        '1,234 commits after tag v1',
        'Stashed changes: 2',
      ],
    );
    const push = { ...upstream, isUpstream: true } as const;
    assert.deepEqual(shown({ tag: { name: 'v1', distance: 0 }, upstream, push, stashes: 0 }), [
      'Remote origin: https://me:***@x/a',
      'At tag v1',
    ]);
    assert.deepEqual(
      shown({ upstream, push: { ...push, url: 'ssh://x' } })[1],
      'Remote for pushing origin: ssh://x',
    );
    assert.deepEqual(shown({ describing: true, push: { remote: '.', branch: 'other', counting: true } }), [
      'Pushed to other: commits are being counted',
      'The nearest tag is being looked for',
    ]);
    assert.deepEqual(shown({ tag: null, push: { remote: 'o', branch: 'b' } }), [
      'Pushed to o/b: which is gone',
    ]);
    assert.deepEqual(shown({ tag: { name: 'v1', distance: 1 } }), ['1 commit after tag v1']);
    assert.deepEqual(shown({ tag: { name: 'v1', distance: 1 } }, { stale: true }), []);
  });

  it('counts while it scans', () => {
    const { text } = line({ state: 'scanning', filesSeen: 1234, filesExpected: 50000 });
    assert.equal(text, '$(git-branch) main $(sync~spin) 1,234/50,000');
  });

  it('warns of polling with the number and the command', () => {
    const command = 'sudo sysctl fs.inotify.max_user_watches=524288';
    const state: ModelState = { state: 'polling', directories: 9, polled: 40, needed: 524288, command };
    const { severity, details } = line(state);
    assert.equal(severity, 'warning');
    assert.match(details.join(), /40 directories are only looked at periodically, 9 are watched/);
    assert.ok(details.join().includes(command) && details.join().includes('524288'));
  });

  it('warns of no polling that more watches would not end', () => {
    const state: ModelState = { state: 'polling', directories: 9, polled: 4, needed: 0, command: 'none' };
    const { severity, details } = line(state);
    assert.equal(severity, 'normal');
    assert.ok(details.join().includes('4 directories') && !details.join().includes('none'), details.join());
  });

  it('tells by when everything was verified, and what pauses that', () => {
    const verifiedAt = new Date(2026, 0, 2, 14, 3, 21).getTime();
    const sweep = { withinMinutes: 10, verifiedAt, percent: 0 };
    const details = (state: ModelState, more: object = {}) => line(state, more).details.slice(1);
    const watching = { state: 'watching', directories: 3 } as const;
    assert.deepEqual(details(watching), ['Watching 3 directories']);
    assert.deepEqual(details({ ...watching, sweep }), [
      'Watching 3 directories',
      'Everything was looked at again by 14:03:21 (every 10 minutes)',
    ]);
    assert.match(
      details({ ...watching, sweep: { ...sweep, withinMinutes: 1, percent: 40 } })[1] ?? '',
      /\(every minute, 40% of the next round\)$/,
    );
    for (const paused of ['battery', 'load'] as const) {
      const [, said] = details({ ...watching, sweep: { ...sweep, paused } });
      assert.equal(said, `Everything was looked at again by 14:03:21 (paused: ${paused})`);
    }
    assert.deepEqual(details({ state: 'delegated', reason: 'x', linkedBeyond: 1234 }).slice(1), [
      'Files with several hard links, too many to be looked at with every question: 1,234',
    ]);
    assert.equal(details({ ...watching, sweep }, { stale: true }).length, 1, 'nothing is sure then');
  });

  it('names what is waited for', () => {
    const since = new Date(2026, 0, 2, 14, 3, 21).getTime();
    const details = (name: string, files: number) =>
      line({ state: 'watching', directories: 3, waiting: { name, files, since } }).details.at(-1);
    assert.equal(details('filter lfs', 1412), 'Waiting for filter lfs, 1,412 files, since 14:03:21');
    assert.equal(details('git status of sub', 0), 'Waiting for git status of sub, since 14:03:21');
  });

  it('names the reason of a failure', () => {
    const { severity, details } = line({ state: 'failed', message: '.git/index: bad signature' });
    assert.deepEqual([severity, details.at(-1)], ['error', '.git/index: bad signature']);
  });

  it('says that a helper is gone whatever the state was', () => {
    const state: ModelState = { state: 'watching', directories: 3 };
    assert.equal(statusLine({ ...source, state }, 'givenUp').severity, 'error');
  });
});
