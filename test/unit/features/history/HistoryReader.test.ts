/** The history of files, folders and lines equals git's own list. */
import { strict as assert } from 'node:assert';
import { PageEnd } from '../../../../extension/features/history/HistoryReader';
import { HistoryCommit } from '../../../../extension/features/history/plan';
import { GitCommand } from '../../../../extension/git/runGit';
import { fromBytes } from '../../../../extension/model/repoPath';
import { toBuffer } from '../../../support/bytes';
import { Repository } from '../../../support/repository';
import { Sandbox } from '../../../support/sandbox';
import { importRandom, readAll, readerOf, subjectOf } from './historyFixture';

const kSeeds = Number(process.env.HISTORY_SEEDS ?? 12);
const kCommits = 60;

describe('the history of a file', () => {
  let sandbox: Sandbox;
  let repository: Repository;

  beforeEach(() => {
    sandbox = new Sandbox();
    repository = Repository.init(sandbox, 'r', '--initial-branch=main');
  });
  afterEach(() => {
    sandbox.remove();
  });

  const listed = (...args: string[]) =>
    repository
      .git('log', ...args)
      .split('\n')
      .slice(0, -1);
  const oids = (commits: readonly HistoryCommit[]) => commits.map(({ oid }) => oid);
  const commit = (content: string, message = 'a message', name = 'file') => {
    repository.write(name, content);
    repository.git('add', '-A');
    repository.git('commit', '-q', '--allow-empty', '-m', message);
    return repository.git('rev-parse', 'HEAD').trim();
  };

  for (let seed = 1; seed <= kSeeds; seed++) {
    it(`is git's own list, also of folders and lines, in the random history ${seed}`, async () => {
      const paths = importRandom(repository, seed, kCommits);
      const reader = readerOf(repository);
      let changes = 0;
      for (const path of paths) {
        const commits = await readAll(reader, subjectOf(repository, path), 1 + (seed % 7));
        assert.deepEqual(oids(commits), listed('--follow', '--format=%H', '--', path), path);
        changes += commits.length;
        for (const { oid, parents, file } of commits) {
          assert.ok(file?.objects);
          const at = (revision: string, name: string) =>
            repository
              .ask('rev-parse', '--verify', '--quiet', `${revision}:${name}`)
              .stdout.toString()
              .trim();
          const none = '0'.repeat(40);
          assert.equal(file.objects.right, at(oid, file.path) || none);
          if (file.from === undefined) assert.equal(file.objects.left, none);
          else assert.equal(file.objects.left, at(parents[0] ?? '', file.from));
        }
      }
      assert.ok(changes > 0);
      for (const folder of ['', 'dir', 'dir/sub', 'nowhere']) {
        const subject = subjectOf(repository, folder, { kind: 'folder' });
        const expected = listed('--no-follow', '--format=%H', '--', ...(folder === '' ? [] : [folder]));
        assert.deepEqual(oids(await readAll(reader, subject, 5)), expected, folder);
      }
      for (const path of repository
        .git('ls-tree', '-r', '-z', '--name-only', 'HEAD')
        .split('\0')
        .slice(0, -1)) {
        const subject = subjectOf(repository, path, { kind: 'lines', lines: { start: 1, end: 4 } });
        const commits = await readAll(reader, subject, 3);
        assert.deepEqual(oids(commits), listed('-s', '--format=%H', `-L2,4:${path}`), path);
        for (const { oid, parents, file } of commits) {
          if (parents.length > 1) continue;
          assert.ok(file, oid);
          repository.git('cat-file', '-e', `${oid}:${file.path}`);
          if (file.from !== undefined) repository.git('cat-file', '-e', `${parents[0]}:${file.from}`);
        }
      }
    });
  }

  it('has author, date, parents and subject', async () => {
    const first = commit('1\n');
    const second = commit('2\n', 'Subject of\ntwo lines\n\nBody');
    const [commits] = [await readAll(readerOf(repository), subjectOf(repository, 'file'))];
    const [newest, oldest] = commits;
    assert.equal(commits.length, 2);
    assert.deepEqual(
      [newest?.oid, newest?.parents, newest?.subject],
      [second, [first], 'Subject of two lines'],
    );
    const [author, email, date] = listed('-1', '--format=%an%n%ae%n%at');
    assert.deepEqual([newest?.author, newest?.email, newest?.date], [author, email, Number(date)]);
    assert.deepEqual([oldest?.oid, oldest?.parents, oldest?.file?.from], [first, [], undefined]);
  });

  it('is read right whatever strangers write, and whatever the config changes', async () => {
    const hostile = [
      ':100644 100644 a b M',
      '--- a/x',
      '@@ -1 +1 @@',
      '%x00%H',
      '\x1b[31mred',
      '"',
      ' '.repeat(3),
    ];
    for (const [i, text] of hostile.entries()) {
      repository.git('config', 'user.name', `${text} A`);
      commit(`${i}\n-- a/other\n++ b/other\n@@ -9 +9 @@\n${text}\n`, text.trim() === '' ? '.' : text);
    }
    commit(`last\n`, 'long '.repeat(4_000));
    for (const [key, value] of [
      ...[
        ['log.follow', 'true'],
        ['log.showSignature', 'true'],
        ['color.ui', 'always'],
        ['diff.noprefix', 'true'],
      ],
      ...[
        ['diff.mnemonicPrefix', 'true'],
        ['format.pretty', 'fuller'],
        ['i18n.logOutputEncoding', 'latin1'],
      ],
      ...[
        ['log.date', 'relative'],
        ['diff.external', 'false'],
        ['log.decorate', 'full'],
      ],
    ] as [string, string][])
      repository.git('config', key, value);
    const commits = await readAll(readerOf(repository), subjectOf(repository, 'file'), 3);
    assert.deepEqual(oids(commits), listed('--no-show-signature', '--follow', '--format=%H', '--', 'file'));
    assert.equal(commits[0]?.subject.length, 500);
    assert.deepEqual(
      commits.slice(1, -1).map(({ subject }) => subject),
      hostile
        .slice(1)
        .map((text) => text.trim() || '.')
        .reverse(),
    );
    const lines = subjectOf(repository, 'file', { kind: 'lines', lines: { start: 0, end: 1 } });
    const ofLines = await readAll(readerOf(repository), lines, 2);
    assert.deepEqual(oids(ofLines), oids(commits));
    for (const { file } of ofLines) assert.deepEqual([file?.path, file?.line], ['file', 0]);
  });

  for (const name of ['two\nlines', ':(top)x', 'd/[b]\xff', '"quoted"\t', 'ends ']) {
    it(`is found by the name ${JSON.stringify(name)}`, async () => {
      const expected = ['1\n', '2\n'].map((content) => commit(content, 'm', name)).reverse();
      const path = fromBytes(toBuffer(name));
      const commits = await readAll(readerOf(repository), subjectOf(repository, path));
      assert.deepEqual(oids(commits), expected);
      for (const { file } of commits) assert.equal(file?.path, path);
    });
  }

  it('is refused where the name cannot be passed to git, and where git fails, with the reason', async () => {
    commit('1\n');
    const ends: PageEnd[] = [];
    const reader = readerOf(repository);
    const read = (subject: ReturnType<typeof subjectOf>) =>
      reader.read(subject, { skipped: 0, count: 5 }, () => assert.fail(), new AbortController().signal);
    ends.push(await read(subjectOf(repository, fromBytes(toBuffer('\xff\n')))));
    ends.push(await read(subjectOf(repository, 'file', { kind: 'lines', lines: { start: 8, end: 9 } })));
    ends.push(await read(subjectOf(repository, 'file', { start: 'f'.repeat(40) })));
    assert.deepEqual(ends, [
      { failed: 'the name is not valid UTF-8' },
      { failed: 'file file has only 1 lines' },
      { failed: `bad object ${'f'.repeat(40)}` },
    ]);
  });

  it('is one git for a page, which is ended when the page is full', async () => {
    for (let i = 0; i < 8; i++) commit(`${i}\n`);
    const commands: GitCommand[] = [];
    const reader = readerOf(repository, (command) => commands.push(command));
    const read = async (skipped: number, after?: string) => {
      const found: string[] = [];
      const page = { skipped, after, count: 3 };
      const note = (commits: HistoryCommit[]) => found.push(...oids(commits));
      const end = await reader.read(subjectOf(repository, 'file'), page, note, new AbortController().signal);
      return { end, found };
    };
    const all = listed('--format=%H');
    assert.deepEqual(await read(0), { end: 'full', found: all.slice(0, 3) });
    assert.deepEqual(await read(3, all[2]), { end: 'full', found: all.slice(3, 6) });
    assert.deepEqual(await read(6, all[5]), { end: 'end', found: all.slice(6) });
    assert.deepEqual(await read(3, all[1]), { end: 'moved', found: [] });
    assert.equal(commands.length, 4);
  });

  it('ends at once when nobody waits any more', async () => {
    importRandom(repository, 1, 400);
    const abort = new AbortController();
    const reader = readerOf(repository);
    const subject = subjectOf(repository, '', { kind: 'folder' });
    let reports = 0;
    const end = await reader.read(
      subject,
      { skipped: 0, count: 10_000 },
      () => {
        reports++;
        abort.abort();
      },
      abort.signal,
    );
    assert.deepEqual([end, reports], ['cancelled', 1]);
  });
});
