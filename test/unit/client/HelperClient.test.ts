import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CancellationTokenSource } from 'vscode-languageserver/node';
import { ConnectionLostError, HelperClient, HelperListener } from '../../../extension/client/HelperClient';
import { HelperConnection, NotificationHandlers } from '../../../extension/client/HelperConnection';
import { kMaxRestarts, kWindowMs, RestartPolicy } from '../../../extension/client/RestartPolicy';
import { connectChild } from './childConnection';

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
  helperGivenUp(): void {
    this.events.push('given up');
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

describe('HelperClient', function () {
  this.timeout(30_000);
  let recorder: Recorder;
  let client: HelperClient;
  const begin = (connect: (handlers: NotificationHandlers) => HelperConnection = connectChild) => {
    recorder = new Recorder();
    client = new HelperClient(connect, recorder);
    return client.start();
  };
  afterEach(() => client.stop());

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
    await until(
      () => recorder.events.filter((event) => event === 'started').length >= 2,
      'it was started again',
    );
    assert.deepEqual(recorder.events.slice(0, 3), ['started', 'lost', 'started']);
    assert.ok(
      recorder.messages.some((message) => message.includes('exit code 3')),
      recorder.messages.join('\n'),
    );
    assert.notEqual(client.pid, pid);
  });

  it('asks a plain question again when the helper died over it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'helper-client-'));
    try {
      await begin();
      const path = `once ${join(folder, 'flag')}`;
      assert.deepEqual((await client.discover({ path, depth: 0 })).roots, [path]);
      assert.deepEqual(recorder.events, ['started', 'lost', 'started']);
      assert.ok(recorder.messages.some((message) => message.includes('signal SIGKILL')));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('hands on deltas of the living helper', async () => {
    await begin();
    await client.open({ root: '/a', trusted: true });
    await until(() => recorder.changes.length === 1, 'a delta came');
    assert.deepEqual(recorder.changes, [`of ${client.pid ?? 0}`]);
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
    let broken = true;
    let starts = 0;
    await begin((handlers) => {
      starts++;
      return connectChild(handlers, broken ? { FAKE_HELPER: 'exit' } : {});
    });
    await until(() => recorder.events.includes('given up'), 'it was given up');
    assert.equal(starts, kMaxRestarts + 1);
    assert.deepEqual(recorder.events, ['given up']);
    assert.ok(recorder.messages.some((message) => message.includes('exit code 7')));
    await assert.rejects(client.discover({ path: '/a', depth: 0 }), /ended 5 times within 3 minutes/);

    broken = false;
    await client.restart();
    assert.deepEqual(recorder.events, ['given up', 'started']);
    assert.deepEqual((await client.discover({ path: '/a', depth: 0 })).roots, ['/a']);
  });

  it('keeps one process alive however many restarts overlap', async () => {
    let alive = 0;
    let most = 0;
    await begin((handlers) => {
      most = Math.max(most, ++alive);
      const connection = connectChild(handlers);
      void connection.exited.then(() => alive--);
      return connection;
    });
    const crash = client.discover({ path: 'die', depth: 0 }).catch(() => undefined);
    await Promise.all([client.restart(), client.restart(), client.restart(), crash]);
    await until(() => client.state === 'running', 'it runs');
    assert.equal(most, 1);
    assert.equal(alive, 1);
    const events = recorder.events.join(' ');
    assert.match(events, /^started( lost started)+$/);
  });

  it('restarts and stops a helper that hangs while it starts', async () => {
    let hangs = true;
    const started = begin((handlers) => connectChild(handlers, hangs ? { FAKE_HELPER: 'hang' } : {}));
    await until(() => client.pid !== undefined, 'there is a process');
    hangs = false;
    await client.restart();
    await started;
    assert.deepEqual((await client.discover({ path: '/a', depth: 0 })).roots, ['/a']);
    assert.deepEqual(recorder.events, ['started']);

    hangs = true;
    void client.restart();
    await until(() => client.pid !== undefined && client.state === 'starting', 'the next one starts');
    await client.stop();
    assert.equal(client.pid, undefined);
    assert.deepEqual(recorder.events, ['started', 'lost']);
  });

  it('survives a factory that throws', async () => {
    let attempts = 0;
    await begin((handlers) => {
      if (++attempts === 1) throw new Error('no such file');
      return connectChild(handlers);
    });
    await until(() => client.state === 'running', 'it runs');
    assert.ok(recorder.messages.some((message) => message.includes('no such file')));
  });

  it('rejects calls after it was stopped', async () => {
    await begin();
    await client.stop();
    await assert.rejects(client.discover({ path: '/a', depth: 0 }), /stopped/);
    assert.deepEqual(recorder.events, ['started', 'lost']);
  });

  it('tells a lost helper from a refusal', async () => {
    await begin();
    const open = client.open({ root: '/a', trusted: true });
    await open;
    const pending = client.rescan({ root: '/a' }, () => undefined, new CancellationTokenSource().token);
    process.kill(client.pid ?? 0, 'SIGKILL');
    await assert.rejects(pending, ConnectionLostError);
  });
});

describe('RestartPolicy', () => {
  it('allows four restarts within three minutes', () => {
    let now = 0;
    const policy = new RestartPolicy(() => now);
    for (let i = 0; i < kMaxRestarts; i++) {
      now += 1000;
      assert.equal(policy.allowsRestart(), true);
    }
    assert.equal(policy.allowsRestart(), false);
    now = 1000 + kWindowMs;
    assert.equal(policy.allowsRestart(), true, 'the first one counts no more');
    assert.equal(policy.allowsRestart(), false);
    policy.reset();
    assert.equal(policy.allowsRestart(), true);
  });
});
