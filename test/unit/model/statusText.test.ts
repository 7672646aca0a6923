/** The state of a repository: a text in the status bar only where something is wrong, and a line for each fact. */
import assert from 'node:assert/strict';
import { HelperCondition, statusDetails, statusLine } from '../../../extension/model/statusText';
import { ModelState } from '../../../extension/protocol';

const source = {
  branch: { name: 'main', oid: '1'.repeat(40) },
  operation: undefined,
  stale: false,
} as const;
const watching: ModelState = { state: 'watching', directories: 3 };
const line = (state: ModelState, more: object = {}, helper: HelperCondition = 'running') => {
  const inState = { ...source, state, ...more };
  return { ...statusLine(inState, helper), details: statusDetails(inState, helper) };
};
const kTime = new Date(2026, 0, 2, 14, 3, 21).getTime();

describe('statusLine', () => {
  it('shows nothing in the status bar while nothing is wrong', () => {
    const { text, trouble, severity, summary } = line(watching);
    assert.deepEqual([text, trouble, severity, summary], ['', undefined, 'normal', 'Watching 3 directories']);
    assert.equal(line({ state: 'watching', directories: 1 }).summary, 'Watching 1 directory');
  });

  it('counts while it scans, which is no trouble', () => {
    const { text, summary, isBusy, trouble } = line({
      state: 'scanning',
      filesSeen: 1234,
      filesExpected: 50000,
    });
    assert.equal(text, '$(sync~spin) Scanning 1,234/50,000');
    assert.deepEqual([summary, isBusy, trouble], ['Scanning 1,234 of 50,000 files', true, undefined]);
    const begins = line({ state: 'scanning', filesSeen: 0, filesExpected: 0 });
    assert.deepEqual([begins.text, begins.summary], ['$(sync~spin) Scanning', 'Scanning 0 files']);
    assert.equal(line({ state: 'scanning', filesSeen: 1, filesExpected: 0 }).summary, 'Scanning 1 file');
  });

  it('warns of the watch limit, with the numbers and the command in the details', () => {
    const command = 'sudo sysctl fs.inotify.max_user_watches=524288';
    const shortage = { limit: 'fs.inotify.max_user_watches', needed: 524288, command };
    const state: ModelState = { state: 'polling', directories: 9, polled: 40, shortage };
    const { text, severity, trouble, details } = line(state);
    assert.deepEqual([text, severity], ['$(warning) Watch Limit Reached', 'warning']);
    assert.equal(trouble, 'Out of inotify watches. Directories: 9 watched, 40 polled');
    assert.deepEqual(details.slice(1), [
      'Out of inotify watches. Directories: 9 watched, 40 polled',
      `Set fs.inotify.max_user_watches to 524288: ${command}`,
    ]);
  });

  it('warns of no polling that more watches would not end', () => {
    const of = (polled: number) => line({ state: 'polling', directories: 9, polled });
    assert.deepEqual([of(4).text, of(4).severity, of(4).trouble], ['', 'normal', undefined]);
    assert.deepEqual(of(4).details.slice(1), ['4 directories report no events and are polled']);
    assert.deepEqual(of(1).details.slice(1), ['1 directory reports no events and is polled']);
  });

  it('has the time of the last full check, and why the next one is paused', () => {
    const sweep = { withinMinutes: 10, verifiedAt: kTime, percent: 0 };
    const last = (state: ModelState) => line(state).details.at(-1);
    assert.equal(last({ ...watching, sweep }), 'Last full check: 14:03:21 (every 10 minutes)');
    assert.equal(
      last({ ...watching, sweep: { ...sweep, withinMinutes: 1, percent: 40 } }),
      'Last full check: 14:03:21 (every minute, 40% of the next check)',
    );
    assert.equal(
      last({ ...watching, sweep: { ...sweep, paused: 'battery' } }),
      'Last full check: 14:03:21 (paused on battery)',
    );
    assert.equal(
      last({ ...watching, sweep: { ...sweep, paused: 'load' } }),
      'Last full check: 14:03:21 (paused under load)',
    );
    assert.equal(line({ ...watching, sweep }, { stale: true }).details.length, 2, 'nothing is sure then');
  });

  it('names git where git answers, and files that only the background checks', () => {
    const { text, trouble, details } = line({ state: 'delegated', reason: 'x', linkedBeyond: 1234 });
    assert.equal(text, '$(info) Answered by git');
    assert.equal(trouble, 'git answers for this repository: x');
    assert.equal(details.at(-1), 'Files with several hard links, checked only in the background: 1,234');
  });

  it('names the program that it waits for, as the trouble too', () => {
    const waiting = (name: string, files: number) =>
      line({ ...watching, waiting: { name, files, since: kTime } });
    const { text, trouble, details } = waiting('filter lfs', 1412);
    assert.equal(text, '');
    assert.equal(trouble, 'Waiting for filter lfs (1,412 files) since 14:03:21');
    assert.equal(details.at(-1), trouble);
    assert.equal(waiting('filter lfs', 1).trouble, 'Waiting for filter lfs (1 file) since 14:03:21');
    assert.equal(waiting('git status of sub', 0).trouble, 'Waiting for git status of sub since 14:03:21');
  });

  it('names the reason of a failure', () => {
    const { text, severity, trouble } = line({ state: 'failed', message: '.git/index: bad signature' });
    assert.deepEqual([text, severity, trouble], ['$(error) No Status', 'error', '.git/index: bad signature']);
  });

  it('says that the background process has stopped, whatever the state was', () => {
    const { severity, text, details } = line(watching, {}, 'givenUp');
    assert.deepEqual([severity, text], ['error', '$(error) Resident Git Stopped']);
    assert.equal(
      details.at(-1),
      'The background process has stopped. The status may be stale, and a sped-up git is slow again.',
    );
    assert.equal(line(watching, {}, 'starting').isBusy, true);
  });
});
