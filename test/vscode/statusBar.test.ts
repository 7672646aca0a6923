/** The status bar: one pair of items for the branch, and one item for a merge, and for what is wrong. */
import assert from 'node:assert/strict';
import { Repository } from '../support/repository';
import { poll } from './support/poll';
import { Session } from './support/session';
import { RowMenu, ViewMenu } from './support/viewMenu';
import { kViewHeader } from './support/menus';

const kDiagnostics = [
  ...['Show Diagnostics', 'Verify Against git status', 'Show Log'],
  ...['Rescan worktree', 'Scan for Repositories', 'Restart Background Process'],
];

describe('the status bar', () => {
  let session: Session;
  let repository: Repository;

  before(async () => {
    const sandbox = await Session.sharedSandbox();
    const library = Repository.init(sandbox, 'library');
    library.commit('library');
    repository = Repository.init(sandbox, 'project');
    for (const name of ['alpha.txt', 'beta.txt', 'gamma.txt']) repository.write(name, 'base\n');
    repository.commit('base');
    repository.git('checkout', '-q', '-b', 'theirs');
    repository.write('alpha.txt', 'theirs\n');
    repository.commit('theirs');
    repository.git('checkout', '-q', 'main');
    repository.write('alpha.txt', 'ours\n');
    repository.commit('ours');
    session = await Session.share(sandbox);
    await session.workbench.showSourceControl();
    await session.matchesGit(repository);
  });
  Session.ofSuite();

  /** Items about repositories, from left to right: the editor's own, and those of extensions. */
  async function items(): Promise<{ id: string; text: string; label: string }[]> {
    const all = await session.workbench.statusItems();
    return all.filter(({ id }) => /^status\.scm\.|resident/i.test(id));
  }
  async function shows(...expected: string[]): Promise<void> {
    await poll(
      async () => {
        const shown = (await items()).map(({ id, text }) => `${id.replace(/.*residentGit/, 'ours')} ${text}`);
        assert.deepEqual(shown, expected);
      },
      { what: `the status bar has ${expected.join(', ')}` },
    );
  }
  async function hasLabel(id: string, expected: string): Promise<void> {
    await poll(async () => assert.equal((await items()).find((item) => item.id === id)?.label, expected), {
      what: `${id} is called ${expected}`,
    });
  }
  const placeholder = () => session.workbench.page.locator('.quick-input-widget:visible input').first();

  it('has the branch and the way to its upstream once', async () => {
    await shows('status.scm.0 main', 'status.scm.1 ');
    await hasLabel('status.scm.0', 'project (Resident Git) - main, Checkout Branch or Tag...');
    await hasLabel('status.scm.1', 'project (Resident Git) - Publish Branch');
  });

  it("marks the branch as VS Code's own Git does, and says the same in words", async () => {
    repository.write('beta.txt', 'changed\n');
    await shows('status.scm.0 main*', 'status.scm.1 ');
    repository.git('add', 'beta.txt');
    await shows('status.scm.0 main+', 'status.scm.1 ');
    repository.write('new.txt', 'new\n');
    await shows('status.scm.0 main*+', 'status.scm.1 ');
    await hasLabel(
      'status.scm.0',
      'project (Resident Git) - main*+, Checkout Branch or Tag...\nStaged changes, Unstaged changes',
    );
  });

  it('checks out by a click on the branch', async () => {
    await session.workbench.clickStatusItem('project (Resident Git) - main');
    await poll(
      async () =>
        assert.equal(await placeholder().getAttribute('placeholder'), 'Select a branch or tag to checkout'),
      { what: 'it asks what to check out' },
    );
    await session.workbench.page.keyboard.press('Escape');
    repository.git('rm', '-q', '--cached', 'beta.txt');
    repository.git('reset', '-q', '--hard');
    repository.remove('new.txt');
    await shows('status.scm.0 main', 'status.scm.1 ');
  });

  it('has "Merging: Continue" right of them, which leads to conflicts, then commits', async () => {
    repository.tryGit('merge', '-q', 'theirs');
    await shows('status.scm.0 main!', 'status.scm.1 ', 'ours.operation Merging: Continue');
    const item = 'resident-git.resident-git.residentGit.operation';
    await hasLabel(item, 'project: Merging: Continue. 1 file has conflicts');
    await hasLabel(
      'status.scm.0',
      'project (Resident Git) - main!, Checkout Branch or Tag...\nConflicts\nMerging is in progress',
    );
    await session.workbench.showExplorer();
    await session.workbench.clickStatusItem('project: Merging: Continue. 1 file');
    await session.workbench.resource('alpha.txt').first().waitFor();
    await session.workbench.page.locator('.tab.active[data-resource-name="alpha.txt"]').first().waitFor();
    await session.workbench.command('View: Close All Editors');
    repository.write('alpha.txt', 'merged\n');
    repository.git('add', 'alpha.txt');
    await hasLabel(item, 'project: Merging: Continue');
    await session.workbench.clickStatusItem('project: Merging: Continue');
    await shows('status.scm.0 main', 'status.scm.1 ');
    assert.equal(repository.git('log', '-1', '--format=%s'), "Merge branch 'theirs'\n");
  });

  it('speaks of watching only while something is wrong, with the way to the diagnostics', async () => {
    repository.write('.git/info/grafts', '');
    await shows('status.scm.0 main', 'status.scm.1 ', 'ours.status Answered by git');
    const reason = `git answers for this repository: ${repository.root}/.git/info/grafts: grafts are in use`;
    await hasLabel('resident-git.resident-git.residentGit.status', `project, ${reason}`);
    await hasLabel('status.scm.0', `project (Resident Git) - main, Checkout Branch or Tag...\n${reason}`);
    await session.workbench.clickStatusItem('project, git answers');
    await session.workbench.pick('Show Diagnostics');
    await session.workbench.editorShows(/1 repository is open\.project: git answers for this repository/);
    await session.workbench.command('View: Close All Editors');
    repository.remove('.git/info/grafts');
    await shows('status.scm.0 main', 'status.scm.1 ');
  });

  it('has tools for state and repair in one submenu, and none in the title', async () => {
    const title = session.workbench.page.locator(`${kViewHeader} .action-label`);
    for (let i = 0; i < (await title.count()); i++)
      assert.doesNotMatch((await title.nth(i).getAttribute('aria-label')) ?? '', /Rescan|Continue/);
    const menu = new ViewMenu(session.workbench);
    assert.deepEqual(await menu.entriesOf('Diagnostics', 'Show Diagnostics'), kDiagnostics);
    const flat = await menu.entries('Diagnostics');
    assert.deepEqual(
      flat.filter((name) => kDiagnostics.includes(name)),
      [],
    );
  });

  it('has one pair beside a submodule too, and names the repository of a merge', async () => {
    repository.git('submodule', '--quiet', 'add', '--', '../library', 'lib');
    repository.commit('with a submodule');
    await poll(
      async () => {
        // The editor names the repository beside them once another one was active.
        const own = (await items()).filter(({ id }) => id !== 'status.scm.provider');
        assert.deepEqual(
          own.map(({ id, text }) => `${id} ${text}`),
          ['status.scm.0 main', 'status.scm.1 '],
        );
        const rows = session.workbench.page.locator('.scm-view .monaco-list-row:has(.scm-provider)');
        assert.equal(await rows.count(), 2);
      },
      { what: 'one pair beside two repositories' },
    );
    repository.git('checkout', '-q', '-b', 'again', 'HEAD~2');
    repository.git('branch', '-q', '-f', 'theirs', 'main');
    repository.write('alpha.txt', 'again\n');
    repository.commit('again');
    repository.tryGit('merge', '-q', 'main');
    await session.workbench.statusBarShows('project: Merging: Continue');
    const row = session.workbench.page
      .locator('.scm-view .monaco-list-row:has(.scm-provider)')
      .filter({ hasText: 'project' })
      .first();
    assert.deepEqual(
      await new RowMenu(session.workbench, row).entriesOf('Diagnostics', 'Show Diagnostics'),
      kDiagnostics,
    );
    repository.git('merge', '--abort');
  });
});
