/** Many repositories in one window: all of them are right, and the window answers. */
import assert from 'node:assert/strict';
import { trackedFile } from '../support/copies';
import { expectedRows, shownRows } from './support/expected';
import { ManyRepositories } from './support/many';
import { poll } from './support/poll';
import { Session } from './support/session';

const kRepositories = 200;

describe(`${kRepositories} repositories in the workbench`, () => {
  let many: ManyRepositories;

  before(async () => {
    many = await ManyRepositories.open(kRepositories);
    await many.session.workbench.showSourceControl();
  });
  Session.ofSuite();

  /** The number of all changes is git's, and so is each row in sight. */
  const matchesGit = async (): Promise<void> => {
    const { workbench } = many.session;
    const expected = new Set(many.repositories.flatMap(expectedRows));
    await poll(
      async () => {
        const count = await workbench.page.evaluate<number>('residentPage.changeCount()');
        assert.equal(count, expected.size);
        const shown = shownRows(await workbench.resources());
        assert.ok(shown.length > 5);
        for (const row of shown) assert.ok(expected.has(row), row);
      },
      { what: 'the view shows what git status says' },
    );
  };

  it('shows what git status says', async () => {
    await matchesGit();
  });

  it('follows saves and commits in some of them, and runs a command', async () => {
    const [first, , third, , fifth] = many.repositories;
    first?.write('new', '1');
    third?.commit();
    fifth?.remove(trackedFile(3));
    const last = many.repositories.at(-1);
    last?.git('add', '-A');
    last?.append(trackedFile(0), 'changed again\n');
    await matchesGit();
    await many.session.workbench.command('Resident Git: Scan for Repositories');
    await matchesGit();
  });
});
