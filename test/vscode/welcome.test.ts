/** The Source Control view without a repository: its texts and its buttons. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { oracleGit } from '../support/oracle';
import { Repository } from '../support/repository';
import { Sandbox } from '../support/sandbox';
import { poll } from './support/poll';
import { Session } from './support/session';

/** Expression for the page: the alt text of a walkthrough's picture, and its width after loading. */
const kPicture = `(({ alt, naturalWidth }) => [alt, naturalWidth])(document.querySelector('.getting-started-media img'))`;

/** The steps in the manifest. */
function walkthroughSteps(): { title: string; picture: string }[] {
  const read = (name: string) =>
    JSON.parse(readFileSync(resolve(__dirname, '../..', name), 'utf8')) as unknown;
  const texts = read('package.nls.json') as Record<string, string>;
  const { contributes } = read('package.json') as {
    contributes: { walkthroughs: { steps: { title: string; media: { altText: string } }[] }[] };
  };
  const text = (name: string) => texts[name.slice(1, -1)] ?? assert.fail(name);
  return contributes.walkthroughs.flatMap(({ steps }) =>
    steps.map(({ title, media }) => ({ title: text(title), picture: text(media.altText) })),
  );
}

describe('a folder without a repository in the workbench', () => {
  let session: Session;
  let repository: Repository;

  before(async () => {
    const sandbox = new Sandbox();
    repository = new Repository(sandbox, sandbox.path('plain'));
    mkdirSync(repository.root);
    writeFileSync(`${repository.root}/file.txt`, 'one\n');
    // The only programs on PATH, without git at first.
    mkdirSync(sandbox.path('programs'));
    symlinkSync('/bin/sh', sandbox.path('programs/sh'));
    const env = { ...sandbox.env, PATH: sandbox.path('programs') };
    session = await Session.open(sandbox, { folder: repository.root }, { env });
  });
  Session.ofSuite();

  it('has nothing to offer where there is no git', async () => {
    await session.workbench.welcomeShows(/Git was not found on PATH or in git\.path/);
  });

  it('has the log to offer where the git is too old', async () => {
    const git = session.sandbox.path('programs/git');
    writeFileSync(git, '#!/bin/sh\necho git version 2.20.5\n', { mode: 0o755 });
    await session.workbench.welcomeButton('Scan for Repositories');
    await session.workbench.welcomeShows(/The Git version on PATH is too old\. Install Git 2\.26 or newer/);
    await session.workbench.welcomeButton('Show Log');
    await session.workbench.page.locator('.part.panel .output-view').first().waitFor();
    assert.match(session.extensionLog(), /git 2\.20\.5 is too old/);
    await session.workbench.command('View: Hide Panel');
    rmSync(git);
  });

  it('is offered to be initialized once there is one', async () => {
    symlinkSync(oracleGit(), session.sandbox.path('programs/git'));
    await session.workbench.welcomeButton('Scan for Repositories');
    await session.workbench.welcomeShows(/doesn't have a Git repository yet/);
  });

  it('has its rows as soon as that is done', async () => {
    await session.workbench.welcomeButton('Initialize Repository');
    await poll(() => repository.git('rev-parse', '--git-dir'), { what: 'git has initialized it' });
    await session.workbench.showSourceControl();
    await session.matchesGit(repository);
    await session.workbench.statusBarShows('main*');
  });

  it('is left for a clone, made where its user says', async () => {
    const { workbench, sandbox } = session;
    const origin = Repository.init(sandbox, 'origin');
    origin.write('file.txt', 'one\n');
    origin.commit();
    mkdirSync(sandbox.path('clones/other'), { recursive: true });
    await workbench.command('Resident Git: Clone Repository...');
    await workbench.type('URL', `file://${origin.root}`);
    await workbench.pickFolder('Choose a folder to clone into', sandbox.path('clones'), 'other');
    await workbench.notifications.answer('Open');
    const cloned = new Repository(sandbox, sandbox.path('clones/origin'));
    cloned.append('file.txt', 'two\n');
    await workbench.becomesWindowOf('origin');
    await workbench.showSourceControl();
    await session.matchesGit(cloned);
    assert.equal(cloned.git('remote', 'get-url', 'origin'), `file://${origin.root}\n`);
  });

  it('is none in an empty window, which offers to open one or to clone', async () => {
    const { workbench } = session;
    await workbench.openEmptyWindow();
    await workbench.welcomeShows(/Open a folder that contains a Git repository, or clone a repository/);
    await workbench.screenshot('welcome-no-folder');
    await workbench.welcomeButton('Clone Repository');
    await workbench.prompted(/Provide repository URL/);
    await workbench.page.keyboard.press('Escape');
    await workbench.welcomeButton('Open Folder');
    await workbench.prompted(/Open Folder/);
    await workbench.page.keyboard.press('Escape');
  });

  it('is not needed for the walkthrough, which has its steps and their pictures', async () => {
    const { workbench } = session;
    await workbench.command('Welcome: Open Walkthrough...');
    await workbench.pick('Get Started with Resident Git');
    // A picture needs more room than an open side bar leaves.
    await workbench.command('View: Toggle Primary Side Bar Visibility');
    const steps = workbench.page.locator('.gettingStartedContainer .getting-started-step');
    const expected = walkthroughSteps();
    await poll(async () => assert.equal(await steps.count(), expected.length), { what: 'the steps' });
    for (const { title, picture } of expected) {
      await steps.filter({ hasText: title }).first().click();
      await poll(
        async () => {
          const [text, width] = await workbench.page.evaluate<[string, number]>(kPicture);
          assert.equal(text, picture);
          assert.ok(width > 0, 'it is not loaded');
        },
        { what: `the picture of "${title}"` },
      );
    }
    await workbench.screenshot('walkthrough');
  });
});

const describeAsRoot = process.getuid?.() === 0 ? describe : describe.skip;

// Only root can give a file to another user.
describeAsRoot('a repository of another user in the workbench', () => {
  let session: Session;
  let repository: Repository;

  before(async () => {
    const sandbox = new Sandbox();
    repository = Repository.init(sandbox, 'foreign');
    repository.write('file.txt', 'one\n');
    repository.commit();
    repository.append('file.txt', 'two\n');
    sandbox.exec('chown', '-R', '12345', repository.root);
    session = await Session.open(sandbox, { folder: repository.root });
  });
  Session.ofSuite();

  it('is said to be, with the command that allows it to be copied', async () => {
    const { workbench } = session;
    await workbench.welcomeShows(/belongs to another user, so Git does not open it/);
    await workbench.screenshot('welcome-unsafe');
    await workbench.welcomeButton('Copy the Command');
    const command = `git config --global --add safe.directory ${repository.root}`;
    await workbench.notifications.clear(new RegExp(`Copied. Run this in a terminal: ${command}`));
    const { keyboard } = workbench.page;
    await keyboard.press('F1');
    await workbench.page.locator('.quick-input-widget:visible .quick-input-box input').first().waitFor();
    for (const key of ['Control+A', 'Control+V']) await keyboard.press(key);
    const typed = () =>
      workbench.page.evaluate<string>(`document.querySelector('.quick-input-widget input').value`);
    await poll(async () => assert.equal(await typed(), command), { what: 'it was copied' });
    await keyboard.press('Escape');
  });

  it('is shown once it is marked as safe', async () => {
    const { workbench } = session;
    await workbench.welcomeButton('Manage Unsafe Repositories');
    const asked = /Do you want git to trust the repository/;
    const button = await workbench.dialogButton(asked, 'Mark as Safe');
    const detail = (await workbench.page.locator('.monaco-dialog-box').first().textContent()) ?? '';
    const command = `git config --global --add safe.directory ${repository.root}`;
    assert.ok(detail.includes(command), detail);
    await button.click();
    await workbench.showSourceControl();
    await session.matchesGit(repository);
  });
});
