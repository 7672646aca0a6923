/** The tree view, in which folders have their own rows. */
import assert from 'node:assert/strict';
import { Repository } from '../support/repository';
import { Sandbox } from '../support/sandbox';
import { answerByKeys } from './support/dialogKeys';
import { poll } from './support/poll';
import { Session } from './support/session';

describe('folders of the tree view in the workbench', () => {
  let session: Session;
  let repository: Repository;

  before(async () => {
    const sandbox = new Sandbox();
    repository = Repository.init(sandbox, 'project');
    const names = ['gamma.txt', 'lib/inner/zeta.txt', 'src/delta.txt', 'src/epsilon.txt'];
    for (const name of names) repository.write(name, `${name}\n`);
    repository.commit();
    for (const name of names) repository.append(name, 'more\n');
    const settings = { 'scm.defaultViewMode': 'tree' };
    session = await Session.open(sandbox, { folder: repository.root }, { settings });
    await session.workbench.showSourceControl();
    await groups('Changes 4');
  });
  Session.ofSuite();

  const status = (): string[] =>
    repository.git('--no-optional-locks', 'status', '--porcelain', '-uall').split('\n').slice(0, -1);

  async function groups(...expected: string[]): Promise<void> {
    await poll(
      async () => {
        const shown = (await session.workbench.scmRows()).filter((row) => row.kind === 'group');
        const counts = shown.filter(({ count }) => count > 0).map(({ name, count }) => `${name} ${count}`);
        assert.deepEqual(counts, expected);
      },
      { what: `the view shows ${expected.join(', ')}` },
    );
  }

  it('are staged and unstaged with all that they hold, by buttons and by keys', async () => {
    const others = [' M gamma.txt', ' M lib/inner/zeta.txt'];
    await session.workbench.folderAction('src', 'Stage Changes');
    await groups('Staged Changes 2', 'Changes 2');
    assert.deepEqual(status(), [...others, 'M  src/delta.txt', 'M  src/epsilon.txt']);
    await session.workbench.folderAction('src', 'Unstage Changes');
    await groups('Changes 4');
    assert.deepEqual(status(), [...others, ' M src/delta.txt', ' M src/epsilon.txt']);
    await session.workbench.keyMenu(session.workbench.folder('src'), 'Stage Changes');
    await groups('Staged Changes 2', 'Changes 2');
    await session.workbench.keyMenu(session.workbench.folder('src'), 'Unstage Changes');
    await groups('Changes 4');
  });

  it('are discarded with all that they hold after asking, by their button and by keys', async () => {
    const asks = /discard all changes in 2 files/;
    await session.workbench.folderAction('src', 'Discard Changes');
    await session.workbench.dialog(asks, 'Cancel');
    assert.equal(status().length, 4);
    await session.workbench.folderAction('src', 'Discard Changes');
    await session.workbench.dialog(asks, 'Discard All 2 Files');
    await groups('Changes 2');
    assert.deepEqual(status(), [' M gamma.txt', ' M lib/inner/zeta.txt']);
    for (const name of ['delta.txt', 'epsilon.txt']) repository.append(`src/${name}`, 'again\n');
    await groups('Changes 4');
    await session.workbench.keyMenu(session.workbench.folder('src'), 'Discard Changes');
    await answerByKeys(session.workbench, asks, 'Discard All 2 Files');
    await groups('Changes 2');
    assert.deepEqual(status(), [' M gamma.txt', ' M lib/inner/zeta.txt']);
    for (const name of ['delta.txt', 'epsilon.txt']) repository.append(`src/${name}`, 'more\n');
    await groups('Changes 4');
  });

  async function explained(row: string): Promise<void> {
    await session.workbench.contextMenu(session.workbench.folder(row), 'Why Is This Here?');
  }
  async function told(folder: string, files: number): Promise<void> {
    const count = files === 1 ? '1 tracked file' : `${files} tracked files`;
    await session.workbench.previewShows(new RegExp(`^${folder} .*This folder has ${count}\\.`));
    await session.workbench.command('View: Close All Editors');
  }

  it('tell why they are here', async () => {
    await explained('src');
    await told('src', 2);
    await explained('lib/inner');
    await told('lib/inner', 1);
  });

  it('are ignored by one line, with what they will have', async () => {
    for (const name of ['out/a', 'out/deep/b']) repository.write(name, '');
    await groups('Changes 4', 'Untracked Changes 2');
    await session.workbench.contextMenu(session.workbench.folder('out'), 'Add to .gitignore');
    await groups('Changes 4', 'Untracked Changes 1');
    repository.write('out/c', '');
    assert.equal(repository.read('.gitignore'), '/out/\n');
    assert.deepEqual(status().slice(4), ['?? .gitignore']);
    await session.workbench.command('View: Close All Editors');
    repository.remove('.gitignore');
    await groups('Changes 4', 'Untracked Changes 3');
    await session.workbench.keyMenu(session.workbench.folder('out'), 'Add to .git/info/exclude');
    await groups('Changes 4');
    await session.workbench.command('View: Close All Editors');
  });

  it('have their paths copied, and are shown in the explorer', async () => {
    const { workbench } = session;
    for (const [item, path] of [
      ['Copy Path', `${repository.root}/lib/inner`],
      ['Copy Relative Path', 'lib/inner'],
    ] as const) {
      await workbench.keyMenu(workbench.folder('lib/inner'), item);
      await workbench.pastes(path);
    }
    await workbench.contextMenu(workbench.folder('lib/inner'), 'Reveal in Explorer View');
    await workbench.explorerShows(`${repository.root}/lib/inner`);
    await workbench.showSourceControl();
  });

  it('tell it of the folder that is picked, where one alone in another has a row of its own', async () => {
    session.set('scm.compactFolders', false);
    const { page } = session.workbench;
    // The view reads the setting when it opens.
    await session.workbench.reload();
    await session.workbench.showSourceControl();
    await groups('Changes 4');
    await explained('lib');
    await session.workbench.offers('lib/inner');
    const rows = page.locator('.quick-input-widget:visible .quick-input-list .monaco-list-row');
    assert.deepEqual(await rows.allInnerTexts(), ['lib/inner', 'lib']);
    for (const key of ['ArrowDown', 'Enter']) await page.keyboard.press(key);
    await told('lib', 1);
  });
});
