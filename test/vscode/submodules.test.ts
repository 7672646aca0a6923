/** Submodules in the view: brought back to the recorded commit by their row, and cloned by the palette. */
import assert from 'node:assert/strict';
import { Repository } from '../support/repository';
import { Sandbox } from '../support/sandbox';
import { poll } from './support/poll';
import { Session } from './support/session';

describe('submodules in the workbench', () => {
  let session: Session;
  let repository: Repository;

  before(async () => {
    const sandbox = new Sandbox();
    const library = Repository.init(sandbox, 'library');
    library.write('l.txt', 'l\n');
    library.commit();
    repository = Repository.init(sandbox, 'project');
    for (const path of ['deep/lib', 'deep/other']) {
      repository.git('submodule', '--quiet', 'add', '--', '../library', path);
    }
    repository.commit();
    repository.git('submodule', '--quiet', 'deinit', '--force', 'deep/other');
    repository.at('deep/lib').commit('another');
    session = await Session.open(sandbox, { folder: repository.root });
    await session.workbench.showSourceControl();
    await session.matchesGit(repository);
  });
  Session.ofSuite();

  const head = () => repository.at('deep/lib').git('rev-parse', 'HEAD').trim();
  const recorded = () => repository.git('rev-parse', ':deep/lib').trim();

  it('asks before another commit is left, and brings the recorded one back', async () => {
    const before = head();
    for (const button of ['Cancel', 'Update']) {
      await session.workbench.contextMenu(session.workbench.resource('deep/lib'), 'Update Submodules');
      await session.workbench.dialog(
        /Another commit than the recorded one is checked out in: deep\/lib/,
        button,
      );
      if (button === 'Cancel') assert.equal(head(), before);
    }
    await poll(() => assert.equal(head(), recorded()), { what: 'the recorded commit is checked out' });
    await session.matchesGit(repository);
  });

  it('clones what is not there yet, by one command', async () => {
    await session.workbench.command('Resident Git: Initialize Submodules');
    await poll(() => assert.ok(repository.exists('deep/other/l.txt')), { what: 'it is cloned' });
    await poll(() => assert.match(session.extensionLog(), /> git .*submodule update --quiet --init -- \[/), {
      what: 'the command is in the log',
    });
  });
});
