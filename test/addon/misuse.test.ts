/** Wrong arguments and wrong call order give errors, never a crash. */
import { strict as assert } from 'node:assert';
import { FakeWorktree, loadFakeAddon, runProgram } from './fakeAddon';

// The TypeScript types forbid these calls.
type Loose = (...args: unknown[]) => unknown;

describe('addon: misuse', () => {
  const addon = loadFakeAddon();
  const openWorktree = addon.openWorktree as unknown as Loose;
  const nothing = (): void => undefined;

  it('refuses wrong arguments of openWorktree', () => {
    const cases: [unknown[], RegExp][] = [
      [[], /path must be a string/],
      [[7], /path must be a string/],
      [['a\0b', { trusted: true }, nothing, nothing], /cannot contain NUL/],
      [['\ud800', { trusted: true }, nothing, nothing], /surrogate/],
      [['/a'], /options must be an object/],
      [['/a', {}, nothing, nothing], /trusted must be a boolean/],
      [['/a', { trusted: true }], /must be functions/],
      [['/a', { trusted: true }, nothing], /must be functions/],
    ];
    for (const [args, message] of cases) {
      assert.throws(() => openWorktree(...args), { name: 'TypeError', code: 'Invalid', message });
    }
  });

  it('passes on what a getter throws', () => {
    const options = {
      get trusted() {
        throw new Error('from a getter');
      },
    };
    assert.throws(() => openWorktree('/a', options, nothing, nothing), /from a getter/);
  });

  it('refuses wrong arguments of a Worktree', async () => {
    const fake = await FakeWorktree.open(addon);
    const native = fake.native as unknown as Record<string, Loose>;
    const call = (name: string, ...args: unknown[]): unknown => native[name]?.(...args);
    const cases: [() => unknown, RegExp][] = [
      [() => call('ignored'), /must be an array/],
      [() => call('ignored', 'a'), /must be an array/],
      [() => call('ignored', ['a', 1]), /paths\[1\] must be a string/],
      [() => call('content', 1, 'HEAD'), /path must be a string/],
      [() => call('content', 'a', 'stage4'), /source must be/],
      [() => call('content', 'a'), /source must be/],
      [() => call('rescan', 1), /options must be an object/],
      [() => call('rescan', { onProgress: 1 }), /onProgress must be a function/],
      [() => call('rescan', { signal: {} }), /must be an AbortSignal/],
    ];
    for (const [attempt, message] of cases)
      assert.throws(attempt, { name: 'TypeError', code: 'Invalid', message });
    await fake.native.close();
  });

  it('does not let anyone else construct a Worktree', async () => {
    const fake = await FakeWorktree.open(addon);
    const constructor = fake.native.constructor as unknown as (new () => unknown) & Loose;
    assert.throws(() => new constructor(), /comes from openWorktree/);
    assert.throws(() => constructor(), TypeError);
    await fake.native.close();
  });

  it('refuses a method on another object', async () => {
    const fake = await FakeWorktree.open(addon);
    const prototype = Object.getPrototypeOf(fake.native) as Record<string, Loose>;
    for (const name of ['takeDelta', 'rescan', 'close', 'replay']) {
      assert.throws(() => prototype[name]?.call({}), TypeError, name);
    }
    await fake.native.close();
  });

  it('can be closed twice, and answers nothing then', async () => {
    const fake = await FakeWorktree.open(addon);
    await Promise.all([fake.native.close(), fake.native.close()]);
    await fake.native.close();
    const closed = { name: 'Error', code: 'Closed', message: 'the worktree is closed' };
    await assert.rejects(fake.native.ignored(['a']), closed);
    await assert.rejects(fake.native.content('a', 'HEAD'), closed);
    await assert.rejects(fake.native.status(), closed);
    await assert.rejects(fake.native.rescan(), closed);
    assert.throws(() => {
      fake.native.metadataChanged();
    }, closed);
    assert.throws(() => {
      fake.native.replay();
    }, closed);
    assert.equal(fake.native.takeDelta(), undefined);
    assert.equal(fake.native.identity.root, '/fake');
  });

  it('ends calls under way when it is closed', async () => {
    const fake = await FakeWorktree.open(addon);
    await fake.run('wait /nowhere/at/all');
    const rescans = [fake.native.rescan(), fake.native.rescan()];
    const closing = fake.native.close();
    for (const rescan of rescans) await assert.rejects(rescan, { code: 'Cancelled' });
    await closing;
  });

  it('makes an uncaught exception of what a listener throws, and goes on', async () => {
    const result = await runProgram(`
      process.on('uncaughtException', (error) => console.log('uncaught', error.message));
      const w = await open('/fake', () => { while (w.takeDelta()); throw new Error('onDeltas'); },
                           () => { throw new Error('onGone'); });
      await w.rescan({ onProgress: ({ filesSeen }) => { if (filesSeen === 0) throw new Error('onProgress'); } });
      await w.content('gone away', 'HEAD');
      await sleep(50);
      console.log(await w.ignored(['a.o']));
      await w.close();`);
    assert.deepEqual(result.stdout.split('\n').sort(), [
      '[ true ]',
      'uncaught onDeltas',
      'uncaught onGone',
      'uncaught onProgress',
    ]);
    assert.equal(result.code, 0);
  });
});
