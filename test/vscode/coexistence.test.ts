/**
 * Beside VS Code's own Git, in each of the modes. No list may become stale, so no command can act on a stale
 * list. Undo restores exactly the earlier settings.
 */
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { HttpRemote } from '../support/httpRemote';
import { Repository } from '../support/repository';
import { Sandbox } from '../support/sandbox';
import { poll } from './support/poll';
import { Session } from './support/session';

const [ours, builtIn] = ['Resident Git', 'Git'];
/** A repository that the user excluded from the built-in. */
const kElsewhere = '/elsewhere';

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
    // Settings of the user, which undo must restore.
    const settings = { 'git.countBadge': 'all', 'git.ignoredRepositories': [kElsewhere] };
    session = await Session.open(sandbox, { folder: repository.root }, { atWork: 'both', settings });
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

  /** Waits until exactly these providers list the file. */
  async function listedBy(path: string, ...expected: string[]): Promise<void> {
    await poll(
      async () => {
        const rows = (await session.workbench.resources()).filter((row) => row.path.endsWith(`/${path}`));
        assert.deepEqual(rows.map(({ provider }) => provider).sort(), expected.sort());
      },
      { what: `${path} is listed by ${expected.join(' and ') || 'nobody'}` },
    );
  }

  /** The trap: a stale list still shows a committed file as untracked, and Discard deletes it. */
  async function noTrap(name: string, atWork: string[], uncommitted?: () => Promise<void>): Promise<void> {
    repository.write(name, 'to be committed\n');
    await listedBy(name, ...atWork);
    await uncommitted?.();
    repository.commit();
    await listedBy(name);
  }

  /** Waits for the file's badge in the explorer: a letter of one provider, or of both. */
  async function badged(name: string, badge: string): Promise<void> {
    await session.workbench.showExplorer();
    await poll(
      async () => {
        const rows = await session.workbench.explorerRows();
        assert.equal(rows.find(({ path }) => path.endsWith(`/${name}`))?.badge, badge);
      },
      { what: `the badge of ${name}` },
    );
    await session.workbench.showSourceControl();
  }

  /**
   * The editor's title has a single "Open Changes" button, which opens the changes. Every active provider already
   * lists the file.
   */
  async function hasOneOpenChanges(name: string): Promise<void> {
    const { workbench } = session;
    const buttons = workbench.page.locator(
      '.editor-group-container.active .editor-actions [aria-label^="Open Changes"]',
    );
    await workbench.openFile(`${repository.root}/${name}`);
    await buttons.first().waitFor();
    await poll(async () => assert.equal(await buttons.count(), 1), { what: 'it is there once' });
    const opened = workbench.page.locator('.tab.active').filter({ hasText: '(Working Tree)' }).first();
    await poll(
      async () => {
        if (!(await opened.isVisible())) await buttons.first().click({ timeout: 5_000 });
        await opened.waitFor({ timeout: 5_000 });
      },
      { what: 'the changes are open' },
    );
    await workbench.command('View: Close All Editors');
  }

  /** Also checks the badge of a single provider and a single "Open Changes" button. */
  async function noTrapAndNothingTwice(name: string, ...atWork: string[]): Promise<void> {
    repository.append('README.md', `${name}\n`);
    await noTrap(name, atWork, async () => {
      await badged(name, 'U');
      await hasOneOpenChanges('README.md');
    });
  }

  const onlyOurs = () => ({ ...initial, 'git.ignoredRepositories': [kElsewhere, repository.root] });
  async function settingsBecome(expected: Record<string, unknown>): Promise<void> {
    await poll(
      () => {
        const settings = session.userSettings();
        assert.ok(isDeepStrictEqual(settings, expected), JSON.stringify(settings));
      },
      { what: 'the settings' },
    );
  }

  it('asks, and changes nothing after "Not Now"', async () => {
    await session.workbench.notifications.shows(/Changes and badges appear twice/);
    const { buttons } = await session.workbench.notifications.look(/Changes and badges appear twice/);
    assert.deepEqual(buttons, ['Keep, Made Fast', 'Disable Built-in', 'Not Now']);
    await session.workbench.screenshot('coexistence-question');
    await session.workbench.notifications.answer('Not Now');
    await providers(ours, builtIn);
    await noTrap('not-now.txt', [ours, builtIn], () => badged('not-now.txt', 'U, U'));
    await settingsBecome(initial);
  });

  /** Checks the number on the Source Control icon, the sum over all providers. */
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
    await session.workbench.command('Resident Git: Choose How to Work with Built-in Git');
    await session.workbench.pick('Side by Side');
    await settingsBecome({ ...initial, 'git.decorations.enabled': false, 'git.countBadge': 'off' });
    await counted(1);
    await noTrapAndNothingTwice('side-by-side.txt', ours, builtIn);
    await session.workbench.command('Resident Git: Restore Settings of Built-in Git');
    await settingsBecome(initial);
    repository.write('counted.txt', 'again\n');
    await counted(2);
    await badged('counted.txt', 'M, M');
    repository.commit();
    await counted(0);
  });

  it('keeps the built-in and makes its git fast, shows nothing twice, and undoes it', async () => {
    const { workbench } = session;
    const config = () => repository.read('.git/config');
    const before = config();
    const answer = async (shown: string) => {
      await workbench.command('Resident Git: Choose How to Work with Built-in Git');
      await workbench.pick('Keep Built-in Git, Made Fast');
      await workbench.pick(shown);
    };
    await answer('Show Nothing of Resident Git');
    await workbench.screenshot('coexistence-fast');
    await workbench.dialog(/config of project\?.*status\.showUntrackedFiles = all/s, 'Write All');
    await settingsBecome({ ...initial, 'residentGit.show': 'nothing' });
    assert.match(config(), /untrackedCache = true/);
    assert.match(config(), /showUntrackedFiles = all/);
    await workbench.notifications.clear(/Built-in Git stays on/);
    await providers(builtIn);
    await noTrapAndNothingTwice('fast-alone.txt', builtIn);
    // The config is written already: nothing is asked again.
    await answer('Show Only the Badges of Resident Git');
    await settingsBecome({ ...initial, 'residentGit.show': 'badges', 'git.decorations.enabled': false });
    await workbench.notifications.clear(/Built-in Git stays on/);
    await noTrap('fast-badges.txt', [builtIn], () => badged('fast-badges.txt', 'U'));
    await answer('Show Both Views');
    await settingsBecome({ ...initial, 'git.decorations.enabled': false, 'git.countBadge': 'off' });
    await workbench.notifications.clear(/Built-in Git stays on/);
    await noTrapAndNothingTwice('fast-both.txt', ours, builtIn);
    await workbench.command('Resident Git: Restore Settings of Built-in Git');
    await settingsBecome(initial);
    await poll(() => assert.equal(config(), before), { what: "git's config as it was" });
    await providers(ours, builtIn);
  });

  it('has the built-in close the repository with "Disable Built-in", also after a reload', async () => {
    await session.workbench.command('Resident Git: Choose How to Work with Built-in Git');
    await session.workbench.pick('Disable Built-in');
    await settingsBecome(onlyOurs());
    await providers(ours);
    await session.workbench.notifications.answer('Undo', /Built-in Git is off for this repository\./);
    await settingsBecome(initial);
    await providers(ours, builtIn);
    await session.workbench.command('Resident Git: Choose How to Work with Built-in Git');
    await session.workbench.pick('Disable Built-in');
    await settingsBecome(onlyOurs());
    await providers(ours);
    await noTrapAndNothingTwice('only.txt', ours);
    await session.workbench.reload();
    await session.workbench.showSourceControl();
    await noTrap('reloaded.txt', [ours]);
    await providers(ours);
  });

  it('stages, commits, discards and publishes there, by the boxes of the built-in', async () => {
    const { workbench } = session;
    const status = () => repository.git('--no-optional-locks', 'status', '--porcelain');
    const statusBecomes = (expected: string) =>
      poll(() => assert.equal(status(), expected), { what: `git has "${expected}"` });
    repository.write('by-hand.txt', 'by hand\n');
    await listedBy('by-hand.txt', ours);
    await workbench.rowAction('by-hand.txt', 'Stage Changes');
    await statusBecomes('A  by-hand.txt\n');
    await workbench.writeMessage('by hand');
    await workbench.page.keyboard.press('Control+Enter');
    await statusBecomes('');
    assert.equal(repository.git('log', '-1', '--format=%s'), 'by hand\n');
    await listedBy('by-hand.txt');
    repository.append('by-hand.txt', 'more\n');
    await listedBy('by-hand.txt', ours);
    await workbench.rowAction('by-hand.txt', 'Discard Changes');
    await workbench.dialog(/discard changes in 'by-hand\.txt'/, 'Discard File');
    await statusBecomes('');
    assert.equal(repository.read('by-hand.txt'), 'by hand\n');
    const bare = Repository.init(session.sandbox, 'remote.git', '--bare');
    bare.config('http.receivepack', 'true');
    const remote = await HttpRemote.start(session.sandbox, 'me:secret');
    try {
      repository.git('remote', 'add', 'origin', `${remote.url}/remote.git`);
      await workbench.command('Resident Git: Publish Branch...');
      await workbench.type('Username', 'me');
      await workbench.type('Password', 'secret');
      await poll(() => assert.equal(bare.git('log', '-1', '--format=%s', 'main'), 'by hand\n'), {
        what: 'it is published',
      });
      assert.deepEqual(remote.tried, ['me:secret']);
    } finally {
      await remote.stop();
      repository.git('remote', 'remove', 'origin');
    }
  });

  it('opens it again there when that is undone', async () => {
    await session.workbench.command('Resident Git: Restore Settings of Built-in Git');
    await providers(ours, builtIn);
    await settingsBecome(initial);
    // The built-in remembers closed repositories.
    await session.workbench.hasStored(/"closedRepositories":\[\]/);
  });

  describe('where an earlier version turned off its automatic refresh', () => {
    const trap = { 'git.decorations.enabled': false, 'git.autorefresh': false };
    const kTold = /git\.autorefresh is off/;

    /**
     * Restores the state after "Yes" to the earlier version's question: settings and memory. Reloads to read them.
     */
    async function answerAsThen(): Promise<void> {
      await session.workbench.hasStored(/^\{(?!.*"coexistence\.journal").*"coexistence\.answered":true/m);
      const memory = {
        'coexistence.previous': { 'git.decorations.enabled': null, 'git.autorefresh': null },
        'coexistence.answered': true,
      };
      const words = ['resident-git.resident-git', JSON.stringify(memory)].map((word) => JSON.stringify(word));
      for (const [setting, value] of Object.entries(trap)) session.set(setting, value);
      const places = await session.workbench.page.evaluate<number>(
        `residentPage.replaceStored(${words.join(', ')})`,
      );
      assert.equal(places, 1);
      await reload();
    }
    async function reload(): Promise<void> {
      await session.workbench.reload();
      await session.workbench.showSourceControl();
    }
    /** A message would appear after both have opened the repository and ours has scanned all of it. */
    async function tellsNothing(name: string): Promise<void> {
      await reload();
      // Only the built-in has a graph. Its rows may be hidden: the view remembers the shown repositories.
      await session.workbench.page
        .locator('.part.sidebar .pane-header')
        .filter({ hasText: 'Graph' })
        .waitFor();
      repository.write(name, 'new\n');
      await poll(
        async () => {
          const rows = (await session.workbench.resources()).filter((row) => row.path.endsWith(`/${name}`));
          assert.ok(rows.some(({ provider }) => provider === ours));
        },
        { what: `${name} is listed` },
      );
      assert.deepEqual(await session.workbench.notifications.messages(), []);
    }

    it('tells it once, and leaves all as it is after "Not Now"', async () => {
      await answerAsThen();
      await session.workbench.notifications.shows(kTold);
      await session.workbench.notifications.answer('Not Now');
      await session.workbench.hasStored(/"coexistence\.toldOfTrap":true/);
      await settingsBecome({ ...initial, ...trap });
      await tellsNothing('told.txt');
      await settingsBecome({ ...initial, ...trap });
    });

    it('turns it on again with "Side by Side", and tells no more of it', async () => {
      await answerAsThen();
      await session.workbench.notifications.shows(kTold);
      await session.workbench.notifications.answer('Side by Side');
      await settingsBecome({ ...initial, 'git.decorations.enabled': false, 'git.countBadge': 'off' });
      await session.workbench.hasStored(/"coexistence\.journal"/);
      await session.workbench.notifications.clear(/Its badges and its count are hidden/);
      await tellsNothing('accepted.txt');
      await session.workbench.command('Resident Git: Restore Settings of Built-in Git');
      await settingsBecome(initial);
    });

    it('has the built-in close the repository with "Disable Built-in", its switches as they were', async () => {
      await answerAsThen();
      await session.workbench.notifications.shows(kTold);
      await session.workbench.notifications.answer('Disable Built-in');
      await settingsBecome(onlyOurs());
      await providers(ours);
      await noTrap('alone.txt', [ours]);
    });
  });
});
