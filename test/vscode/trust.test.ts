/** A workspace that nobody has said to trust: it is shown, and no git is run for it. */
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

  it('has its rows, which follow, and nothing that would run git', async () => {
    await session.matchesGit(repository);
    repository.remove('new.txt');
    await session.matchesGit(repository);
    await session.workbench.resource('alpha.txt').hover();
    assert.equal(await box().isVisible(), false);
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
  });
});
