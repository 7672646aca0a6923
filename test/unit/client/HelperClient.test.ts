import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { CancellationTokenSource } from 'vscode-languageserver/node';
import { ConnectionLostError, HelperClient, HelperListener } from '../../../extension/client/HelperClient';
import type { TransportEvents, TransportFactory } from '../../../extension/client/HelperTransport';
import { installVscodeStandIn, outputChannel } from './vscodeStandIn';

/** What the library's default error handler allows. */
const kMaxRestarts = 4;

class Recorder implements HelperListener {
  readonly events: string[] = [];
  readonly messages: string[] = [];
  readonly changes: string[] = [];

  helperStarted(): void {
    this.events.push('started');
  }
  helperLost(): void {
    this.events.push('lost');
  }
  helperGivenUp(message: string): void {
    this.events.push('given up');
    this.messages.push(message);
  }
  didChange(params: { upserted: { path: string }[] }): void {
    this.changes.push(...params.upserted.map((entry) => entry.path));
  }
  didClose(): void {
    this.events.push('closed');
  }
  log(_severity: string, message: string): void {
    this.messages.push(message);
  }
}

async function until(condition: () => boolean, what: string): Promise<void> {
  for (let waited = 0; !condition(); waited += 10) {
    assert.ok(waited < 15_000, `waited in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describe('HelperClient', () => {
  let folder: string;
  let module: string;
  let recorder: Recorder;
  let client: HelperClient;

  before(() => {
    installVscodeStandIn();
    folder = mkdtempSync(join(tmpdir(), 'helper-client-'));
    module = join(folder, 'fakeHelper.js');
    const entryPoints = [join(__dirname, 'fakeHelper.ts')];
    buildSync({ entryPoints, outfile: module, bundle: true, platform: 'node', logLevel: 'warning' });
  });
  after(() => {
    rmSync(folder, { recursive: true });
  });

  const connect: TransportFactory = async (events: TransportEvents) => {
    const { connectLanguageClient } = await import('../../../extension/client/languageClient.js');
    const channel = outputChannel((line) => recorder.messages.push(line));
    return connectLanguageClient(
      { module, cwd: folder, path: process.env.PATH ?? '', outputChannel: channel },
      events,
    );
  };
  const begin = (guise?: string, factory = connect) => {
    process.env.FAKE_HELPER = guise ?? '';
    recorder = new Recorder();
    client = new HelperClient(factory, recorder);
    return client.start();
  };
  const count = (wanted: string) => recorder.events.filter((event) => event === wanted).length;
  const assertLogged = (wanted: string) => {
    assert.ok(
      recorder.messages.some((message) => message.includes(wanted)),
      recorder.messages.join('\n'),
    );
  };
  beforeEach(() => {
    process.env.FAKE_HELPER_LOG = join(folder, 'log');
  });
  afterEach(async () => {
    await client.stop();
    const log = join(folder, 'log');
    if (existsSync(log)) {
      assert.doesNotMatch(readFileSync(log, 'utf8'), /beside/, 'one process at a time');
      rmSync(log);
    }
    delete process.env.FAKE_HELPER;
    delete process.env.FAKE_HELPER_LOG;
  });
  const starts = () => readFileSync(join(folder, 'log'), 'utf8').trim().split('\n').length;

  const kill = () => {
    // 0 would be everybody.
    assert.ok(client.pid !== undefined);
    process.kill(client.pid, 'SIGKILL');
  };

  it('answers calls that were made before the helper was ready', async () => {
    const started = begin();
    assert.deepEqual(await client.discover({ path: '/a', depth: 0 }), { roots: ['/a'], problems: [] });
    await started;
    assert.deepEqual(recorder.events, ['started']);
    assert.equal(client.state, 'running');
  });

  it('starts a helper that crashed again, and logs how it ended', async () => {
    await begin();
    const { pid } = client;
    await assert.rejects(
      client.open({ root: '/a', trusted: true }).then(() => client.discover({ path: 'crash', depth: 0 })),
    );
    await until(() => count('started') >= 2, 'it was started again');
    assert.deepEqual(recorder.events.slice(0, 3), ['started', 'lost', 'started']);
    assertLogged('exited with code 3');
    assert.notEqual(client.pid, pid);
  });

  it('asks a plain question again when the helper died over it', async () => {
    await begin();
    const path = `once ${join(folder, 'flag')}`;
    assert.deepEqual((await client.discover({ path, depth: 0 })).roots, [path]);
    assert.deepEqual(recorder.events, ['started', 'lost', 'started']);
    assertLogged('signal SIGKILL');
  });

  it('does not wait for whoever a dead helper left its pipes to', async () => {
    await begin();
    await assert.rejects(client.discover({ path: 'die', depth: 0 }), ConnectionLostError);
    await until(() => client.state === 'running', 'it was started again');
  });

  it('hands on deltas of the living helper', async () => {
    await begin();
    await client.open({ root: '/a', trusted: true });
    await until(() => recorder.changes.length === 1, 'a delta came');
    assert.deepEqual(recorder.changes, [`of ${client.pid ?? 0}`]);
    kill();
    await until(() => count('started') === 2, 'it was started again');
    await client.open({ root: '/a', trusted: true });
    await until(() => recorder.changes.length === 2, 'a delta came of the next one');
    assert.equal(recorder.changes[1], `of ${client.pid ?? 0}`);
  });

  it('reports progress and cancels', async () => {
    await begin();
    const reports: string[] = [];
    const source = new CancellationTokenSource();
    const rescan = client.rescan(
      { root: '/a' },
      ({ message, percentage }) => {
        reports.push(`${message ?? ''} (${percentage ?? 0})`);
        if (reports.length === 3) source.cancel();
      },
      source.token,
    );
    await assert.rejects(rescan, /cancelled as asked/);
    assert.deepEqual(reports, ['1 of 4 files (25)', '2 of 4 files (50)', '3 of 4 files (75)']);
  });

  it('gives up a helper that never comes up, and starts it on request', async () => {
    await begin('exit');
    await until(() => count('given up') > 0, 'it was given up');
    assert.equal(starts(), kMaxRestarts + 1);
    assert.deepEqual(recorder.events, ['given up']);
    assertLogged('exited with code 7');
    await assert.rejects(client.discover({ path: '/a', depth: 0 }), /crashed 5 times in the last 3 minutes/);

    process.env.FAKE_HELPER = '';
    await client.restart();
    assert.deepEqual(recorder.events, ['given up', 'started']);
    assert.deepEqual((await client.discover({ path: '/a', depth: 0 })).roots, ['/a']);
  });

  it('gives up a helper that dies again and again, and counts anew after a restart on request', async () => {
    await begin();
    for (let i = 0; i < kMaxRestarts; i++) {
      kill();
      await until(() => count('started') === i + 2, 'it was started again');
    }
    kill();
    await until(() => count('given up') === 1, 'it was given up');
    await client.restart();
    kill();
    await until(() => count('started') === kMaxRestarts + 3, 'it was started again');
    assert.equal(count('given up'), 1);
  });

  for (const [guise, reason] of [
    ['refuse', /the native part is missing/],
    ['stranger', /background process uses protocol version 2, but the extension uses version 1/],
    ['old', /background process uses an unknown protocol version/],
  ] as const) {
    it(`gives up a helper at once that is a stranger or cannot work, and says why: ${guise}`, async () => {
      await begin(guise);
      await until(() => count('given up') > 0, 'it was given up');
      await until(() => client.pid === undefined, 'its process has ended');
      assert.equal(starts(), 1);
      assert.deepEqual(recorder.events, ['given up']);
      await assert.rejects(client.discover({ path: '/a', depth: 0 }), reason);
      assert.match(recorder.messages.join('\n'), reason);

      process.env.FAKE_HELPER = '';
      await client.restart();
      assert.deepEqual((await client.discover({ path: '/a', depth: 0 })).roots, ['/a']);
    });
  }

  it('keeps one process alive however many restarts overlap', async () => {
    await begin();
    const crash = client.discover({ path: 'crash', depth: 0 }).catch(() => undefined);
    await Promise.all([client.restart(), client.restart(), client.restart(), crash]);
    await until(() => client.state === 'running', 'it runs');
    assert.match(recorder.events.join(' '), /^started( lost started)+$/);
  });

  it('restarts and stops a helper that hangs while it starts', async () => {
    const started = begin('hang');
    await until(() => client.pid !== undefined, 'there is a process');
    process.env.FAKE_HELPER = '';
    await client.restart();
    await started;
    assert.deepEqual((await client.discover({ path: '/a', depth: 0 })).roots, ['/a']);
    assert.deepEqual(recorder.events, ['started']);

    process.env.FAKE_HELPER = 'hang';
    void client.restart();
    await until(() => client.pid !== undefined && client.state === 'starting', 'the next one starts');
    await client.stop();
    assert.equal(client.pid, undefined);
    assert.deepEqual(recorder.events, ['started', 'lost']);
  });

  it('gives up where there is no transport, and tries again on request', async () => {
    let attempts = 0;
    await begin('', (events) => {
      if (++attempts === 1) throw new Error('no such file');
      return connect(events);
    });
    assert.deepEqual(recorder.events, ['given up']);
    assertLogged('no such file');
    await client.restart();
    assert.equal(client.state, 'running');
  });

  it('rejects calls after it was stopped, and starts no more', async () => {
    await begin();
    await client.stop();
    await client.restart();
    await assert.rejects(client.discover({ path: '/a', depth: 0 }), /stopped/);
    assert.deepEqual(recorder.events, ['started', 'lost']);
    assert.equal(client.pid, undefined);
  });

  it('tells a lost helper from a refusal', async () => {
    await begin();
    const open = client.open({ root: '/a', trusted: true });
    await open;
    const pending = client.rescan({ root: '/a' }, () => undefined, new CancellationTokenSource().token);
    kill();
    await assert.rejects(pending, ConnectionLostError);
  });
});
