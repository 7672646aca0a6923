/** More changes than the view is given: the group says how many, and the window answers meanwhile. */
import assert from 'node:assert/strict';
import { trackedFile } from '../support/copies';
import { Repository } from '../support/repository';
import { Sandbox } from '../support/sandbox';
import { poll } from './support/poll';
import { Session } from './support/session';

const kChanges = 12_000;

describe(`${kChanges} changes in the workbench`, () => {
  let session: Session;
  let repository: Repository;

  before(async () => {
    const sandbox = new Sandbox();
    repository = Repository.init(sandbox, 'project');
    repository.write('tracked.txt', 'text\n');
    repository.commit();
    session = await Session.open(sandbox, { folder: repository.root });
    await session.workbench.showSourceControl();
    for (let i = 0; i < kChanges; i++) repository.write(trackedFile(i), '');
  });
  Session.ofSuite();

  const groupIs = (expected: string) =>
    poll(
      async () => {
        const groups = (await session.workbench.scmRows()).filter((row) => row.kind === 'group');
        const names = groups.map(({ name }) => name);
        assert.ok(names.includes(expected), names.join(', '));
      },
      { what: `a group is "${expected}"` },
    );

  it('says how many of a group are not shown', async () => {
    await groupIs('Untracked Changes (10,000 of 12,000)');
  });

  it('badges every file, also one that has no row', async () => {
    const { workbench } = session;
    const files = Array.from({ length: kChanges }, (_, i) => trackedFile(i)).sort();
    const last = files.at(-1) ?? '';
    await workbench.openFile(`${repository.root}/${last}`);
    await workbench.showExplorer();
    await poll(
      async () => {
        const row = (await workbench.explorerRows()).find(
          ({ path }) => path === `${repository.root}/${last}`,
        );
        assert.equal(row?.badge, 'U');
      },
      { what: `${last} has a badge` },
    );
    await workbench.showSourceControl();
  });

  it('shows a change beside them, and stages, unstages and commits them all by hand', async () => {
    const { workbench } = session;
    repository.append('tracked.txt', 'more\n');
    await groupIs('Changes');
    await workbench.groupAction('Untracked Changes', 'Stage All Changes');
    await groupIs('Staged Changes (10,000 of 12,000)');
    // The group is out of sight by now.
    await workbench.command('Resident Git: Stage All Changes');
    await groupIs(`Staged Changes (10,000 of ${(kChanges + 1).toLocaleString('en')})`);
    await workbench.groupAction('Staged Changes', 'Unstage All Changes');
    await groupIs('Untracked Changes (10,000 of 12,000)');
    await groupIs('Changes');
    assert.equal(repository.git('diff', '--cached', '--name-only'), '');
    await workbench.command('Resident Git: Stage All Changes');
    await groupIs(`Staged Changes (10,000 of ${(kChanges + 1).toLocaleString('en')})`);
    await workbench.writeMessage('all');
    await workbench.command('Resident Git: Commit');
    await session.matchesGit(repository);
    assert.equal(repository.git('log', '-1', '--format=%s').trim(), 'all');
    assert.equal(repository.git('ls-files').split('\n').length - 1, kChanges + 1);
  });

  it('discards them all after asking', async () => {
    const { workbench } = session;
    for (let i = 0; i < kChanges; i++) repository.append(trackedFile(i), 'edited\n');
    await groupIs('Changes (10,000 of 12,000)');
    await workbench.groupAction('Changes', 'Discard All Changes');
    await workbench.dialog(/discard all changes in 12,000 files/, 'Cancel');
    assert.equal(repository.git('diff', '--name-only').split('\n').length - 1, kChanges);
    await workbench.groupAction('Changes', 'Discard All Changes');
    await workbench.dialog(/discard all changes in 12,000 files/, 'Discard All 12,000 Files');
    await poll(() => assert.equal(repository.git('--no-optional-locks', 'status', '--porcelain'), ''), {
      what: 'git has nothing changed',
    });
    await session.matchesGit(repository);
  });
});
