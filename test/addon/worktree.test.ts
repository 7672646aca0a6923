/** Answers and deltas of a Worktree of the addon. */
import { strict as assert } from 'node:assert';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Configuration, defaultConfiguration } from '../../extension/protocol';
import { FakeWorktree, loadFakeAddon } from './fakeAddon';

function unexpected(): void {
  assert.fail('not expected to be called');
}

describe('addon: a worktree', () => {
  const addon = loadFakeAddon();
  let fake: FakeWorktree;

  beforeEach(async () => {
    fake = await FakeWorktree.open(addon);
  });
  afterEach(() => fake.native.close());
  const configure = (change: Partial<Configuration>) => {
    fake.native.configure({ ...defaultConfiguration, ...change });
  };

  it('knows what it is', () => {
    assert.deepEqual(fake.native.identity, { root: '/fake', gitDir: '/fake/.git', commonDir: '/fake/.git' });
  });

  it('starts with a delta from version 0', async () => {
    await fake.until(() => fake.deltas.length > 0);
    const first = fake.deltas[0];
    assert.equal(first?.baseVersion, 0);
    assert.deepEqual(first.state, { state: 'watching', directories: 1 });
    assert.deepEqual(first.unwatchedFiles, ['/fake/HEAD', '/fake/index']);
  });

  it('takes another time for the sweep, and tells how it stands', async () => {
    const sweeps = () => fake.deltas.flatMap(({ state }) => (state ? [state] : []));
    // States from before the first delta would be merged.
    await fake.until(() => sweeps().length > 0);
    configure({ sweepMinutes: 2.5 });
    await fake.until(() => sweeps().length > 1);
    assert.deepEqual(sweeps().at(-1), {
      state: 'watching',
      directories: 1,
      sweep: { withinMinutes: 2.5, verifiedAt: 1_000_000, percent: 40, paused: 'load' },
    });
    for (const none of [0, -1, NaN]) {
      configure({ sweepMinutes: 2.5 });
      await fake.until(() => sweeps().at(-1)?.state === 'watching' && 'sweep' in (sweeps().at(-1) ?? {}));
      const told = sweeps().length;
      configure({ sweepMinutes: none });
      await fake.until(() => sweeps().length > told);
      assert.deepEqual(sweeps().at(-1), { state: 'watching', directories: 1 });
    }
    assert.throws(() => {
      configure({ sweepMinutes: '1' as unknown as number });
    }, TypeError);
  });

  it('tells details to whoever wants them', async () => {
    await fake.until(() => fake.deltas.length > 0);
    const told = () => fake.deltas.flatMap(({ details }) => (details === undefined ? [] : [details]));
    assert.deepEqual(told(), []);
    configure({ details: true });
    await fake.until(() => told().length > 0);
    configure({ details: false });
    await fake.until(() => told().length > 1);
    assert.deepEqual(told(), [
      {
        tag: { name: 'v1\udcff', distance: 3 },
        stashes: 2,
        action: 'rebase-i 2/5',
        upstream: { remote: 'origin', branch: 'main', url: 'https://x/a' },
        push: { remote: 'mine', branch: 'main', ahead: 1, behind: 4 },
      },
      null,
    ]);
    assert.throws(() => {
      configure({ details: 1 as unknown as boolean });
    }, TypeError);
  });

  it('takes what somebody looks at', async () => {
    await fake.until(() => fake.deltas.length > 0);
    const told = () => fake.deltas.flatMap(({ problems }) => problems ?? []);
    const shown = () => fake.deltas.flatMap(({ upserted }) => upserted.map(({ path }) => path));
    configure({ visible: false });
    await fake.until(() => told().length > 0);
    configure({ visible: true, openFiles: ['d/f', '\udcff'] });
    await fake.until(() => told().length > 1);
    assert.deepEqual(told(), ['hidden', 'visible']);
    assert.deepEqual(shown().sort(), ['d/f', '\udcff']);
    for (const wrong of [
      () => {
        configure({ visible: 1 as unknown as boolean });
      },
      () => {
        configure({ openFiles: [1] as unknown as string[] });
      },
      () => {
        fake.native.configure(undefined as unknown as Configuration);
      },
    ]) {
      assert.throws(wrong, TypeError);
    }
  });

  it('tells every kind of entry in the shape of the protocol', async () => {
    await fake.run(
      'M. a',
      '.D dir/b',
      'R. new',
      '.M sub',
      'u 6 c',
      '? u',
      '- gone',
      '! gone2',
      'branch main',
      'problem p',
      'send',
    );
    await fake.until(() => fake.entries.length > 0);
    assert.deepEqual(fake.entries, [
      { kind: 'changed', path: 'a', index: 'M', worktree: '.' },
      { kind: 'changed', path: 'dir/b', index: '.', worktree: 'D' },
      { kind: 'changed', path: 'new', index: 'R', worktree: '.', from: 'old/new', score: 87 },
      { kind: 'changed', path: 'sub', index: '.', worktree: 'M', submodule: 'SC..' },
      { kind: 'unmerged', path: 'c', conflict: 'AA' },
      { kind: 'untracked', path: 'u' },
    ]);
    const last = fake.deltas.at(-1);
    assert.deepEqual(last?.removed, ['gone']);
    assert.deepEqual(last.removedUntracked, ['gone2']);
    assert.deepEqual(last.problems, ['p']);
    assert.deepEqual(last.branch, { name: 'main', oid: 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391' });
    assert.ok(typeof last.latencyMs === 'number' && last.latencyMs >= 0);
  });

  it('names the seven conflicts', async () => {
    await fake.run('u 1 a', 'u 2 b', 'u 3 c', 'u 4 d', 'u 5 e', 'u 6 f', 'u 7 g', 'send');
    await fake.until(() => fake.entries.length > 0);
    const conflicts = fake.entries.map((entry) => entry.kind === 'unmerged' && entry.conflict);
    assert.deepEqual(conflicts, ['DD', 'AU', 'UD', 'UA', 'DU', 'AA', 'UU']);
  });

  it('carries any bytes of a path there and back', async () => {
    const paths = ['\u00e9', '\udcff\udc80', 'tab\t"quote"', '\u{1f480}', '\u20ac\udce2\udc82'];
    await fake.run(...paths.map((path) => `? ${path}`), 'send');
    await fake.until(() => fake.entries.length > 0);
    assert.deepEqual(
      fake.entries.map(({ path }) => path),
      paths,
    );
  });

  it('gives contents as bytes', async () => {
    const content = await fake.native.content('? a\udcff\u00e9', 'index');
    assert.deepEqual(content, Buffer.from([0x3f, 0x20, 0x61, 0xff, 0xc3, 0xa9]));
    assert.equal(await fake.native.content('a', 'stage1'), undefined);
  });

  it('answers in the order asked', async () => {
    assert.deepEqual(await fake.native.ignored(['a.o', 'b', 'c.o']), [true, false, true]);
    assert.deepEqual(await fake.native.ignored([]), []);
  });

  it('splits a large delta and leaves no gap', async () => {
    await fake.run('many 10000', 'branch main', 'send');
    await fake.until(() => fake.entries.length === 10_000);
    const chunks = fake.deltas.filter(({ upserted }) => upserted.length > 0);
    assert.ok(chunks.length >= 5);
    for (const [i, chunk] of chunks.entries()) {
      assert.ok(chunk.upserted.length <= 2000);
      assert.equal(chunk.more, i < chunks.length - 1 ? true : undefined);
      assert.equal(chunk.branch === undefined, i < chunks.length - 1);
    }
    for (const [i, delta] of fake.deltas.entries()) {
      assert.equal(delta.baseVersion, fake.deltas[i - 1]?.version ?? 0);
    }
  });

  it('merges what waits for a receiver that lags', async () => {
    let wakes = 0;
    let isGone = false;
    const native = await addon.openWorktree(
      '/lag',
      { trusted: true },
      () => wakes++,
      () => (isGone = true),
    );
    for (let i = 0; i < 50; ++i) await native.content(i % 2 ? '? a\nsend' : '! a\n? b\nsend', 'HEAD');
    // Sent after all earlier messages.
    await native.content('gone now', 'HEAD');
    const isTold = (): boolean => isGone;
    while (!isTold()) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(wakes, 1);
    const delta = native.takeDelta();
    assert.equal(delta?.baseVersion, 0);
    assert.deepEqual(delta.upserted.map(({ path }) => path).sort(), ['a', 'b']);
    assert.equal(native.takeDelta(), undefined);
    await native.close();
  });

  it('replays everything from version 0', async () => {
    await fake.run('? a', 'send');
    await fake.until(() => fake.entries.length > 0);
    fake.native.replay();
    await fake.until(() => fake.entries.length > 1);
    const last = fake.deltas.at(-1);
    assert.equal(last?.baseVersion, 0);
    assert.ok(last.version > 1);
    assert.deepEqual(last.upserted, [{ kind: 'untracked', path: 'a' }]);
  });

  it('looks at metadata when told', async () => {
    fake.native.metadataChanged();
    await fake.until(() => fake.deltas.some(({ contentChanged }) => contentChanged === true));
  });

  it('rescans with progress', async () => {
    const seen: number[] = [];
    const result = await fake.native.rescan({
      onProgress: ({ filesSeen, filesExpected }) => {
        assert.equal(filesExpected, 1000);
        seen.push(filesSeen);
      },
    });
    assert.deepEqual(result, { filesSeen: 1000, milliseconds: 100 });
    assert.ok(seen.length > 1);
    assert.deepEqual(
      seen,
      [...seen].sort((a, b) => a - b),
    );
  });

  it('stops a rescan that is aborted, and goes on', async () => {
    const abort = new AbortController();
    const rescan = fake.native.rescan({
      onProgress: () => {
        abort.abort();
      },
      signal: abort.signal,
    });
    await assert.rejects(rescan, { code: 'Cancelled' });
    await assert.rejects(fake.native.rescan({ signal: AbortSignal.abort() }), { code: 'Cancelled' });
    assert.deepEqual(await fake.native.ignored(['a.o']), [true]);
    await fake.native.rescan();
  });

  it('answers questions while a rescan runs', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rg-addon-'));
    await fake.run(`wait ${folder}/go`);
    const rescan = fake.native.rescan();
    await fake.run('? a', 'send');
    writeFileSync(`${folder}/go`, '');
    await rescan;
    rmSync(folder, { recursive: true });
  });

  it('rejects with the code and the message of the native error', async () => {
    await fake.run('fail /r/\udcff: input/output error');
    await assert.rejects(fake.native.ignored(['a']), {
      name: 'Error',
      code: 'Io',
      message: '/r/\udcff: input/output error',
    });
    assert.deepEqual(await fake.native.ignored(['a']), [false]);
  });

  it('says that the worktree went away', async () => {
    await fake.run('gone /fake: the worktree was removed');
    await fake.until(() => fake.goneMessages.length > 0);
    assert.deepEqual(fake.goneMessages, ['/fake: the worktree was removed']);
  });

  it('does not open what cannot be opened', async () => {
    const opened = addon.openWorktree('fail:/x: not a repository', { trusted: true }, unexpected, unexpected);
    await assert.rejects(opened, { code: 'NotFound', message: '/x: not a repository' });
  });

  it('tells nothing before the promise of open is settled', async () => {
    for (let i = 0; i < 50; ++i) {
      let isOpen = false;
      const told: boolean[] = [];
      const native = await addon.openWorktree(
        '/early',
        { trusted: true },
        () => told.push(isOpen),
        unexpected,
      );
      isOpen = true;
      while (told.length === 0) await native.ignored([]);
      await native.close();
      assert.ok(told.every(Boolean));
    }
  });
});
