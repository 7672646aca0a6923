/** Settings that make git itself faster: shown, written and undone. */
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

  it('shows the settings, writes them, and runs the first git status', async () => {
    await session.workbench.command('Resident Git: Speed Up Git in This Repository...');
    await session.workbench.find('Choose how to speed up git in project', 'Use the fsmonitor Hook');
    await session.workbench.dialog(/to the config of project\?.*core\.untrackedCache = true/s, 'Write');
    await session.workbench.notifications.answer(
      'Run git status',
      /Its next git status still reads every file/,
    );
    await session.workbench.notifications.clear(/git status in project is fast/);
    assert.match(config('core.fsmonitor'), /\/resident-git\/git-resident$/);
    assert.equal(config('feature.manyFiles'), '');
    repository.append('alpha.txt', 'more\n');
    await session.matchesGit(repository);
    assert.equal(repository.git('status', '--porcelain'), ' M alpha.txt\n');
  });

  it('restores the config when that is undone', async () => {
    await session.workbench.command('Resident Git: Undo Git Speed-Up');
    await poll(() => assert.equal(repository.read('.git/config'), initial), { what: 'the config as it was' });
    await session.workbench.notifications.clear(/Restored the config of project: core\.fsmonitor is not set/);
    await session.matchesGit(repository);
  });
});
