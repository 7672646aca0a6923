/** "Why Is This Here?" on rows of the view and on files of the explorer. */
import { Repository } from '../support/repository';
import type { Locator } from './support/browser';
import { Session } from './support/session';

const kTitle = 'Why Is This Here?';

describe('why something is here, in the workbench', () => {
  let session: Session;
  let repository: Repository;

  before(async () => {
    const sandbox = await Session.sharedSandbox();
    repository = Repository.init(sandbox, 'project');
    repository.write('.gitignore', '# made\n*.log\n');
    repository.write('.gitattributes', '*.txt text\n');
    repository.write('alpha.txt', 'alpha\n');
    repository.write('quiet.txt', 'quiet\n');
    repository.commit();
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
    await session.workbench.editorShows(pattern);
    await session.workbench.command('View: Close All Editors');
  }

  it('is told of a row: what differs, and which attribute rules hold', async () => {
    await explained(
      session.workbench.resource('alpha.txt'),
      /^alpha\.txt.*changed in the worktree \(\.M\).*mode is another one: 100755, and not 100644.*content is another one.*text: set.*\.gitattributes:1: \*\.txt/,
    );
  });

  it('is told of a file of the explorer: the line that ignores it', async () => {
    await session.workbench.showExplorer();
    const file = session.workbench.page
      .locator('.explorer-folders-view .monaco-list-row')
      .filter({ hasText: 'out.log' })
      .first();
    await explained(file, /^out\.log.*It is ignored.*\.gitignore:2: \*\.log/);
  });

  it('is told of what a flag hides, by the palette for the file in the editor', async () => {
    await session.workbench.openFile(`${repository.root}/quiet.txt`);
    await session.workbench.command(`Resident Git: ${kTitle}`);
    await session.workbench.editorShows(/^quiet\.txt.*assume-unchanged.*hidden.*content is another one/);
    await session.workbench.command('View: Close All Editors');
  });

  it('is told of a name that is no text', async () => {
    repository.write('\xff new\nline', '');
    await session.workbench.showSourceControl();
    await explained(
      session.workbench.resource('\\377 new\\nline'),
      /^\\377 new\\nline.*It is untracked, and no rule ignores it/,
    );
  });
});
