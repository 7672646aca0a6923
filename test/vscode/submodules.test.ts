/**
 * Submodules in the view: each with rows of its own, brought back to the recorded commit by their row, and cloned by the
 * palette, theirs too.
 */
import assert from 'node:assert/strict';
import { Repository } from '../support/repository';
import { poll } from './support/poll';
import { Session } from './support/session';

const kCloned = ['deep/lib', 'deep/lib/inner', 'deep/other', 'deep/other/inner'];

describe('submodules in the workbench', () => {
  let session: Session;
  let repository: Repository;

  before(async () => {
    const sandbox = await Session.sharedSandbox();
    const inner = Repository.init(sandbox, 'inner');
    inner.write('i.txt', 'i\n');
    inner.commit();
    const library = Repository.init(sandbox, 'library');
    library.write('l.txt', 'l\n');
    library.git('submodule', '--quiet', 'add', '--', '../inner', 'inner');
    library.commit();
    repository = Repository.init(sandbox, 'project');
    for (const path of ['deep/lib', 'deep/other']) {
      repository.git('submodule', '--quiet', 'add', '--', '../library', path);
    }
    repository.commit();
    repository.git('submodule', '--quiet', 'deinit', '--force', 'deep/other');
    repository.at('deep/lib').commit('another');
    session = await Session.share(sandbox);
    await session.workbench.showSourceControl();
    await session.matchesGit(repository);
  });
  Session.ofSuite();

  const head = () => repository.at('deep/lib').git('rev-parse', 'HEAD').trim();
  const recorded = () => repository.git('rev-parse', ':deep/lib').trim();

  const showsOwnRows = async (...paths: string[]) => {
    for (const path of paths) repository.write(`${path}/own.txt`, 'own\n');
    await session.matchesGit(repository, ...paths.map((path) => repository.at(path)));
  };

  it('shows one that lies deep with rows of its own, though none of its files is open', async () => {
    await showsOwnRows('deep/lib');
    repository.remove('deep/lib/own.txt');
    await session.matchesGit(repository);
  });

  it('asks before another commit is left, and brings the recorded one back', async () => {
    const before = head();
    for (const button of ['Cancel', 'Update']) {
      await session.workbench.contextMenu(session.workbench.resource('deep/lib'), 'Update Submodules');
      await session.workbench.dialog(
        /The checked-out commit differs from the recorded commit in: deep\/lib/,
        button,
      );
      if (button === 'Cancel') assert.equal(head(), before);
    }
    await poll(() => assert.equal(head(), recorded()), { what: 'the recorded commit is checked out' });
    await session.matchesGit(repository);
  });

  it('keeps the menu of a row whose submodule changes meanwhile', async () => {
    repository.at('deep/lib').commit('one more');
    await session.matchesGit(repository);
    const lib = session.workbench.resource('deep/lib');
    await session.workbench.contextMenuDuring(lib, 'Update Submodules', async () => {
      repository.write('deep/lib/own.txt', 'own\n');
      // A row that is told later is shown later.
      repository.write('later.txt', 'later\n');
      await session.matchesGit(repository, repository.at('deep/lib'));
    });
    await session.workbench.dialog(/The checked-out commit differs from the recorded/, 'Update');
    await poll(() => assert.equal(head(), recorded()), { what: 'the recorded commit is checked out' });
    for (const name of ['deep/lib/own.txt', 'later.txt']) repository.remove(name);
    await session.matchesGit(repository);
  });

  it('clones what is not there yet, by one command', async () => {
    await session.workbench.command('Resident Git: Initialize Submodules');
    await session.workbench.find('Choose a repository', 'project');
    await poll(() => assert.ok(repository.exists('deep/other/l.txt')), { what: 'it is cloned' });
    await poll(() => assert.match(session.extensionLog(), /> git .*submodule update --quiet --init -- \[/), {
      what: 'the command is in the log',
    });
  });

  it('clones those within too, and asks before a commit may be left there', async () => {
    const title = 'Update Submodules Recursively';
    const inner = 'deep/lib/inner';
    assert.ok(!repository.exists(`${inner}/i.txt`));
    await session.workbench.command(`Resident Git: ${title}`);
    await session.workbench.find('Choose a repository', 'project');
    for (const path of [inner, 'deep/other/inner'])
      await poll(() => assert.ok(repository.exists(`${path}/i.txt`)), { what: `${path} is cloned` });
    const recorded = repository.at('deep/lib').git('rev-parse', ':inner').trim();
    // Each has its place in the view before a row is clicked.
    await showsOwnRows(...kCloned);
    for (const path of kCloned) repository.remove(`${path}/own.txt`);
    repository.at(inner).commit('another');
    await session.matchesGit(repository, repository.at('deep/lib'));
    // Not the row of "inner", which names its folder "deep/lib".
    const rows = session.workbench.page.locator('.scm-view .monaco-list-row:has(.resource)');
    await session.workbench.contextMenu(rows.filter({ hasText: /^\s*lib/ }).first(), title);
    await session.workbench.dialog(/may differ from the recorded commit in or below: deep\/lib/, 'Update');
    await poll(() => assert.equal(repository.at(inner).git('rev-parse', 'HEAD').trim(), recorded), {
      what: 'the recorded commit is checked out within',
    });
    await session.matchesGit(repository);
  });

  it('shows one that is added in a terminal', async () => {
    repository.git('submodule', '--quiet', 'add', '--', '../inner', 'deep/added');
    await showsOwnRows('deep/added');
  });
});
