import assert from 'node:assert/strict';
import { WorktreeLog } from '../../../extension/model/WorktreeLog';
import { ModelState } from '../../../extension/protocol';
import { kWatching } from '../support/deltas';

const failed = (message: string): ModelState => ({ state: 'failed', message });

describe('WorktreeLog', () => {
  let lines: string[];
  let log: WorktreeLog;
  beforeEach(() => {
    lines = [];
    log = new WorktreeLog('/a', (severity, message) => lines.push(`${severity}: ${message}`));
  });

  it('names the reason of a failure, once', () => {
    log.note({ state: failed('/a/.git/index: cut short') });
    log.note({ state: { state: 'verifying', filesSeen: 0, filesExpected: 0, reason: 'the index changed' } });
    log.note({ state: failed('/a/.git/index: cut short') });
    assert.deepEqual(lines, ['error: /a: /a/.git/index: cut short']);
  });

  it('says that the failure ended, and names it again when it comes back', () => {
    log.note({ state: failed('bad') });
    log.note({ state: kWatching });
    log.note({ state: failed('bad') });
    assert.deepEqual(lines, ['error: /a: bad', 'info: /a: resolved: bad', 'error: /a: bad']);
  });

  it('says nothing of a sound worktree', () => {
    log.note({ state: { state: 'scanning', filesSeen: 0, filesExpected: 0 } });
    log.note({ state: kWatching });
    assert.deepEqual(lines, []);
  });

  it('says why git answers', () => {
    log.note({ state: { state: 'delegated', reason: 'the index is split' } });
    assert.deepEqual(lines, ['info: /a: git answers here: the index is split']);
  });

  it('says what the user can do about too few watches', () => {
    const command = 'sudo sysctl -w fs.inotify.max_user_watches=9';
    const shortage = { limit: 'fs.inotify.max_user_watches', needed: 9, command };
    log.note({ state: { state: 'polling', directories: 9, polled: 4, shortage } });
    assert.equal(lines.length, 1);
    assert.ok(lines[0]?.startsWith('warn: /a: ') && lines[0].endsWith(command), lines[0]);
  });

  it('says nothing of polling that the user can do nothing about', () => {
    log.note({ state: { state: 'polling', directories: 9, polled: 4 } });
    assert.deepEqual(lines, []);
  });

  it('tells each file that cannot be read once', () => {
    log.note({ problems: ['x: permission denied', 'y: permission denied'] });
    log.note({ problems: ['x: permission denied'] });
    assert.deepEqual(lines, ['warn: /a: x: permission denied', 'warn: /a: y: permission denied']);
  });
});
