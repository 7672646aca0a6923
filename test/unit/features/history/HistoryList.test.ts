/** Pages of commits: their order, their cancellation, and what stays while they change. */
import { strict as assert } from 'node:assert';
import { HistoryList, kPage } from '../../../../extension/features/history/HistoryList';
import { HistoryReader, Page, PageEnd } from '../../../../extension/features/history/HistoryReader';
import { HistoryCommit, Subject } from '../../../../extension/features/history/plan';

interface Read {
  subject: Subject;
  page: Page;
  report: (commits: HistoryCommit[]) => void;
  signal: AbortSignal;
  finish: (end: PageEnd) => Promise<void>;
}

const subject = (path: string, start = 'first'): Subject => ({
  root: '/r',
  path,
  committed: path,
  kind: 'file',
  start,
});
const commit = (oid: string): HistoryCommit => ({
  oid,
  parents: [],
  date: 0,
  author: '',
  email: '',
  subject: '',
});
const commits = (count: number, prefix = '', from = 0) =>
  Array.from({ length: count }, (_, i) => commit(`${prefix}${from + i}`));

describe('pages of a history', () => {
  let reads: Read[];
  let list: HistoryList;
  let changes: number;

  beforeEach(() => {
    reads = [];
    changes = 0;
    const reader: HistoryReader = {
      read: (subject, page, report, signal) =>
        new Promise((resolve) => {
          const finish = async (end: PageEnd) => {
            resolve(end);
            await new Promise((done) => setImmediate(done));
          };
          reads.push({ subject, page, report, signal, finish });
        }),
    };
    list = new HistoryList(reader);
    list.onDidChange(() => changes++);
  });

  const last = (): Read => {
    const read = reads.at(-1);
    assert.ok(read);
    return read;
  };
  const oids = () => list.commits.map(({ oid }) => oid);
  async function fill(): Promise<void> {
    list.open(subject('a'));
    last().report(commits(kPage));
    await last().finish('full');
  }

  it('shows commits as they come, and has more where the page is full', async () => {
    list.open(subject('a'));
    assert.deepEqual(last().page, { skipped: 0, after: undefined, count: kPage });
    last().report(commits(2));
    assert.deepEqual([oids(), list.isReading, list.hasMore], [['0', '1'], true, false]);
    last().report(commits(kPage - 2, '', 2));
    await last().finish('full');
    assert.deepEqual([list.commits.length, list.isReading, list.hasMore], [kPage, false, true]);
    assert.equal(changes, 4);
  });

  it('adds a page after the last commit, and keeps all others', async () => {
    await fill();
    const before = [...list.commits];
    list.more();
    list.more();
    assert.equal(reads.length, 2, 'one read at a time');
    assert.deepEqual(last().page, { skipped: kPage, after: String(kPage - 1), count: kPage });
    last().report(commits(3, '', kPage));
    assert.deepEqual(list.commits.slice(0, kPage), before);
    await last().finish('end');
    assert.deepEqual([list.commits.length, list.hasMore], [kPage + 3, false]);
    list.more();
    assert.equal(reads.length, 2, 'there is no more');
  });

  it('reads from the top where the commits before the page are other ones', async () => {
    await fill();
    list.more();
    await last().finish('moved');
    assert.deepEqual(last().page, { skipped: 0, after: undefined, count: 2 * kPage });
    last().report(commits(60, 'n'));
    assert.equal(oids()[0], '0', 'old commits stay until the list is complete');
    await last().finish('end');
    assert.deepEqual([list.commits.length, oids()[0], list.isReading], [60, 'n0', false]);
  });

  it('replaces all commits at once when the start moves, as many as before', async () => {
    await fill();
    list.more();
    last().report(commits(kPage, '', kPage));
    await last().finish('full');
    list.open(subject('a', 'second'));
    assert.deepEqual(last().page, { skipped: 0, after: undefined, count: 2 * kPage });
    last().report([commit('new'), ...commits(2 * kPage - 1)]);
    assert.equal(oids()[0], '0');
    await last().finish('full');
    assert.deepEqual([oids()[0], list.commits.length, list.hasMore], ['new', 2 * kPage, true]);
  });

  it('keeps the old commits where a refresh fails, and says why', async () => {
    await fill();
    list.open(subject('a', 'second'));
    last().report([commit('new')]);
    await last().finish({ failed: 'no memory' });
    assert.deepEqual([list.commits.length, list.failure, list.isEmpty], [kPage, 'no memory', false]);
  });

  it('cancels the read of another subject, which reports nothing any more', async () => {
    list.open(subject('a'));
    const old = last();
    list.open(subject('b'));
    assert.ok(old.signal.aborted);
    old.report(commits(1, 'old'));
    await old.finish('full');
    assert.deepEqual([oids(), list.isReading, list.hasMore], [[], true, false]);
    last().report(commits(1, 'new'));
    await last().finish('end');
    assert.deepEqual(oids(), ['new0']);
  });

  it('stops when nobody looks, and shows nothing after `clear`', async () => {
    list.open(subject('a'));
    last().report(commits(1));
    list.stop();
    assert.ok(last().signal.aborted);
    assert.deepEqual([oids(), list.isReading], [['0'], false]);
    list.clear();
    assert.deepEqual([oids(), list.subject, list.hasMore], [[], undefined, false]);
    await last().finish('cancelled');
    assert.deepEqual([list.isEmpty, list.isReading], [false, false]);
  });

  it('knows an empty history only when git has ended', async () => {
    list.open(subject('a'));
    assert.equal(list.isEmpty, false);
    await last().finish('end');
    assert.equal(list.isEmpty, true);
  });
});
