/** The place of untracked files in the view, by setting. */
import assert from 'node:assert/strict';
import { Repository } from '../support/repository';
import { poll } from './support/poll';
import { Session } from './support/session';

describe('untracked files in the workbench', () => {
  let session: Session;
  let repository: Repository;

  before(async () => {
    const sandbox = await Session.sharedSandbox();
    repository = Repository.init(sandbox, 'project');
    repository.write('alpha.txt', 'alpha\n');
    repository.commit('base');
    repository.append('alpha.txt', 'changed\n');
    repository.write('new.txt', 'new\n');
    repository.write('.git/info/exclude', '.vscode/\n');
    session = await Session.share(sandbox);
    await session.workbench.showSourceControl();
  });
  Session.ofSuite();

  async function shows(...expected: string[]): Promise<void> {
    await poll(
      async () => {
        const rows = await session.workbench.resources();
        const names = rows.map(({ group, path }) => `${group}: ${path.slice(repository.root.length + 1)}`);
        assert.deepEqual(names, expected);
      },
      { what: `the view shows ${expected.join(', ')}` },
    );
  }
  function set(untrackedChanges: string): void {
    const settings = { 'residentGit.untrackedChanges': untrackedChanges };
    repository.write('.vscode/settings.json', JSON.stringify(settings));
  }
  const status = () =>
    repository.git('--no-optional-locks', 'status', '--porcelain').split('\n').slice(0, -1);
  async function becomes(...expected: string[]): Promise<void> {
    await poll(() => assert.deepEqual(status(), expected), { what: expected.join(', ') });
  }

  it('have a group of their own', async () => {
    await shows('Changes: alpha.txt', 'Untracked Changes: new.txt');
  });

  it('stand among the changes, and are staged with them', async () => {
    set('mixed');
    await shows('Changes: alpha.txt', 'Changes: new.txt');
    await session.workbench.rowAction('new.txt', 'Stage Changes');
    await becomes(' M alpha.txt', 'A  new.txt');
    await shows('Staged Changes: new.txt', 'Changes: alpha.txt');
    repository.git('reset', '-q');
    await shows('Changes: alpha.txt', 'Changes: new.txt');
    await session.workbench.groupAction('Changes', 'Stage All Changes');
    await becomes('M  alpha.txt', 'A  new.txt');
    repository.git('reset', '-q');
    await shows('Changes: alpha.txt', 'Changes: new.txt');
  });

  it('are hidden, and not meant by all', async () => {
    set('hidden');
    await shows('Changes: alpha.txt');
    await session.workbench.command('Resident Git: Stage All Changes');
    await becomes('M  alpha.txt', '?? new.txt');
    set('separate');
    await shows('Staged Changes: alpha.txt', 'Untracked Changes: new.txt');
  });
});
