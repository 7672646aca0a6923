/** Messages from and to the helper process, over real IPC, with the fake service. */
import { strict as assert } from 'node:assert';
import { fork } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CancellationTokenSource } from 'vscode-jsonrpc/node';
import {
  clientRequests,
  type Configuration,
  defaultConfiguration,
  lsp,
  protocolVersion,
  requests,
} from '../../extension/protocol';
import { fakeAddonPath } from './fakeAddon';
import { HelperProcess, installHelper, removeHelper } from './helperProcess';

/** RESIDENT_ROWS=1000000 tests the maximum of a worktree. */
const kManyRows = Number(process.env.RESIDENT_ROWS ?? 20_000);

describe('helper process', () => {
  let folder: string;
  let helper: HelperProcess;

  before(() => {
    folder = installHelper(fakeAddonPath());
  });
  after(() => {
    removeHelper(folder);
  });
  beforeEach(async () => {
    helper = await HelperProcess.start(folder);
  });
  afterEach(async () => {
    if (helper.child.exitCode === null && helper.child.signalCode === null) await helper.stop();
    assert.equal(helper.stdout, '');
  });
  const configure = (change: Partial<Configuration>) =>
    helper.request(requests.configure, { root: '/a', ...defaultConfiguration, ...change });

  it('answers open before it tells the state, which starts from version 0', async () => {
    const opened = await helper.open('/a');
    assert.deepEqual(opened, { root: '/a', gitDir: '/a/.git', commonDir: '/a/.git' });
    assert.equal(helper.changes.length, 0);
    await helper.until(() => helper.changes.length > 0);
    assert.equal(helper.changes[0]?.baseVersion, 0);
    assert.deepEqual(helper.changes[0].state, { state: 'watching', directories: 1 });
  });

  it('tells changes with any bytes in paths, and the latency', async () => {
    await helper.open('/a');
    const paths = ['\u00e9', 'new\u000bline"', '\udcff\udc80', '\u{1f480}'];
    await helper.script('/a', ...paths.map((path) => `? ${path}`), 'send');
    await helper.until(() => helper.view('/a').entries.size === 4);
    assert.deepEqual(helper.view('/a').paths, [...paths].sort());
    assert.ok((helper.view('/a').last?.latencyMs ?? -1) >= 0);
    assert.equal(helper.view('/a').gaps, 0);
  });

  it('answers questions', async () => {
    await helper.open('/a');
    const { ignored } = await helper.request(requests.ignored, {
      root: '/a',
      paths: ['x.o', 'x'],
    });
    assert.deepEqual(ignored, [true, false]);
    const content = await helper.request(requests.content, {
      root: '/a',
      path: '? \udcff',
      source: 'index',
    });
    assert.deepEqual(Buffer.from(content.base64 ?? '', 'base64'), Buffer.from([0x3f, 0x20, 0xff]));
    const none = await helper.request(requests.content, {
      root: '/a',
      path: 'x',
      source: 'stage1',
    });
    assert.deepEqual(none, {});
  });

  it('takes another time for the sweep of a worktree that is open', async () => {
    const open = (sweepMinutes?: number) =>
      helper.request(requests.open, {
        root: '/a',
        trusted: true,
        ...(sweepMinutes !== undefined && { configuration: { ...defaultConfiguration, sweepMinutes } }),
      });
    const withinMinutes = () =>
      helper.changes.flatMap(({ state }) =>
        state?.state === 'watching' && state.sweep !== undefined ? [state.sweep.withinMinutes] : [],
      );
    await open(10);
    await open(10);
    await open();
    assert.deepEqual(withinMinutes(), []);
    await open(5);
    await helper.until(() => withinMinutes().length > 0);
    assert.deepEqual(withinMinutes(), [5]);
  });

  it('tells details to whoever wants them', async () => {
    await helper.open('/a');
    const details = () =>
      helper.changes.flatMap((change) => (change.details === undefined ? [] : [change.details]));
    await configure({ details: true });
    await helper.until(() => details().length > 0);
    await configure({ details: false });
    await helper.until(() => details().length > 1);
    assert.deepEqual(
      details().map((told) => told?.stashes),
      [2, undefined],
    );
  });

  it('is told what somebody looks at', async () => {
    await helper.open('/a');
    await helper.until(() => helper.changes.length > 0);
    const seen = () => helper.changes.flatMap(({ problems }) => problems ?? []);
    await configure({ visible: false, openFiles: ['d/f'] });
    await helper.until(() => seen().length > 0);
    assert.deepEqual(seen(), ['hidden']);
    assert.ok(helper.view('/a').entries.has('?d/f'));
  });

  it('sends a large change in parts', async () => {
    await helper.open('/a');
    await helper.until(() => helper.changes.length > 0);
    const before = helper.changes.length;
    await helper.script('/a', `many ${kManyRows}`, 'send');
    await helper.until(
      () => helper.view('/a').entries.size === kManyRows && helper.view('/a').last?.more !== true,
    );
    const parts = helper.changes.slice(before);
    assert.ok(parts.every(({ upserted }) => upserted.length <= 2000));
    // Every part but the last is marked as a part.
    assert.deepEqual(
      parts.map(({ more }) => more === true),
      parts.map((_, i) => i < parts.length - 1),
    );
    assert.equal(helper.view('/a').gaps, 0);
  });

  it('merges for a client that does not read', async () => {
    await helper.open('/a');
    await helper.until(() => helper.changes.length > 0);
    // A stopped process does not read.
    const program = `
      const { fork } = require('node:child_process');
      const child = fork(${JSON.stringify(join(folder, 'helper.js'))});
      let id = 0; const pending = new Map(); let changes = 0; const seen = new Set(); let last;
      child.on('message', (m) => {
        if (m.method === undefined) { pending.get(m.id)(m.result); return; }
        if (m.method !== '${clientRequests.didChange.method}') return;
        child.send({ jsonrpc: '2.0', id: m.id, result: null });
        changes++; last = m.params;
        for (const e of m.params.upserted) seen.add(e.path);
        if (seen.has('end')) { process.send({ changes, seen: seen.size }); child.kill(); if (process.connected) process.disconnect(); }
      });
      const ask = (method, params) => new Promise((done) => {
        pending.set(++id, done); child.send({ jsonrpc: '2.0', id, method, params });
      });
      (async () => {
        await ask('${lsp.requests.initialize.method}', { initializationOptions: { protocolVersion: ${protocolVersion} } });
        await ask('${requests.open.method}', { root: '/a', trusted: true });
        for (let i = 0; i < 200; ++i) {
          const path = Array.from({ length: 1000 }, (_, k) => (i % 2 ? '? ' : 'M. ') + 'file' + k).join('\\n') + '\\nsend';
          child.send({ jsonrpc: '2.0', id: ++id, method: '${requests.content.method}', params: { root: '/a', path, source: 'stage1' } });
          pending.set(id, () => {});
          child.send({ jsonrpc: '2.0', id: ++id, method: '${requests.content.method}', params: { root: '/a', path, source: 'HEAD' } });
          pending.set(id, () => {});
        }
        child.send({ jsonrpc: '2.0', id: ++id, method: '${requests.content.method}', params: { root: '/a', path: '? end\\nsend', source: 'HEAD' } });
        pending.set(id, () => {});
        // Busy: nothing is read meanwhile.
        setTimeout(() => { const until = Date.now() + 2000; while (Date.now() < until); }, 50);
      })();`;
    const file = join(folder, 'slow-client.js');
    writeFileSync(file, program);
    const client = fork(file, [], { stdio: 'inherit' });
    const result = await new Promise<{ changes: number; seen: number }>((done) => {
      client.on('message', (message) => {
        done(message as { changes: number; seen: number });
      });
    });
    // The 201 steps were merged into fewer messages.
    assert.ok(result.changes < 150, `${result.changes} messages`);
    assert.equal(result.seen, 1001);
  });

  it('tells a client nothing before it has taken in what it was told last, then the newest', async () => {
    let takeIn: (() => void)[] = [];
    helper.onChange = () => new Promise((resolve) => takeIn.push(resolve));
    await helper.open('/a');
    await helper.until(() => takeIn.length > 0);
    const told = helper.changes.length;
    for (let i = 0; i < 20; ++i) {
      await helper.script('/a', `${i % 2 ? 'M. ' : '.M '}f`, `? passing${i}`, 'send');
      await helper.script('/a', `! passing${i}`, 'send');
    }
    await helper.script('/a', 'D. f', 'send');
    // Meanwhile the helper answers questions.
    await helper.request(requests.ignored, { root: '/a', paths: ['x'] });
    assert.equal(helper.changes.length, told);
    helper.onChange = undefined;
    for (const take of takeIn) take();
    takeIn = [];
    await helper.until(() => helper.view('/a').lines.join() === 'D. f');
    const [entry] = helper.view('/a').entries.values();
    assert.deepEqual(entry, { kind: 'changed', path: 'f', index: 'D', worktree: '.' });
    const upserted = helper.changes.slice(told).flatMap((change) => change.upserted);
    assert.deepEqual(upserted, [entry], 'what was superseded is not told');
  });

  it('sends no message above 1 MB', async () => {
    await helper.open('/a');
    for (const filler of ['a', '\u0001', '\udcff', '\u00e9', '\u{1f480}']) {
      const long = (i: number): string => `${filler.repeat(1300)}${i}`;
      const rows = Array.from({ length: 400 }, (_, i) => long(i));
      const before = helper.view('/a').entries.size;
      await helper.script('/a', ...rows.map((row) => `? ${row}`), 'send');
      await helper.until(() => helper.view('/a').entries.size === before + rows.length);
    }
    assert.equal(helper.view('/a').gaps, 0);
    const sizes = helper.changes.map((change) => Buffer.byteLength(JSON.stringify(change)));
    assert.ok(Math.max(...sizes) < 1_000_000, `${Math.max(...sizes)} bytes`);
    assert.ok(Math.max(...sizes) > 300_000, 'the limit is what splits them');
  });

  it('reports the progress of a rescan, and its end', async () => {
    await helper.open('/a');
    const told: { kind: string; message?: string; percentage?: number }[] = [];
    helper.onProgress('t', (value) => told.push(value));
    const result = await helper.request(requests.rescan, { root: '/a', workDoneToken: 't' });
    assert.deepEqual(result, { filesSeen: 1000, milliseconds: 100 });
    assert.equal(told[0]?.kind, 'begin');
    assert.equal(told.at(-1)?.kind, 'end');
    const reports = told.filter(({ kind }) => kind === 'report');
    assert.ok(reports.some(({ message }) => message === '500 of 1,000 files'));
    assert.ok(reports.every(({ percentage = -1 }) => percentage >= 0 && percentage <= 100));
  });

  it('cancels a rescan', async () => {
    await helper.open('/a');
    await helper.script('/a', 'wait /nowhere/at/all');
    const source = new CancellationTokenSource();
    helper.onProgress('t', () => {
      source.cancel();
    });
    const params = { root: '/a', workDoneToken: 't' };
    await assert.rejects(helper.connection.sendRequest(requests.rescan.method, params, source.token), {
      code: -32800,
    });
    await helper.script('/a', 'wait ');
    await helper.request(requests.rescan, { root: '/a' });
  });

  it('keeps the errors of one worktree from the others', async () => {
    await helper.open('/good');
    await assert.rejects(helper.open('fail:/bad: its index is truncated'), /its index is truncated/);
    await helper.open('/sick');
    await helper.script('/sick', 'fail /sick/.git/index: input/output error');
    await assert.rejects(helper.request(requests.ignored, { root: '/sick', paths: ['a'] }), {
      code: -32803,
      message: '/sick/.git/index: input/output error',
      data: { code: 'Io' },
    });
    await helper.script('/sick', 'gone /sick: the worktree was removed');
    await helper.until(() => helper.closes.length > 0);
    assert.deepEqual(helper.closes, [{ root: '/sick', message: '/sick: the worktree was removed' }]);
    await assert.rejects(helper.request(requests.ignored, { root: '/sick', paths: [] }), /not open/);
    await helper.script('/good', '? a', 'send');
    await helper.until(() => helper.view('/good').entries.size === 1);
  });

  it('refuses nonsense, and goes on', async () => {
    await helper.open('/a');
    const refused: [{ method: string }, unknown][] = [
      [{ method: 'residentGit/nothing' }, {}],
      [requests.open, undefined],
      [requests.open, {}],
      [requests.open, { root: 7, trusted: true }],
      [requests.open, { root: 'a\0b', trusted: true }],
      [requests.content, { root: '/a', path: 'x', source: 'nowhere' }],
      [requests.ignored, { root: '/a' }],
      [requests.ignored, { root: '/nowhere', paths: [] }],
      [requests.discover, { path: '/' }],
    ];
    for (const [type, params] of refused) {
      await assert.rejects(helper.request(type, params), type.method);
    }
    await helper.script('/a', '? a', 'send');
    await helper.until(() => helper.view('/a').entries.size === 1);
  });

  it('tells everything again when an open worktree is opened', async () => {
    await helper.open('/a');
    await helper.script('/a', '? one', 'send');
    await helper.until(() => helper.view('/a').entries.size === 1);
    const before = helper.changes.length;
    await Promise.all([helper.open('/a'), helper.open('/a')]);
    await helper.until(() => helper.changes.slice(before).some(({ baseVersion }) => baseVersion === 0));
    assert.deepEqual(helper.view('/a').paths, ['one']);
  });

  it('opens again what was closed, in any order of calls', async () => {
    const calls = [];
    for (let i = 0; i < 10; ++i) {
      calls.push(helper.open('/a'));
      calls.push(helper.request(requests.close, { root: '/a' }));
    }
    calls.push(helper.open('/a'));
    await Promise.all(calls);
    await helper.script('/a', '? a', 'send');
    await helper.until(() => helper.view('/a').entries.size === 1);
    await helper.request(requests.close, { root: '/nowhere' });
  });

  it('opens with the trust that was given last', async () => {
    await helper.open('/a', false);
    await helper.script('/a', '? a', 'send');
    await helper.until(() => helper.view('/a').entries.size === 1);
    await helper.open('/a', true);
    // The fake keeps no state: after a restart it is empty.
    await helper.until(() => helper.view('/a').entries.size === 0);
  });

  it('discovers worktrees', async () => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'rg-discover-')));
    mkdirSync(join(root, 'plain'));
    const none = await helper.request(requests.discover, {
      path: join(root, 'plain'),
      depth: 0,
    });
    assert.deepEqual(none, { roots: [], problems: [] });
    const missing = await helper.request(requests.discover, {
      path: join(root, 'missing'),
      depth: 0,
    });
    assert.equal(missing.problems[0]?.path, join(root, 'missing'));
    rmSync(root, { recursive: true });
  });

  it('notices changes of the metadata files, whether they exist yet or not', async () => {
    const root = mkdtempSync(join(tmpdir(), 'rg-metadata-'));
    writeFileSync(join(root, 'HEAD'), 'a');
    await helper.open(root);
    const told = (): number => helper.changes.filter(({ contentChanged }) => contentChanged).length;
    // The first notification comes when the files are watched.
    await helper.until(() => told() > 0);
    for (const name of ['HEAD', 'index', 'index']) {
      await new Promise((resolve) => setTimeout(resolve, 200));
      const before = told();
      writeFileSync(join(root, name), String(before));
      await helper.until(() => told() > before);
    }
    rmSync(root, { recursive: true });
  });
});
