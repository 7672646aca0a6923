/** Empty groups of the view: hidden, but for the staged group where a setting shows it. */
import assert from 'node:assert/strict';
import { Repository } from '../support/repository';
import { poll } from './support/poll';
import { Session } from './support/session';

describe('empty groups in the workbench', () => {
  let session: Session;
  let repository: Repository;

  before(async () => {
    const sandbox = await Session.sharedSandbox();
    repository = Repository.init(sandbox, 'project');
    repository.write('alpha.txt', 'alpha\n');
    repository.write('.git/info/exclude', '.vscode/\n');
    repository.commit();
    repository.append('alpha.txt', 'more\n');
    session = await Session.share(sandbox);
    await session.workbench.showSourceControl();
    await session.matchesGit(repository);
  });
  Session.ofSuite();

  async function shows(...expected: string[]): Promise<void> {
    await poll(
      async () => {
        const rows = await session.workbench.scmRows();
        const groups = rows.flatMap((row) => (row.kind === 'group' ? [`${row.name} ${row.count}`] : []));
        assert.deepEqual(groups, expected);
      },
      { what: `the groups are ${expected.join(', ') || 'none'}` },
    );
  }

  it('are hidden', async () => {
    await shows('Changes 1');
    repository.git('add', 'alpha.txt');
    await shows('Staged Changes 1');
    repository.git('reset', '-q', '--hard');
    await shows();
  });

  it('show "Staged Changes" where a setting says so, at once', async () => {
    const setting = { 'residentGit.alwaysShowStagedChangesResourceGroup': true };
    repository.write('.vscode/settings.json', JSON.stringify(setting));
    await shows('Staged Changes 0');
    repository.append('alpha.txt', 'more\n');
    await shows('Staged Changes 0', 'Changes 1');
    repository.write('.vscode/settings.json', '{}');
    await shows('Changes 1');
  });
});
