/** Which repositories below a folder are opened: by setting, by answer, by the file in the editor. The folder is a link. */
import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import { Repository } from '../support/repository';
import { Sandbox } from '../support/sandbox';
import { poll } from './support/poll';
import { Session } from './support/session';

describe('repositories below a folder in the workbench', () => {
  let session: Session;

  before(async () => {
    const sandbox = new Sandbox();
    mkdirSync(sandbox.path('all'));
    for (const name of ['one', 'two', 'out']) {
      const repository = Repository.init(sandbox, `all/${name}`);
      repository.write(`${name}.txt`, 'text\n');
      repository.commit();
      repository.append(`${name}.txt`, 'more\n');
    }
    symlinkSync('all', sandbox.path('link'));
    session = await Session.open(sandbox, { folder: sandbox.path('link') });
    await session.workbench.showSourceControl();
    await poll(
      async () =>
        assert.equal(await session.workbench.page.evaluate<number>('residentPage.changeCount()'), 3),
      { what: 'all are open where nothing is set' },
    );
    session.set('residentGit.openRepositories', 'prompt');
    session.set('residentGit.ignoredRepositories', ['out']);
    await session.workbench.reload();
  });
  Session.ofSuite();

  /** The files whose rows are shown: as the link names them, and none of another repository. */
  const shows = (...names: string[]) =>
    poll(
      async () => {
        const paths = (await session.workbench.resources()).map(({ path }) =>
          path.slice(session.sandbox.root.length),
        );
        assert.deepEqual(
          paths.sort(),
          names.map((name) => `/link/${name}/${name}.txt`),
        );
      },
      { what: `rows of ${names.join(', ')}` },
    );

  it('asks, and opens nothing before', async () => {
    await session.startedEarly();
    await session.workbench.welcomeShows(/found repositories here and did not open them/);
    await session.workbench.welcomeButton('Open Repository');
    for (const name of ['one', 'two']) await session.workbench.offers(name);
    await session.workbench.page.keyboard.press('Escape');
    await session.workbench.notifications.answer('Open');
    await shows('one', 'two');
  });

  it('closes one for good, and opens it again', async () => {
    await session.workbench.command('Resident Git: Close Repository');
    await session.workbench.find('Choose a repository', 'two');
    await shows('one');
    await session.workbench.hasStored(/\/all\/two":"close"/);
    await session.workbench.reload();
    await session.workbench.showSourceControl();
    await shows('one');
    await session.workbench.command('Resident Git: Open Repository...');
    const box = session.workbench.page
      .locator('.quick-input-list .monaco-list-row')
      .filter({ hasText: 'two' });
    await box.first().click();
    await session.workbench.page.keyboard.press('Enter');
    await shows('one', 'two');
  });

  it('opens the one whose file is in an editor', async () => {
    session.set('residentGit.ignoredRepositories', []);
    session.set('residentGit.openRepositories', 'openEditors');
    await session.workbench.reload();
    await session.workbench.showSourceControl();
    await shows('one', 'two');
    await session.workbench.openFile(session.sandbox.path('link/out/out.txt'));
    await shows('one', 'out', 'two');
  });
});
