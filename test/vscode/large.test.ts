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

  it('shows a change beside them, and follows when they are staged and committed', async () => {
    repository.append('tracked.txt', 'more\n');
    await groupIs('Changes');
    repository.git('add', '-A');
    await groupIs(`Staged Changes (10,000 of ${(kChanges + 1).toLocaleString('en')})`);
    repository.git('commit', '-q', '-m', 'all');
    await session.matchesGit(repository);
  });
});
