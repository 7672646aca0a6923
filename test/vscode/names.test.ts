/** Unusual file names arrive complete. */
import assert from 'node:assert/strict';
import { utf8 } from '../support/bytes';
import { Repository } from '../support/repository';
import { Sandbox } from '../support/sandbox';
import { poll } from './support/poll';
import { Session } from './support/session';

const oddNames = [
  ' leading space.txt',
  'trailing space .txt',
  'line\nbreak.txt',
  'tab\there.txt',
  'double "quotes".txt',
  "single 'quotes'.txt",
  'back\\slash.txt',
  'percent %41 and hash #1 and question?.txt',
  'a • bullet.txt',
  'größe/日本語/🎉.txt',
  '-dash.txt',
  '[brackets]{braces}*.txt',
];

describe('odd file names in the workbench', () => {
  let session: Session;
  let repository: Repository;

  before(async () => {
    const sandbox = new Sandbox();
    repository = Repository.init(sandbox, 'odd names');
    repository.write('plain.txt', 'plain\n');
    repository.commit();
    for (const name of oddNames) repository.write(utf8(name), 'odd\n');
    session = await Session.open(sandbox, { folder: repository.root });
    await session.workbench.showSourceControl();
  });
  Session.ofSuite();

  it('shows untracked ones as they are', async () => {
    await session.matchesGit(repository);
    await session.workbench.screenshot('odd-names');
  });

  it('shows them staged', async () => {
    repository.git('add', '-A');
    await session.matchesGit(repository);
  });

  it('shows them changed after a commit', async () => {
    repository.commit();
    for (const name of oddNames) repository.append(utf8(name), 'changed\n');
    await session.matchesGit(repository);
  });

  it('shows a name that is not valid UTF-8, and goes on', async () => {
    repository.commit();
    repository.write('bad\xff\xfename.txt', 'bytes\n');
    repository.append('plain.txt', 'changed\n');
    await poll(
      async () => {
        const rows = await session.workbench.resources();
        assert.ok(rows.some(({ path }) => path.endsWith('/plain.txt')));
        assert.ok(
          rows.some(({ path }) => /\/bad.*name\.txt$/.test(path)),
          JSON.stringify(rows),
        );
        assert.equal(rows.length, 2);
      },
      { what: 'the row of the name that is no text' },
    );
  });
});
