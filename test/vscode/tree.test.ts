/** The tree view, in which folders have rows of their own. */
import assert from 'node:assert/strict';
import { Repository } from '../support/repository';
import { Sandbox } from '../support/sandbox';
import { poll } from './support/poll';
import { Session } from './support/session';

describe('folders of the tree view in the workbench', () => {
  let session: Session;
  let repository: Repository;

  before(async () => {
    const sandbox = new Sandbox();
    repository = Repository.init(sandbox, 'project');
    const names = ['gamma.txt', 'src/delta.txt', 'src/epsilon.txt'];
    for (const name of names) repository.write(name, `${name}\n`);
    repository.commit();
    for (const name of names) repository.append(name, 'more\n');
    const settings = { 'scm.defaultViewMode': 'tree' };
    session = await Session.open(sandbox, { folder: repository.root }, { settings });
    await session.workbench.showSourceControl();
    await groups('Changes 3');
  });
  Session.ofSuite();

  const status = (): string[] =>
    repository.git('--no-optional-locks', 'status', '--porcelain', '-uall').split('\n').slice(0, -1);

  async function groups(...expected: string[]): Promise<void> {
    await poll(
      async () => {
        const shown = (await session.workbench.scmRows()).filter((row) => row.kind === 'group');
        const counts = shown.filter(({ count }) => count > 0).map(({ name, count }) => `${name} ${count}`);
        assert.deepEqual(counts, expected);
      },
      { what: `the view shows ${expected.join(', ')}` },
    );
  }

  it('are staged and unstaged with all that they hold', async () => {
    await session.workbench.folderAction('src', 'Stage Changes');
    await groups('Staged Changes 2', 'Changes 1');
    assert.deepEqual(status(), [' M gamma.txt', 'M  src/delta.txt', 'M  src/epsilon.txt']);
    await session.workbench.folderAction('src', 'Unstage Changes');
    await groups('Changes 3');
    assert.deepEqual(status(), [' M gamma.txt', ' M src/delta.txt', ' M src/epsilon.txt']);
  });
});
