/** What the menu of a row does with its file. */
import assert from 'node:assert/strict';
import { Repository } from '../support/repository';
import { kPatienceMs, poll } from './support/poll';
import { Session } from './support/session';
import { RowMenu } from './support/viewMenu';

describe('the file of a row in the workbench', () => {
  let session: Session;
  let repository: Repository;

  before(async () => {
    const sandbox = await Session.sharedSandbox();
    repository = Repository.init(sandbox, 'project');
    repository.write('alpha.txt', 'as HEAD has it\n');
    repository.write('gone.txt', 'gone\n');
    repository.commit('base');
    repository.write('alpha.txt', 'changed\n');
    repository.write('[new] file.txt', 'new\n');
    session = await Session.share(sandbox);
    await session.workbench.showSourceControl();
    await session.matchesGit(repository);
  });
  Session.ofSuite();

  async function menu(path: string, item: string): Promise<void> {
    await session.workbench.contextMenu(session.workbench.resource(path), item);
  }
  const submenu = (path: string, name: string, item: string) =>
    new RowMenu(session.workbench, session.workbench.resource(path)).pick(name, item);

  it('opens as it is, by its button', async () => {
    await session.workbench.rowAction('alpha.txt', 'Open File');
    await session.workbench.editorShows(/^changed/);
  });

  it('is shown as it is and as it changed by the buttons of the editor, and by the palette', async () => {
    const { workbench } = session;
    const tab = (title: string) =>
      workbench.page.locator(`.tab.active[data-resource-name="alpha.txt"]`).filter({ hasText: title });
    const isShown = (title: 'alpha.txt (Working Tree)' | '') =>
      poll(
        async () => {
          const text = (await tab('alpha.txt').first().textContent({ timeout: 5_000 })) ?? '';
          assert.equal(text.includes('(Working Tree)'), title !== '', text);
        },
        { what: title || 'the file alone' },
      );
    const button = (title: string) =>
      workbench.page
        .locator(`.editor-group-container.active .editor-actions [aria-label="${title}"]`)
        .first()
        .click();
    await isShown('');
    await button('Open Changes');
    await isShown('alpha.txt (Working Tree)');
    await button('Open File');
    await isShown('');
    await workbench.command('Resident Git: Open Changes');
    await isShown('alpha.txt (Working Tree)');
    await workbench.command('Resident Git: Open File');
    await isShown('');
  });

  it('opens as HEAD has it', async () => {
    await menu('alpha.txt', 'Open File (HEAD)');
    await session.workbench.editorShows(/^as HEAD has it/);
  });

  it('opens as HEAD has it, by the name that it had there; not where HEAD has none', async () => {
    const { workbench } = session;
    repository.git('mv', 'gone.txt', 'renamed.txt');
    repository.append('renamed.txt', 'more\n');
    await session.matchesGit(repository);
    const row = workbench.page
      .locator('.scm-view .monaco-list-row:has(.resource)')
      .filter({ hasText: 'renamed.txt' })
      .nth(1);
    await workbench.contextMenu(row, 'Open File (HEAD)');
    await workbench.editorShows(/^gone$/);
    repository.git('mv', 'renamed.txt', 'gone.txt');
    repository.git('checkout', '-q', 'gone.txt');
    await session.matchesGit(repository);
    repository.git('add', ':(literal)[new] file.txt');
    await session.matchesGit(repository);
    const ofNew = new RowMenu(workbench, workbench.resource('[new] file.txt'));
    assert.equal((await ofNew.entries('Unstage Changes')).includes('Open File (HEAD)'), false);
    repository.git('reset', '-q');
    await session.matchesGit(repository);
    await menu('alpha.txt', 'Open File (HEAD)');
    await workbench.editorShows(/^as HEAD has it/);
  });

  it('is opened from what HEAD has of it', async () => {
    await session.workbench.command('Resident Git: Open File');
    await session.workbench.editorShows(/^changed/);
  });

  it('is compared with a branch, and with what it was before its last commit', async () => {
    repository.git('branch', 'first');
    repository.write('alpha.txt', 'the second\n');
    repository.git('commit', '-q', '-m', 'second', 'alpha.txt');
    repository.git('commit', '-q', '-m', 'of nothing', '--allow-empty');
    // The row goes and comes: what stands there before it has gone is the old one.
    await session.matchesGit(repository);
    repository.write('alpha.txt', 'changed\n');
    await session.matchesGit(repository);
    const side = session.workbench.page.locator(
      '.editor-group-container.active .editor.original .view-lines',
    );
    /** A row that changes in the moment of the click has nothing opened: then it is chosen again. */
    const shows = (text: string, open: () => Promise<void>) =>
      poll(
        async () => {
          await open();
          const check = async () => {
            const shown = (await side.first().textContent({ timeout: 5_000 })) ?? '';
            assert.equal(shown.replaceAll('\u00a0', ' '), text);
          };
          await poll(check, { what: 'it', timeoutMs: kPatienceMs / 4 });
        },
        { what: `the other side is ${text}` },
      );
    await shows('as HEAD has it', () => submenu('alpha.txt', 'Compare', 'Open Changes with Previous Commit'));
    await session.workbench.command('View: Close All Editors');
    await shows('the second', async () => {
      await submenu('alpha.txt', 'Compare', 'Open Changes with Branch or Tag...');
      await session.workbench.find('Select a branch or tag to compare with', 'main');
    });
    repository.git('reset', '-q', 'first');
    await session.matchesGit(repository);
  });

  it('is ignored by a line that means it alone', async () => {
    await menu('[new] file.txt', 'Add to .gitignore');
    await poll(() => assert.equal(repository.read('.gitignore'), '/\\[new\\] file.txt\n'), {
      what: 'the line',
    });
    await session.matchesGit(repository);
    assert.equal(repository.git('status', '--porcelain'), ' M alpha.txt\n?? .gitignore\n');
  });

  it('is ignored here alone, and nowhere else', async () => {
    repository.write('mine.txt', 'mine\n');
    await session.matchesGit(repository);
    await menu('mine.txt', 'Add to .git/info/exclude');
    await poll(() => assert.match(repository.read('.git/info/exclude'), /^\/mine\.txt\n$/m), {
      what: 'the line',
    });
    await session.matchesGit(repository);
    assert.equal(repository.git('status', '--porcelain'), ' M alpha.txt\n?? .gitignore\n');
  });

  it('is shown with all changes of its group', async () => {
    repository.write('beta.txt', 'beta\n');
    repository.git('add', 'beta.txt');
    repository.git('rm', '-q', '--cached', 'gone.txt');
    repository.remove('gone.txt');
    await session.matchesGit(repository);
    const shows = (...patterns: RegExp[]) =>
      poll(
        async () => {
          const editor = session.workbench.page.locator('.multiDiffEditor').first();
          const text = ((await editor.textContent({ timeout: 5_000 })) ?? '').replaceAll('\u00a0', ' ');
          for (const pattern of patterns) assert.match(text, pattern);
        },
        { what: `${patterns.join(', ')} are shown` },
      );
    await session.workbench.groupAction('Staged Changes', 'Open Staged Changes');
    await shows(/beta\.txt/, /gone\.txt/);
    await session.workbench.command('View: Close All Editors');
    repository.append('alpha.txt', 'not staged\n');
    await session.matchesGit(repository);
    await session.workbench.groupAction('Changes', 'Open Changes');
    await shows(/alpha\.txt.*not staged/);
    await session.workbench.command('View: Close All Editors');
    await session.workbench.command('Resident Git: Open Staged Changes');
    await shows(/beta\.txt/, /gone\.txt/);
    await session.workbench.command('View: Close All Editors');
    await session.workbench.keyMenu(session.workbench.group('Untracked Changes'), 'Open Untracked Changes');
    await shows(/\.gitignore/);
    await session.workbench.command('View: Close All Editors');
    repository.git('reset', '-q', '--hard');
    await session.matchesGit(repository);
    repository.write('alpha.txt', 'changed\n');
    await session.matchesGit(repository);
  });

  it('has its path and its change copied, by the mouse and by keys', async () => {
    const { workbench } = session;
    await submenu('alpha.txt', 'Copy', 'Copy Relative Path');
    await workbench.pastes('alpha.txt');
    await submenu('alpha.txt', 'Copy', 'Copy Patch');
    await workbench.pastes(/^diff --git a\/alpha\.txt b\/alpha\.txt/);
    await new RowMenu(workbench, workbench.resource('alpha.txt'), { byKeys: true }).pickByKeys(
      'Copy',
      'Copy Path',
    );
    await workbench.pastes(`${repository.root}/alpha.txt`);
  });

  it('is shown in the explorer, by the mouse and by keys', async () => {
    const { workbench } = session;
    for (const reveal of [
      () => menu('alpha.txt', 'Reveal in Explorer View'),
      () => workbench.keyMenu(workbench.resource('alpha.txt'), 'Reveal in Explorer View'),
    ]) {
      await reveal();
      await workbench.explorerShows(`${repository.root}/alpha.txt`);
      await workbench.showSourceControl();
    }
  });

  it("is not offered in the file manager of a machine that has no window's desktop", async () => {
    const { page } = session.workbench;
    const items = page.locator('.monaco-menu .action-item');
    await session.workbench.resource('alpha.txt').click({ button: 'right' });
    await items.filter({ hasText: 'Reveal in Explorer View' }).first().waitFor();
    assert.equal(await items.filter({ hasText: 'Open Containing Folder' }).count(), 0);
    await page.keyboard.press('Escape');
  });

  it('is renamed and deleted, when it is as it was committed, by the palette', async () => {
    const { workbench } = session;
    await workbench.openFile(`${repository.root}/gone.txt`);
    await workbench.command('Resident Git: Rename');
    const input = workbench.page.locator('.quick-input-widget:visible .quick-input-box input').first();
    await input.waitFor();
    // Its name alone is selected.
    await workbench.page.keyboard.type('moved.txt');
    await workbench.page.keyboard.press('Enter');
    await workbench.page.locator('.tab.active[data-resource-name="moved.txt"]').first().waitFor();
    await session.matchesGit(repository);
    assert.match(repository.git('status', '--porcelain'), /^R {2}gone\.txt -> moved\.txt$/m);
    assert.equal(await workbench.page.locator('.tab[data-resource-name="gone.txt"]').count(), 0);
    repository.git('commit', '-q', '-m', 'moved');
    await session.matchesGit(repository);
    await workbench.command('Resident Git: Delete');
    await poll(() => assert.match(repository.git('status', '--porcelain'), /^D {2}moved\.txt$/m), {
      what: 'it is deleted',
    });
    await session.matchesGit(repository);
    await workbench.page.locator('.tab[data-resource-name="moved.txt"]').first().waitFor({ state: 'hidden' });
  });
});
