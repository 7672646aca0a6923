/** What Resident Git tells of itself: what it watches, and whether git status says the same. */
import assert from 'node:assert/strict';
import { appendFileSync, linkSync } from 'node:fs';
import { Repository } from '../support/repository';
import { poll } from './support/poll';
import { Session } from './support/session';

describe('reports in the workbench', () => {
  let session: Session;
  let repository: Repository;

  before(async () => {
    const sandbox = await Session.sharedSandbox();
    repository = Repository.init(sandbox, 'project');
    for (const name of ['alpha.txt', 'sub/beta.txt']) repository.write(name, `${name}\n`);
    repository.commit();
    repository.append('alpha.txt', 'more\n');
    session = await Session.share(sandbox);
    await session.workbench.showSourceControl();
    await session.matchesGit(repository);
  });
  Session.ofSuite();

  const compare = () => session.workbench.command('Resident Git: Verify Against git status');

  it('say that git status says the same', async () => {
    await compare();
    await session.workbench.notifications.clear(
      /git status says the same of project as Resident Git: 1 entry, in \d+ ms/,
    );
    assert.match(session.extensionLog(), /> git --no-optional-locks .*status --porcelain=v2/);
  });

  it('show where it says something else, until all files are being checked again', async () => {
    // What is written by another name outside of the worktree no event tells.
    const outside = session.sandbox.path('outside');
    linkSync(repository.absolute('sub/beta.txt'), outside);
    appendFileSync(outside, 'by another name\n');
    await compare();
    await session.workbench.notifications.answer('Show Report');
    await session.workbench.editorShows(/different things: 1.*sub\/beta\.txt: Resident Git nothing, git \.M/);
    assert.equal(repository.git('status', '--porcelain'), ' M alpha.txt\n M sub/beta.txt\n');
    await session.workbench.command('Resident Git: Rescan worktree');
    await session.matchesGit(repository);
    await compare();
    await session.workbench.notifications.clear(/says the same of project as Resident Git: 2 entries/);
  });

  it('show what is watched, and how long the last changes took', async () => {
    repository.write('new.txt', 'new\n');
    await session.matchesGit(repository);
    await session.workbench.command('Resident Git: Show Diagnostics');
    await session.workbench.editorShows(/The helper is process \d+, \d+ MB of memory/);
    await session.workbench.editorShows(/Directories: \d+ watched, 0 polled/);
    await session.workbench.editorShows(/1 path, \d+\.\d\d ms after the event/);
    await poll(async () => assert.deepEqual(await session.workbench.notifications.messages(), []), {
      what: 'nothing is told',
    });
  });
});
