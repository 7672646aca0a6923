import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { Emitter } from '../../../extension/model/Emitter';
import { IgnoredCache } from '../../../extension/model/IgnoredCache';
import { Throttle } from '../../../extension/model/Throttle';
import { WorkspacePaths } from '../../../extension/model/WorkspacePaths';
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
