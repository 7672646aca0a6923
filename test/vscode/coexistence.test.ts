/**
 * Beside VS Code's own Git, in each of the three ways: no list of anybody goes stale, so that no command can act on what a
 * stale list says, and undoing restores exactly what was there.
 */
import assert from 'node:assert/strict';
import { Repository } from '../support/repository';
import { Sandbox } from '../support/sandbox';
import { poll } from './support/poll';
import { Session } from './support/session';

const [ours, builtIn] = ['Resident Git', 'Git'];

describe("beside VS Code's own Git in the workbench", () => {
  let session: Session;
  let repository: Repository;
  let initial: Record<string, unknown>;

  before(async () => {
    const sandbox = new Sandbox();
    repository = Repository.init(sandbox, 'project');
    repository.write('README.md', '# Project\n');
    repository.commit();
    repository.write('notes.txt', 'untracked\n');
    session = await Session.open(sandbox, { folder: repository.root }, { atWork: 'both' });
    initial = session.userSettings();
    await session.workbench.showSourceControl();
  });
  Session.ofSuite();

  async function providers(...expected: string[]): Promise<void> {
    await poll(
      async () => {
        const rows = await session.workbench.scmRows();
        const shown = rows.filter((row) => row.kind === 'repository').map(({ provider }) => provider);
        assert.deepEqual(shown.sort(), expected.sort());
      },
      { what: `the view shows ${expected.join(' and ')}` },
    );
  }

  /** Whose list has the file. */
  async function listedBy(path: string, ...expected: string[]): Promise<void> {
    await poll(
      async () => {
        const rows = (await session.workbench.resources()).filter((row) => row.path.endsWith(`/${path}`));
        assert.deepEqual(rows.map(({ provider }) => provider).sort(), expected.sort());
      },
      { what: `${path} is listed by ${expected.join(' and ') || 'nobody'}` },
    );
  }

  /** The trap was a list that keeps a file as untracked which is committed by now, and a Discard that deletes it. */
  async function noTrap(name: string, ...atWork: string[]): Promise<void> {
    repository.write(name, 'to be committed\n');
    await listedBy(name, ...atWork);
    repository.commit();
    await listedBy(name);
  }

  async function settingsBecome(expected: Record<string, unknown>): Promise<void> {
    await poll(() => assert.deepEqual(session.userSettings(), expected), { what: 'the settings' });
  }

  it('asks, and changes nothing after "Not Now"', async () => {
    await session.workbench.notifications.shows(/every badge stands twice/);
    await session.workbench.screenshot('coexistence-question');
    await session.workbench.notifications.answer('Not Now');
    await providers(ours, builtIn);
    await noTrap('not-now.txt', ours, builtIn);
    await settingsBecome(initial);
  });

  /** On the Source Control icon, which sums what every provider counts. */
  async function counted(expected: number): Promise<void> {
    const count = () => session.workbench.page.evaluate<number>('residentPage.changeCount()');
    await poll(async () => assert.equal(await count(), expected), {
      what: `${expected} changes are counted`,
    });
  }

  it('turns only badges and the count off with "Side by Side", and undoes it', async () => {
    repository.write('counted.txt', 'by both\n');
    await listedBy('counted.txt', ours, builtIn);
    await counted(2);
    await session.workbench.command('Resident Git: Set Up Coexistence');
    await session.workbench.pick('Side by Side');
    await settingsBecome({ ...initial, 'git.decorations.enabled': false, 'git.countBadge': 'off' });
    await counted(1);
    await noTrap('side-by-side.txt', ours, builtIn);
    await session.workbench.command('Resident Git: Undo Coexistence Settings');
    await settingsBecome(initial);
    repository.write('counted.txt', 'again\n');
    await counted(2);
    repository.commit();
    await counted(0);
  });

  it('has the built-in close the repository with "Only Resident Git Here", also after a reload', async () => {
    await session.workbench.command('Resident Git: Set Up Coexistence');
    await session.workbench.pick('Only Resident Git Here');
    await settingsBecome({ ...initial, 'git.ignoredRepositories': [repository.root] });
    await providers(ours);
    await noTrap('only.txt', ours);
    await session.workbench.reload();
    await session.workbench.showSourceControl();
    await noTrap('reloaded.txt', ours);
    await providers(ours);
  });

  it('opens it again there when that is undone', async () => {
    await session.workbench.command('Resident Git: Undo Coexistence Settings');
    await providers(ours, builtIn);
    await settingsBecome(initial);
  });
});
