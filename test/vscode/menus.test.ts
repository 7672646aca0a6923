/** Sizes and entries of menus: the view's own menu, and the menus of every kind of row. */
import assert from 'node:assert/strict';
import { Repository } from '../support/repository';
import { Session } from './support/session';
import { RowMenu, ViewMenu } from './support/viewMenu';

const kMaxOfRow = 10;
/** The limit during a merge, which adds two entries. */
const kMaxOfView = 20;
/** Entries of VS Code itself. */
const kOfEditor = ['View as Tree', 'View as List', 'Views', 'View & Sort'];

describe('menus of the workbench', () => {
  let session: Session;
  let repository: Repository;

  before(async () => {
    const sandbox = await Session.sharedSandbox();
    const library = Repository.init(sandbox, 'library');
    library.write('l.txt', 'l\n');
    library.commit();
    repository = Repository.init(sandbox, 'project');
    for (const name of ['modified.txt', 'deleted.txt', 'conflicted.txt', 'staged.txt'])
      repository.write(name, 'base\n');
    repository.git('submodule', '--quiet', 'add', '--', '../library', 'lib');
    repository.commit();
    repository.git('checkout', '-q', '-b', 'theirs');
    repository.write('conflicted.txt', 'theirs\n');
    repository.commit();
    repository.git('checkout', '-q', 'main');
    repository.write('conflicted.txt', 'ours\n');
    repository.write('modified.txt', 'committed\n');
    repository.commit();
    repository.tryGit('merge', 'theirs');
    repository.at('lib').commit('another');
    repository.write('staged.txt', 'staged\n');
    repository.git('add', 'staged.txt');
    repository.write('modified.txt', 'modified\n');
    repository.remove('deleted.txt');
    repository.write('untracked.txt', 'untracked\n');
    session = await Session.share(sandbox);
    // With a second repository, the view's title would lack the entries of a single repository.
    session.set('residentGit.ignoredRepositories', ['lib']);
    await session.workbench.reload();
    await session.workbench.showSourceControl();
    await session.matchesGit(repository);
  });
  Session.ofSuite();

  const rowMenu = (path: string, expected: string) =>
    new RowMenu(session.workbench, session.workbench.resource(path)).entries(expected);

  it('of the view have daily commands first, then submenus', async () => {
    const entries = await new ViewMenu(session.workbench).entries('Pull, Push');
    const from = entries.indexOf('Pull');
    assert.deepEqual(entries.slice(from, from + 7), [
      ...['Pull', 'Push', 'Clone Repository...', 'Checkout to...', 'Fetch'],
      ...['Commit', 'Changes'],
    ]);
    const own = entries.filter((name) => !kOfEditor.includes(name));
    assert.ok(own.length <= kMaxOfView, own.join('; '));
  });

  for (const [path, entry, works, cannot] of [
    ['modified.txt', 'Stage Changes', ['Open File', 'Open Changes', 'Compare'], ['Add to .gitignore']],
    ['deleted.txt', 'Stage Changes', ['Open Changes', 'Open File (HEAD)'], ['Open File', 'Compare']],
    [
      'untracked.txt',
      'Stage Changes',
      ['Open File', 'Add to .gitignore'],
      ['Open Changes', 'Open File (HEAD)'],
    ],
    ['conflicted.txt', 'Accept All Current', ['Open File', 'Resolve in Merge Editor'], ['Discard Changes']],
    [
      'staged.txt',
      'Unstage Changes',
      ['Open File', 'Open File (HEAD)'],
      ['Stage Changes', 'Discard Changes'],
    ],
    ['lib', 'Stage Changes', ['Update Submodules'], ['Open File', 'Open File (HEAD)', 'Compare']],
  ] as const) {
    it(`of ${path} have at most ${kMaxOfRow} entries, and each of them works there`, async () => {
      const entries = await rowMenu(path, entry);
      assert.ok(entries.length <= kMaxOfRow, entries.join('; '));
      for (const name of works) assert.ok(entries.includes(name), `${name}: ${entries.join('; ')}`);
      for (const name of cannot) assert.ok(!entries.includes(name), `${name}: ${entries.join('; ')}`);
    });
  }

  it('have rename and comparison of a file in the explorer', async () => {
    await session.workbench.showExplorer();
    const row = session.workbench.page
      .locator('.explorer-folders-view .monaco-list-row')
      .filter({ hasText: 'modified.txt' })
      .first();
    await new RowMenu(session.workbench, row).pick('Resident Git', 'Open Changes with Previous Commit');
    await session.workbench.page.locator('.tab.active[data-resource-name="modified.txt"]').first().waitFor();
  });
});
