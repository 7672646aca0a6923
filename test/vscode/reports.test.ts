/** The diagnostics, and the comparison with git status. */
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

  it('say that git status agrees', async () => {
    await compare();
    await session.workbench.notifications.clear(/Resident Git matches git status \(1 entry\)\./);
    assert.match(session.extensionLog(), /> git --no-optional-locks .*status --porcelain=v2/);
  });

  it('show where git status differs, until a rescan', async () => {
    // No event reports a write through a hard link outside the worktree.
    const outside = session.sandbox.path('outside');
    linkSync(repository.absolute('sub/beta.txt'), outside);
    appendFileSync(outside, 'by another name\n');
    await compare();
    await session.workbench.notifications.answer('Show Report');
    await session.workbench.editorShows(/Different paths: 1.*sub\/beta\.txt: Resident Git no entry, git \.M/);
    assert.equal(repository.git('status', '--porcelain'), ' M alpha.txt\n M sub/beta.txt\n');
    await session.workbench.command('Resident Git: Rescan worktree');
    await session.matchesGit(repository);
    await compare();
    await session.workbench.notifications.clear(/Resident Git matches git status \(2 entries\)\./);
  });

  it('begin with a summary, and have the time of the last changes', async () => {
    repository.write('new.txt', 'new\n');
    await session.matchesGit(repository);
    await session.workbench.command('Resident Git: Show Diagnostics');
    await session.workbench.editorShows(
      /^Resident Git Diagnostics1 repository is open\.No problems found\.The background process is process \d+ and uses \d+ MB of memory\..*All times are local \(UTC[+-]\d\d:\d\d\)\./,
    );
    await session.workbench.editorShows(/On main.*Watching 2 directories.*Last full check: /);
    await session.workbench.editorShows(/1 path, \d+\.\d\d ms after the event/);
    await poll(async () => assert.deepEqual(await session.workbench.notifications.messages(), []), {
      what: 'nothing is told',
    });
  });
});
