/** Conflicts as a person resolves them: in the merge editor, by one side or both, and marked resolved. */
import assert from 'node:assert/strict';
import { Repository } from '../support/repository';
import { poll } from './support/poll';
import { Session } from './support/session';

const kTexts = ['editor.txt', 'current.txt', 'incoming.txt', 'both.txt', 'marked.txt'];
/** More than a group of the view shows of other changes. */
const kMany = 10_050;

describe('conflicts in the workbench', () => {
  let session: Session;
  let repository: Repository;

  before(async () => {
    const sandbox = await Session.sharedSandbox();
    repository = Repository.init(sandbox, 'project');
    for (const name of [...kTexts, 'deleted.txt', 'kept.txt']) repository.write(name, 'start\nbase\nend\n');
    repository.commit('base');
    repository.git('checkout', '-q', '-b', 'theirs');
    for (const name of kTexts) repository.write(name, 'start\ntheirs\nend\n');
    for (const name of ['deleted.txt', 'kept.txt']) repository.remove(name);
    repository.commit('theirs');
    repository.git('checkout', '-q', 'main');
    for (const name of [...kTexts, 'deleted.txt', 'kept.txt']) repository.write(name, 'start\nours\nend\n');
    repository.commit('ours');
    repository.tryGit('merge', 'theirs');
    session = await Session.share(sandbox);
    await session.workbench.showSourceControl();
    await session.matchesGit(repository);
  });
  Session.ofSuite();

  const unmerged = () => repository.git('diff', '--name-only', '--diff-filter=U').split('\n').slice(0, -1);
  const statusOf = (path: string) => repository.git('status', '--porcelain', '--', path);
  async function menu(path: string, item: string): Promise<void> {
    await session.workbench.contextMenu(session.workbench.resource(path), item);
  }
  async function fileBecomes(path: string, text: string): Promise<void> {
    await poll(() => assert.equal(repository.read(path), text), { what: `what ${path} holds` });
  }
  async function isMarkedResolved(path: string): Promise<void> {
    await poll(() => assert.ok(!unmerged().includes(path)), { what: `${path} is resolved` });
    await session.matchesGit(repository);
  }

  it('stand in a group of their own, above the others', async () => {
    repository.write('new.txt', 'new\n');
    await session.matchesGit(repository);
    const groups = (await session.workbench.scmRows()).filter((row) => row.kind === 'group');
    assert.deepEqual(
      groups.filter(({ count }) => count > 0).map(({ name, count }) => `${name} ${count}`),
      ['Merge Changes 7', 'Untracked Changes 1'],
    );
    repository.remove('new.txt');
  });

  it('are resolved in the merge editor', async () => {
    await session.workbench.rowAction('editor.txt', 'Resolve in Merge Editor');
    const { page } = session.workbench;
    const input = (title: string) => page.locator('.code-view').filter({ hasText: title }).first();
    await input('Incoming').waitFor();
    assert.match((await input('Current').textContent()) ?? '', /main/);
    await page
      .locator('.merge-editor-conflict-actions a')
      .filter({ hasText: 'Accept Incoming' })
      .first()
      .click();
    await page.locator('.editor-actions .action-label[aria-label="Complete Merge"]').first().click();
    await fileBecomes('editor.txt', 'start\ntheirs\nend\n');
    await isMarkedResolved('editor.txt');
    assert.equal(statusOf('editor.txt'), 'M  editor.txt\n');
  });

  it('are resolved to one side or both by the menu, and stay until they are marked resolved', async () => {
    await menu('current.txt', 'Accept All Current');
    await fileBecomes('current.txt', 'start\nours\nend\n');
    await menu('incoming.txt', 'Accept All Incoming');
    await fileBecomes('incoming.txt', 'start\ntheirs\nend\n');
    await menu('both.txt', 'Accept All Both');
    await fileBecomes('both.txt', 'start\nours\ntheirs\nend\n');
    assert.deepEqual(unmerged().sort(), [
      'both.txt',
      'current.txt',
      'deleted.txt',
      'incoming.txt',
      'kept.txt',
      'marked.txt',
    ]);
    for (const path of ['both.txt', 'current.txt', 'incoming.txt']) {
      await session.workbench.rowAction(path, 'Stage Changes');
      await isMarkedResolved(path);
    }
  });

  it('are asked about where markers still stand', async () => {
    await session.workbench.rowAction('marked.txt', 'Stage Changes');
    await session.workbench.dialog(/stage 'marked\.txt' with merge conflicts/, 'Cancel');
    await menu('marked.txt', 'Accept All Incoming');
    await fileBecomes('marked.txt', 'start\ntheirs\nend\n');
    await menu('marked.txt', 'Accept All Current');
    await session.workbench.dialog(/'marked\.txt' has no conflict markers.*current version/, 'Replace');
    await fileBecomes('marked.txt', 'start\nours\nend\n');
    await session.workbench.rowAction('marked.txt', 'Stage Changes');
    await isMarkedResolved('marked.txt');
  });

  it('of a deletion are kept or deleted as the answer says', async () => {
    await session.workbench.rowAction('deleted.txt', 'Stage Changes');
    await session.workbench.dialog(/"deleted\.txt" was deleted by them and modified by us/, 'Delete File');
    await isMarkedResolved('deleted.txt');
    assert.equal(statusOf('deleted.txt'), 'D  deleted.txt\n');
    await session.workbench.rowAction('kept.txt', 'Stage Changes');
    await session.workbench.dialog(/"kept\.txt" was deleted by them and modified by us/, 'Keep Our Version');
    await isMarkedResolved('kept.txt');
    assert.equal(repository.read('kept.txt'), 'start\nours\nend\n');
    assert.deepEqual(unmerged(), []);
  });

  it('that have ended by the time of the answer are left alone, and that is said', async () => {
    repository.git('reset', '-q', '--hard');
    repository.tryGit('merge', 'theirs');
    await session.matchesGit(repository);
    await session.workbench.rowAction('deleted.txt', 'Stage Changes');
    const button = await session.workbench.dialogButton(/"deleted\.txt" was deleted by them/, 'Delete File');
    repository.git('merge', '--abort');
    await button.click();
    await session.workbench.notifications.clear(/Not changed: deleted\.txt no longer has a conflict/);
    assert.equal(repository.read('deleted.txt'), 'start\nours\nend\n');
    assert.equal(repository.git('status', '--porcelain'), '');
    await session.matchesGit(repository);
  });

  it('open in the merge editor by a click where that is set, and from the editor', async () => {
    repository.git('reset', '-q', '--hard');
    repository.tryGit('merge', 'theirs');
    await session.matchesGit(repository);
    await session.workbench.command('View: Close All Editors');
    repository.write('.git/info/exclude', '.vscode\n');
    repository.write('.vscode/settings.json', JSON.stringify({ 'residentGit.mergeEditor': true }));
    // The click says when the setting is known.
    await poll(
      async () => {
        await session.workbench.resource('both.txt').click();
        await session.workbench.page.locator('.code-view').first().waitFor({ timeout: 5_000 });
      },
      { what: 'the merge editor opens' },
    );
    await session.workbench.openFile(`${repository.root}/current.txt`);
    const button = '.editor-group-container.active .action-label[aria-label="Resolve in Merge Editor"]';
    await session.workbench.page.locator(button).first().click();
    const tab = session.workbench.page.locator('.tab.active').filter({ hasText: 'Merging: current.txt' });
    await tab.first().waitFor();
  });

  it('are never cut', async () => {
    repository.git('reset', '-q', '--hard');
    const oid = repository.git('rev-parse', 'HEAD:both.txt').trim();
    const lines = Array.from({ length: kMany }, (_, i) =>
      [1, 2, 3].map((stage) => `100644 ${oid} ${stage}\tmany/${i}\n`).join(''),
    );
    repository.gitWithInput(lines.join(''), 'update-index', '--index-info');
    await poll(
      async () => {
        const groups = (await session.workbench.scmRows()).filter((row) => row.kind === 'group');
        assert.deepEqual(
          groups.slice(0, 1).map(({ name, count }) => ({ name, count })),
          [{ name: 'Merge Changes', count: kMany }],
        );
      },
      { what: 'every conflict has a row' },
    );
  });
});
