/** The Source Control view without a repository: what it says, and what it offers. */
import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { oracleGit } from '../support/oracle';
import { Repository } from '../support/repository';
import { Sandbox } from '../support/sandbox';
import { poll } from './support/poll';
import { Session } from './support/session';

describe('a folder without a repository in the workbench', () => {
  let session: Session;
  let repository: Repository;

  before(async () => {
    const sandbox = new Sandbox();
    repository = new Repository(sandbox, sandbox.path('plain'));
    mkdirSync(repository.root);
    writeFileSync(`${repository.root}/file.txt`, 'one\n');
    // All that there is of programs, git not yet among them.
    mkdirSync(sandbox.path('programs'));
    symlinkSync('/bin/sh', sandbox.path('programs/sh'));
    const env = { ...sandbox.env, PATH: sandbox.path('programs') };
    session = await Session.open(sandbox, { folder: repository.root }, { env });
  });
  Session.ofSuite();

  it('has nothing to offer where there is no git', async () => {
    await session.workbench.welcomeShows(/finds no git on PATH/);
  });

  it('is offered to be initialized once there is one', async () => {
    symlinkSync(oracleGit(), session.sandbox.path('programs/git'));
    await session.workbench.welcomeButton('Find Repositories Again');
    await session.workbench.welcomeShows(/has no Git repository yet/);
  });

  it('has its rows as soon as that is done', async () => {
    await session.workbench.welcomeButton('Initialize Repository');
    await poll(() => repository.git('rev-parse', '--git-dir'), { what: 'git has initialized it' });
    await session.workbench.showSourceControl();
    await session.matchesGit(repository);
    await session.workbench.statusBarShows('main');
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

  it('is said to be, with the command that allows it', async () => {
    await session.workbench.welcomeShows(/git config --global --add safe\.directory/);
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
