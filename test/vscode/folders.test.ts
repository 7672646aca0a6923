/**
 * A folder inside a repository, opened through a symbolic link. Shows the whole repository under the user's names.
 */
import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { Repository } from '../support/repository';
import { Sandbox } from '../support/sandbox';
import { poll } from './support/poll';
import { Session } from './support/session';

describe('a folder inside a repository, behind a symbolic link, in the workbench', () => {
  let session: Session;
  let repository: Repository;
  let link: string;

  before(async () => {
    const sandbox = new Sandbox();
    repository = Repository.init(sandbox, 'project');
    for (const name of ['outside.txt', 'sub/inside.txt']) repository.write(name, `${name}\n`);
    repository.commit();
    repository.append('outside.txt', 'more\n');
    link = sandbox.path('link');
    symlinkSync(repository.absolute('sub'), link);
    session = await Session.open(sandbox, { folder: link });
    await session.workbench.showSourceControl();
  });
  Session.ofSuite();

  const outside = () => `${repository.root}/outside.txt`;
  /** The path through the link, the name under which the folder was opened. */
  const inside = () => `${link}/inside.txt`;
  const status = () => repository.git('--no-optional-locks', 'status', '--porcelain');
  async function rows(...expected: string[]): Promise<void> {
    await poll(
      async () => {
        const shown = await session.workbench.resources();
        assert.deepEqual(shown.map(({ path, group }) => `${group}: ${path}`).sort(), expected);
      },
      { what: `the view shows ${expected.join(', ')}` },
    );
  }

  it('shows and stages what changes in it, and beside it', async () => {
    await rows(`Changes: ${outside()}`);
    repository.append('sub/inside.txt', 'more\n');
    await rows(`Changes: ${inside()}`, `Changes: ${outside()}`);
    await session.workbench.rowAction('sub/inside.txt', 'Stage Changes');
    await rows(`Changes: ${outside()}`, `Staged Changes: ${inside()}`);
    assert.equal(status(), ' M outside.txt\nM  sub/inside.txt\n');
  });

  it('has started with it, as with a repository', async () => {
    await session.startedEarly();
  });

  it('badges its files by the names that the explorer has', async () => {
    await session.workbench.showExplorer();
    await poll(
      async () => {
        const shown = await session.workbench.explorerRows();
        const found = shown.map(({ path, badge }) => `${path} ${badge}`);
        assert.ok(found.includes(`${link}/inside.txt M`), found.join('\n'));
      },
      { what: 'the badge' },
    );
  });
});
