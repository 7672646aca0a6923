/** A workspace without trust is shown, but no git runs for it. */
import assert from 'node:assert/strict';
import { Repository } from '../support/repository';
import { Sandbox } from '../support/sandbox';
import { poll } from './support/poll';
import { Session } from './support/session';

describe('a workspace that is not trusted', () => {
  let session: Session;
  let repository: Repository;

  before(async () => {
    const sandbox = new Sandbox();
    repository = Repository.init(sandbox, 'project');
    repository.write('alpha.txt', 'alpha\n');
    repository.commit();
    repository.write('alpha.txt', 'changed\n');
    repository.write('new.txt', 'new\n');
    const settings = {
      'security.workspace.trust.startupPrompt': 'never',
      'security.workspace.trust.banner': 'never',
    };
    session = await Session.open(sandbox, { folder: repository.root }, { asksForTrust: true, settings });
    await session.workbench.showSourceControl();
  });
  Session.ofSuite();

  const box = () => session.workbench.page.locator('.scm-view .scm-input').first();
  const buttons = () => session.workbench.resource('alpha.txt').locator('.action-label').count();

  /** git's own status, read without a lock. */
  const status = () => repository.git('--no-optional-locks', 'status', '--porcelain');

  it('has its rows, which follow, and nothing that would run git', async () => {
    await session.matchesGit(repository);
    repository.remove('new.txt');
    await session.matchesGit(repository);
    await session.workbench.resource('alpha.txt').hover();
    assert.equal(await box().isVisible(), false);
    assert.doesNotMatch(session.extensionLog(), /> git /);
  });

  it('has no button that works, no command of the palette and no commit', async () => {
    const { workbench } = session;
    const { keyboard } = workbench.page;
    const before = [repository.git('rev-parse', 'HEAD'), status()];
    const row = workbench.resource('alpha.txt');
    await row.hover();
    const button = (label: string) => row.locator(`.action-label[aria-label="${label}"]:not(.disabled)`);
    await button('Open File').first().waitFor();
    for (const label of ['Stage Changes', 'Discard Changes']) assert.equal(await button(label).count(), 0);
    await workbench.focusCommand('Resident Git: Show Log');
    const input = workbench.page.locator('.quick-input-widget:visible .quick-input-box input').first();
    const offered = workbench.page.locator('.quick-input-list .monaco-list-row');
    await input.fill('>Resident Git: Rescan');
    await offered.filter({ hasText: 'Resident Git: Rescan worktree' }).first().waitFor();
    await input.fill('>Resident Git: Stage');
    await offered.filter({ hasText: 'Resident Git: Rescan worktree' }).first().waitFor({ state: 'hidden' });
    assert.deepEqual(
      (await offered.allInnerTexts()).filter((text) => /Resident Git: (Stage|Commit)/.test(text)),
      [],
    );
    await keyboard.press('Escape');
    await row.click();
    await workbench.focusRow(row);
    await keyboard.press('Control+Enter');
    assert.deepEqual([repository.git('rev-parse', 'HEAD'), status()], before);
    assert.doesNotMatch(session.extensionLog(), /> git /);
  });

  it('has all of it once it is trusted', async () => {
    const { page } = session.workbench;
    await session.workbench.command('Workspaces: Manage Workspace Trust');
    await page
      .locator('.workspace-trust-editor .monaco-button')
      .filter({ hasText: /^Trust/ })
      .first()
      .click();
    await page.locator('.workspace-trust-trusted').first().waitFor();
    await page.locator('.monaco-modal-editor-block .codicon-close').first().click();
    await box().waitFor();
    await poll(
      async () => {
        await session.workbench.resource('alpha.txt').hover();
        assert.ok((await buttons()) > 1);
      },
      { what: 'the row has buttons' },
    );
    await session.workbench.rowAction('alpha.txt', 'Stage Changes');
    await poll(() => assert.equal(repository.git('status', '--porcelain'), 'M  alpha.txt\n'), {
      what: 'it is staged',
    });
    await session.matchesGit(repository);
    assert.match(session.extensionLog(), /> git /);
    await session.workbench.rowAction('alpha.txt', 'Unstage Changes');
    await poll(() => assert.equal(status(), ' M alpha.txt\n'), { what: 'it is unstaged' });
    await session.workbench.command('Resident Git: Stage All Changes');
    await poll(() => assert.equal(status(), 'M  alpha.txt\n'), { what: 'all is staged' });
    await session.workbench.writeMessage('trusted');
    await session.workbench.page.keyboard.press('Control+Enter');
    await poll(() => assert.equal(repository.git('log', '-1', '--format=%s'), 'trusted\n'), {
      what: 'it is committed',
    });
    await session.matchesGit(repository);
  });
});
