/** git itself asks who has the repository open: what that writes is said, written, and undone. */
import assert from 'node:assert/strict';
import { Repository } from '../support/repository';
import { poll } from './support/poll';
import { Session } from './support/session';

describe('git that asks Resident Git, in the workbench', () => {
  let session: Session;
  let repository: Repository;
  let initial: string;

  before(async () => {
    const sandbox = await Session.sharedSandbox();
    repository = Repository.init(sandbox, 'project');
    repository.write('alpha.txt', 'alpha\n');
    repository.commit();
    initial = repository.read('.git/config');
    session = await Session.share(sandbox);
    await session.workbench.showSourceControl();
    await session.matchesGit(repository);
  });
  Session.ofSuite();

  const config = (name: string) => repository.tryGit('config', name).stdout.toString('utf8').trim();

  it('does so after it was said what is written', async () => {
    await session.workbench.command('Resident Git: Speed Up Git in This Repository...');
    await session.workbench.dialog(
      /ask Resident Git what changed in project\?.*core\.untrackedCache = true/s,
      'Write',
    );
    await session.workbench.notifications.clear(/git asks Resident Git in project from now on/);
    assert.match(config('core.fsmonitor'), /\/resident-git\/git-resident$/);
    assert.equal(config('feature.manyFiles'), '');
    repository.append('alpha.txt', 'more\n');
    await session.matchesGit(repository);
    assert.equal(repository.git('status', '--porcelain'), ' M alpha.txt\n');
  });

  it('does so no more when that is undone', async () => {
    await session.workbench.command('Resident Git: Undo Git Speed-Up');
    await poll(() => assert.equal(repository.read('.git/config'), initial), { what: 'the config as it was' });
    await session.workbench.notifications.clear(/The config of project: core\.fsmonitor is not set/);
    await session.matchesGit(repository);
  });
});
