/** The addon in a process that may start no more threads: it reports that, and the process goes on. */
import { strict as assert } from 'node:assert';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { limitedUser } from '../support/limited';
import { addonPath } from './realAddon';

/** Waits for a message, loads the addon, and reports the error. */
const kLoader = `
process.once('message', (path) => {
  let told = 'loaded';
  try { require(path); } catch (error) { told = error.code + ': ' + error.message; }
  process.send(told, () => process.disconnect());
});
process.send('ready');
`;

const next = (child: ChildProcess): Promise<unknown> =>
  new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code, signal) => reject(new Error(`ended with ${signal ?? code}`)));
  });

describe('addon without threads', () => {
  let folder: string;
  let addon: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'resident-threads-'));
    chmodSync(folder, 0o755);
    addon = join(folder, 'resident_git.node');
    copyFileSync(addonPath(), addon);
    chmodSync(addon, 0o755);
  });
  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  /**
   * Loads the addon in a process whose user then has this limit of processes and threads. Returns the result.
   */
  async function load(limit: string): Promise<unknown> {
    const who = { uid: limitedUser, gid: limitedUser, cwd: folder };
    const child = spawn(process.execPath, ['-e', kLoader], {
      ...who,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    try {
      assert.equal(await next(child), 'ready');
      execFileSync('prlimit', [`--pid=${child.pid}`, `--nproc=${limit}`], who);
      const told = next(child);
      child.send(addon);
      return await told;
    } finally {
      child.kill('SIGKILL');
    }
  }

  (process.getuid?.() === 0 ? it : it.skip)('says that it can start none (needs root)', async () => {
    assert.equal(await load('1000'), 'loaded');
    assert.equal(await load('1'), 'Io: cannot start a thread: Resource temporarily unavailable');
  });
});
