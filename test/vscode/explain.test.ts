/** "Why Is This Here?" on rows of the view and on files of the explorer. */
import assert from 'node:assert/strict';
import { Repository } from '../support/repository';
import type { Locator } from './support/browser';
import { Session } from './support/session';
import { RowMenu } from './support/viewMenu';

const kTitle = 'Why Is This Here?';

describe('why something is here, in the workbench', () => {
  let session: Session;
  let repository: Repository;

  before(async () => {
    const sandbox = await Session.sharedSandbox();
    const library = Repository.init(sandbox, 'library');
    library.commit('library');
    repository = Repository.init(sandbox, 'project');
    repository.write('.gitignore', '# made\n*.log\n');
    repository.write('.gitattributes', '*.txt text\n');
    repository.write('alpha.txt', 'alpha\n');
    repository.write('quiet.txt', 'quiet\n');
    repository.write('still.txt', 'still\n');
    repository.git('submodule', '--quiet', 'add', '--', '../library', 'lib');
    repository.commit();
    repository.at('lib').commit('checked out');
    repository.git('update-index', '--assume-unchanged', 'quiet.txt');
    repository.write('quiet.txt', 'changed\n');
    repository.chmod('alpha.txt', 0o755);
    repository.append('alpha.txt', 'more\n');
    repository.write('out.log', '');
    session = await Session.share(sandbox);
    await session.workbench.showSourceControl();
    await session.matchesGit(repository);
  });
  Session.ofSuite();

  async function explained(on: Locator, pattern: RegExp): Promise<void> {
    await session.workbench.contextMenu(on, kTitle);
    await session.workbench.previewShows(pattern);
    await session.workbench.command('View: Close All Editors');
  }
  const inExplorer = (name: string) =>
    session.workbench.page
      .locator('.explorer-folders-view .monaco-list-row')
      .filter({ hasText: name })
      .first();

  it('explains the letters of a row, the differences, and the rules of attributes', async () => {
    await explained(
      session.workbench.resource('alpha.txt'),
      /^alpha\.txt git status shows M\. .*index compared with HEAD: blank, unchanged\. .*with the index: M, modified\. .*The mode differs: 100755 instead of 100644\. The content differs\. .*text: set \(\.gitattributes:1: \*\.txt\)/,
    );
  });

  it('shows the commit that is checked out in a submodule', async () => {
    const [checkedOut, recorded] = ['HEAD', 'HEAD~1'].map((each) =>
      repository.at('lib').git('rev-parse', each).trim(),
    );
    const commits = `Checked out: ${checkedOut} Recorded in the index: ${recorded} Recorded in HEAD: ${recorded}`;
    await explained(session.workbench.resource('lib'), new RegExp(`^lib .*another commit.* ${commits}$`));
  });

  it('shows the newest explanation, when it was asked for twice', async () => {
    const row = session.workbench.resource('alpha.txt');
    await session.workbench.contextMenu(row, kTitle);
    await session.workbench.previewShows(/The content differs/);
    repository.git('add', 'alpha.txt');
    await session.matchesGit(repository);
    await explained(row, /^alpha\.txt git status shows M .*index compared with HEAD: M, modified\./);
  });

  it('names the line that ignores a file of the explorer', async () => {
    await session.workbench.showExplorer();
    await explained(
      inExplorer('out.log'),
      /^out\.log git status --ignored shows !!: .*Rule that ignores this path \.gitignore:2: \*\.log$/,
    );
  });

  it('is offered in the explorer only where a file has a status', async () => {
    for (const [name, has] of [
      ['still.txt', false],
      ['alpha.txt', true],
    ] as const) {
      const entries = await new RowMenu(session.workbench, inExplorer(name)).entries('Copy Path');
      assert.equal(entries.includes(kTitle), has, `${name}: ${entries.join('; ')}`);
    }
    repository.append('still.txt', 'not any more\n');
    await new RowMenu(session.workbench, inExplorer('still.txt')).entries(kTitle);
  });

  it('names the flag that hides changes, by the palette for the file in the editor', async () => {
    await session.workbench.openFile(`${repository.root}/quiet.txt`);
    await session.workbench.command(`Resident Git: ${kTitle}`);
    await session.workbench.previewShows(
      /^quiet\.txt .*The flag assume-unchanged hides changes\. Hidden changes, compared with the index .*The content differs\./,
    );
    await session.workbench.command('View: Close All Editors');
  });

  it('shows a name that is not valid UTF-8', async () => {
    repository.write('\xff new\nline', '');
    await session.workbench.showSourceControl();
    await explained(
      session.workbench.resource('\\377 new\\nline'),
      /^\\377 new\\nline git status shows \?\?\. \?\? is untracked/,
    );
  });
});
