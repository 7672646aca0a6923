/**
 * Settings and git's own config that affect a commit: signing, template, editor, protected branches, message length.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { Repository } from '../support/repository';
import { Sandbox } from '../support/sandbox';
import { poll } from './support/poll';
import { Session } from './support/session';

describe('settings of a commit in the workbench', () => {
  let session: Session;
  let repository: Repository;
  const settings = {
    'residentGit.verboseCommit': true,
    'residentGit.enableCommitSigning': true,
    'residentGit.branchProtection': ['protected/*'],
    'residentGit.inputValidation': true,
  };

  before(async () => {
    const sandbox = new Sandbox();
    sandbox.exec('ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', sandbox.path('key'));
    repository = Repository.init(sandbox, 'project');
    repository.write('.git/template', 'Topic: \n# as short as can be\n');
    repository.write('alpha.txt', 'alpha\n');
    repository.commit('base');
    repository.config('commit.template', '.git/template');
    repository.config('gpg.format', 'ssh');
    repository.config('user.signingKey', sandbox.path('key.pub'));
    repository.append('alpha.txt', '1\n');
    repository.git('add', '-A');
    session = await Session.open(sandbox, { folder: repository.root }, { settings });
    await session.workbench.showSourceControl();
    await session.matchesGit(repository);
  });
  Session.ofSuite();

  const log = () => repository.git('log', '--format=%s').trimEnd().split('\n');
  const lastIs = (subject: string) =>
    poll(() => assert.equal(log()[0], subject), { what: `"${subject}" is the last commit` });
  const messageBecomes = (expected: string) =>
    poll(async () => assert.equal((await session.workbench.commitMessage()).trimEnd(), expected), {
      what: `the box has "${expected}"`,
    });
  async function change(): Promise<void> {
    repository.append('alpha.txt', 'more\n');
    repository.git('add', '-A');
    await session.matchesGit(repository);
  }
  const press = () => session.workbench.page.keyboard.press('Control+Enter');

  it('has the template in the box, before the first commit and after each', async () => {
    await messageBecomes('Topic:');
    await session.workbench.writeMessage('Topic: first');
    await press();
    await lastIs('Topic: first');
    await messageBecomes('Topic:');
  });

  it('takes a template that nobody touched for no message, and shows the changes below it where asked for', async () => {
    await change();
    await session.workbench.command('Resident Git: Commit');
    await session.workbench.editorShows(/Topic: .*>8.*diff --git/);
    await session.workbench.page.keyboard.press('Control+W');
    await poll(
      () => assert.match(session.extensionLog(), /commit --quiet --gpg-sign --verbose .*exit code 1/),
      {
        what: 'git ended without a commit',
      },
    );
    assert.equal(log()[0], 'Topic: first');
  });

  it('signs by setting, and says in plain words what keeps it from that', async () => {
    await session.workbench.writeMessage('signed');
    await press();
    await lastIs('signed');
    assert.match(repository.git('cat-file', 'commit', 'HEAD'), /^gpgsig -----BEGIN SSH SIGNATURE-----/m);
    repository.config('user.signingKey', '/nowhere/key');
    await change();
    await session.workbench.writeMessage('not signed');
    await press();
    await session.workbench.notifications.clear(/Signing failed: Couldn't load public key \/nowhere\/key/);
    await messageBecomes('not signed');
    assert.equal(log()[0], 'signed');
    repository.config('user.signingKey', session.sandbox.path('key'));
  });

  it('asks before it commits to a protected branch, and makes another one', async () => {
    repository.git('checkout', '-q', '-b', 'protected/main');
    await session.workbench.statusBarShows('protected/main+');
    await session.workbench.writeMessage('elsewhere');
    await press();
    await session.workbench.dialog(/branch 'protected\/main' is protected/, 'Cancel');
    assert.equal(log()[0], 'signed');
    await session.workbench.writeMessage('elsewhere');
    await press();
    await session.workbench.dialog(/branch 'protected\/main' is protected/, 'Commit to a New Branch');
    await session.workbench.type('Branch name', 'side');
    await lastIs('elsewhere');
    assert.equal(repository.git('log', '--format=%s', 'protected/main..side'), 'elsewhere\n');
    await session.matchesGit(repository);
  });

  it('asks about a line that is too long, only where that is wanted', async () => {
    const long = 'x'.repeat(51);
    await change();
    await session.workbench.writeMessage(long);
    await press();
    await session.workbench.dialog(/Line 1 of the commit message has 51 characters, 1 over/, 'Cancel');
    assert.equal(log()[0], 'elsewhere');
    await session.workbench.writeMessage(long);
    await press();
    await session.workbench.dialog(/Line 1 of the commit message/, 'Commit Anyway');
    await lastIs(long);
  });

  it('takes the template as it is by then, after each commit', async () => {
    await messageBecomes('Topic:');
    repository.write('.git/template', 'Reason: \n');
    await change();
    await session.workbench.writeMessage('again');
    await press();
    await lastIs('again');
    await messageBecomes('Reason:');
  });

  it('leaves to commit.cleanup what becomes of the message, as git does', async () => {
    const other = Repository.init(session.sandbox, 'other');
    const lines = ['subject', '', '', '# a comment  ', 'body'];
    const message = session.sandbox.path('message');
    writeFileSync(message, lines.join('\n'));
    for (const cleanup of ['strip', 'scissors', 'verbatim']) {
      for (const each of [repository, other]) each.config('commit.cleanup', cleanup);
      other.git('commit', '-q', '--allow-empty', '--file', message);
      await change();
      const before = repository.git('rev-parse', 'HEAD');
      await session.workbench.writeMessage(lines[0] ?? '');
      for (const line of lines.slice(1)) {
        await session.workbench.page.keyboard.press('Enter');
        await session.workbench.page.keyboard.type(line);
      }
      await messageBecomes(lines.join(''));
      await press();
      await poll(() => assert.notEqual(repository.git('rev-parse', 'HEAD'), before), {
        what: `it is committed: ${cleanup}`,
      });
      const written = (each: Repository) => each.git('log', '-1', '--format=%B');
      assert.equal(written(repository), written(other), cleanup);
      assert.equal(written(repository).includes('# a comment'), cleanup !== 'strip');
      await messageBecomes('Reason:');
    }
    repository.git('config', '--unset', 'commit.cleanup');
  });

  it('offers the old message in one line where no editor is wanted, and amends once that is confirmed', async () => {
    session.set('residentGit.useEditorAsCommitInput', false);
    await session.workbench.reload();
    await session.workbench.showSourceControl();
    const head = () => repository.git('rev-parse', 'HEAD');
    const [subject] = log();
    await change();
    const before = head();
    await session.workbench.command('Resident Git: Commit (Amend)');
    const { page } = session.workbench;
    const box = page.locator('.quick-input-widget input[placeholder="Commit message"]').first();
    const value = () => page.evaluate<string>("document.querySelector('.quick-input-widget input').value");
    await poll(async () => assert.equal(await value(), subject), { what: 'it has the old first line' });
    await page.keyboard.press('Escape');
    await box.waitFor({ state: 'hidden' });
    assert.equal(head(), before);
    await session.workbench.command('Resident Git: Commit (Amend)');
    await session.workbench.type('Commit message', 'amended');
    await lastIs('amended');
    assert.match(repository.git('log', '-1', '--format=%B'), /^amended\n\n# a comment\nbody\n/);
    session.set('residentGit.useEditorAsCommitInput', undefined);
    await session.workbench.reload();
    await session.workbench.showSourceControl();
  });

  it('commits everything without asking after "Always", and nothing after "Never"', async () => {
    const kAsked = /There are no staged changes to commit/;
    const status = () => repository.git('--no-optional-locks', 'status', '--porcelain');
    const settingBecomes = (name: string, value: unknown) =>
      poll(() => assert.equal(session.userSettings()[`residentGit.${name}`], value), { what: name });
    async function commit(message: string): Promise<void> {
      repository.append('alpha.txt', 'more\n');
      repository.write(`${message}.txt`, 'new\n');
      await session.matchesGit(repository);
      await session.workbench.writeMessage(message);
      await press();
    }
    // git writes the index after HEAD.
    const isDone = (subject: string, left: string) =>
      poll(() => assert.deepEqual([log()[0], status()], [subject, left]), { what: `"${subject}" is done` });
    await commit('always');
    await session.workbench.dialog(kAsked, 'Always');
    await isDone('always', '');
    await settingBecomes('enableSmartCommit', true);
    await commit('unasked');
    await isDone('unasked', '');
    session.set('residentGit.enableSmartCommit', undefined);
    session.set('residentGit.smartCommitChanges', 'tracked');
    await session.workbench.reload();
    await session.workbench.showSourceControl();
    await commit('tracked');
    await session.workbench.dialog(kAsked, 'Yes');
    await isDone('tracked', '?? tracked.txt\n');
    await commit('never');
    await session.workbench.dialog(kAsked, 'Never');
    await settingBecomes('suggestSmartCommit', false);
    const { page, notifications } = session.workbench;
    // The extension learns of the new setting shortly after the write.
    await poll(
      async () => {
        if (await page.locator('.monaco-dialog-box').first().isVisible()) await page.keyboard.press('Escape');
        await session.workbench.writeMessage('never');
        await press();
        await page
          .locator('.notification-list-item')
          .filter({ hasText: kAsked })
          .first()
          .waitFor({ timeout: 2_000 });
      },
      { what: 'it asks no more' },
    );
    await notifications.clear(kAsked);
    assert.equal(log()[0], 'tracked');
    assert.equal(status(), ' M alpha.txt\n?? never.txt\n?? tracked.txt\n');
  });
});
