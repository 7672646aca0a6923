/** Start and end of the helper process, over real IPC, with the fake service. */
import { strict as assert } from 'node:assert';
import { fork } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { errorCodes, protocolVersion, requests } from '../../extension/protocol';
import { fakeAddonPath } from './fakeAddon';
import { HelperProcess, installHelper, removeHelper } from './helperProcess';

describe('life of the helper process', () => {
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

  it('tells who it is', async () => {
    const other = new HelperProcess(folder);
    const result = await other.initialize(protocolVersion);
    const packageJson = readFileSync(resolve(__dirname, '../../package.json'), 'utf8');
    const { version } = JSON.parse(packageJson) as { version: string };
    assert.deepEqual(result.helper, { version, protocolVersion, pid: other.child.pid });
    assert.deepEqual(result.capabilities, {});
    await other.stop();
  });

  it('refuses an extension of another version, and says so', async () => {
    const other = new HelperProcess(folder);
    const code = errorCodes.wrongVersion;
    await assert.rejects(other.initialize(protocolVersion + 1), {
      code,
      message:
        'The extension uses protocol version 2, but the background process uses version 1. ' +
        'Reload the window or reinstall Resident Git.',
    });
    const message = /^The extension uses an unknown protocol version/;
    await assert.rejects(other.initialize(undefined), { code, message });
    await assert.rejects(other.open('/a'), /not initialized/);
    await other.initialize(protocolVersion);
    await other.open('/a');
    await other.stop();
  });

  it('ends when its parent is gone', async () => {
    await helper.open('/a');
    await helper.script('/a', 'wait /nowhere/at/all');
    helper.request(requests.rescan, { root: '/a' }).catch(() => undefined);
    helper.child.disconnect();
    assert.deepEqual(await helper.exited, { code: 0, signal: null });
  });

  it('ends cleanly on SIGTERM, and when told to exit without shutdown', async () => {
    await helper.open('/a');
    helper.child.kill('SIGTERM');
    assert.deepEqual(await helper.exited, { code: 0, signal: null });
    helper = await HelperProcess.start(folder);
    await helper.connection.sendNotification('exit');
    assert.deepEqual(await helper.exited, { code: 1, signal: null });
  });

  it('can be killed, and the next one opens the same', async () => {
    await helper.open('/a');
    helper.kill();
    await helper.exited;
    helper = await HelperProcess.start(folder);
    await helper.open('/a');
    await helper.script('/a', '? a', 'send');
    await helper.until(() => helper.view('/a').entries.size === 1);
  });

  it('says why it cannot work without its addon', async () => {
    const bare = installHelper();
    const other = new HelperProcess(bare);
    await assert.rejects(
      other.initialize(protocolVersion),
      /resident_git\.node: the native module is missing/,
    );
    await assert.rejects(other.open('/a'), /not initialized/);
    writeFileSync(join(bare, 'resident_git.node'), 'not a library'.repeat(100));
    await assert.rejects(other.initialize(protocolVersion), /not built for the platform/);
    await other.stop();
    removeHelper(bare);
  });

  it('says what it is when it is started by hand', async () => {
    const child = fork(join(folder, 'helper.js'), [], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    child.disconnect();
    const code = await new Promise((done) => child.on('exit', done));
    assert.ok(code === 0 || code === 2);
  });
});
