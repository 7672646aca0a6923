/** Commits as a person makes them, compared with git's own log. */
import assert from 'node:assert/strict';
import { chmodSync } from 'node:fs';
import { Repository } from '../support/repository';
import { GitRun } from './support/gitRun';
import { poll } from './support/poll';
import { Session } from './support/session';

describe('commit in the workbench', () => {
  let session: Session;
  let repository: Repository;

  before(async () => {
    const sandbox = await Session.sharedSandbox();
    repository = Repository.init(sandbox, 'project');
    repository.write('alpha.txt', 'alpha\n');
    repository.write('beta.txt', 'beta\n');
    repository.commit('base');
    repository.append('alpha.txt', 'more\n');
    session = await Session.share(sandbox);
    await session.workbench.showSourceControl();
    await session.matchesGit(repository);
  });
  Session.ofSuite();

  /** Takes no lock: the workbench runs git at the same time. */
  const status = () => repository.git('--no-optional-locks', 'status', '--porcelain');
  const log = (): string[] => repository.git('log', '--format=%s').trimEnd().split('\n');
  async function logBecomes(...expected: string[]): Promise<void> {
    await poll(
      () => {
        assert.deepEqual(log(), expected);
        // git writes the index after HEAD.
        assert.ok(!repository.exists('.git/index.lock'));
      },
      { what: `the log is ${expected.join(', ')}` },
    );
    await session.matchesGit(repository);
  }
  async function messageBecomes(expected: string): Promise<void> {
    await poll(async () => assert.equal(await session.workbench.commitMessage(), expected), {
      what: `the box has "${expected}"`,
    });
  }

  it('says in the box where a commit goes to', async () => {
    await poll(
      async () =>
        assert.match(
          await session.workbench.commitPlaceholder(),
          /Message \(Ctrl\+Enter to commit on 'main'\)/,
        ),
      { what: 'the placeholder' },
    );
  });

  it('asks before it commits what is not staged', async () => {
    await session.workbench.writeMessage('all of it');
    await session.workbench.page.keyboard.press('Control+Enter');
    await session.workbench.dialog(/There are no staged changes to commit/, 'Cancel');
    assert.deepEqual(log(), ['base']);
    await session.workbench.writeMessage('');
    await session.workbench.writeMessage('all of it');
    await session.workbench.page.keyboard.press('Control+Enter');
    await session.workbench.dialog(/There are no staged changes to commit/, 'Yes');
    await logBecomes('all of it', 'base');
    await messageBecomes('');
  });

  it('commits what is staged, and only that, with Ctrl+Enter', async () => {
    repository.append('alpha.txt', 'staged\n');
    repository.git('add', 'alpha.txt');
    repository.append('beta.txt', 'not staged\n');
    await session.matchesGit(repository);
    await session.workbench.writeMessage('only alpha');
    await session.workbench.page.keyboard.press('Control+Enter');
    await logBecomes('only alpha', 'all of it', 'base');
    assert.equal(status(), ' M beta.txt\n');
  });

  it('takes the last commit back, with its message', async () => {
    await messageBecomes('');
    await session.workbench.command('Resident Git: Undo Last Commit');
    await logBecomes('all of it', 'base');
    await messageBecomes('only alpha');
    assert.equal(status(), 'M  alpha.txt\n M beta.txt\n');
  });

  it('keeps the message where a hook refuses, also after a reload', async () => {
    const hook = '.git/hooks/pre-commit';
    repository.write(hook, '#!/bin/sh\necho "lint: 3 problems" >&2\nexit 1\n');
    chmodSync(repository.absolute(hook), 0o755);
    await session.workbench.writeMessage('better');
    await session.workbench.page.keyboard.press('Control+Enter');
    const { buttons } = await session.workbench.notifications.look(/lint: 3 problems/);
    assert.deepEqual(buttons, ['Show Output', 'Skip Hooks']);
    await session.workbench.notifications.answer('Show Output');
    await session.workbench.editorShows(/> git .*commit .*--file=-.*lint: 3 problems.*exit code 1/);
    await messageBecomes('better');
    assert.deepEqual(log(), ['all of it', 'base']);
    await session.workbench.hasStored(/"message":"better"/);
    await session.workbench.reload();
    await session.workbench.showSourceControl();
    await session.matchesGit(repository);
    await messageBecomes('better');
    repository.remove(hook);
    await session.workbench.command('Resident Git: Commit (Signed Off)');
    await logBecomes('better', 'all of it', 'base');
    assert.match(repository.git('log', '-1', '--format=%B'), /^better\n\nSigned-off-by: /);
  });

  const head = () => repository.git('rev-parse', 'HEAD').trim();
  const headBecomes = (isExpected: (oid: string) => boolean, what: string) =>
    poll(() => assert.ok(isExpected(head())), { what });
  /** With an empty box, the old message opens in an editor. Nothing is rewritten yet. */
  async function showsOldMessage(title: string): Promise<string> {
    const before = head();
    await session.workbench.command(`Resident Git: ${title}`);
    await session.workbench.editorShows(/^better.*Signed-off-by.*Please enter the commit message/);
    assert.equal(head(), before);
    return before;
  }

  it('rewrites nothing where an amended message is emptied, with nothing staged', async () => {
    const { workbench } = session;
    repository.git('stash', 'push', '-q');
    await session.matchesGit(repository);
    const before = await showsOldMessage('Commit (Amend)');
    await workbench.page.keyboard.press('Control+A');
    await workbench.page.keyboard.press('Delete');
    await workbench.save();
    await workbench.command('View: Close Editor');
    await poll(() => assert.match(session.extensionLog(), /commit --quiet --amend .*exit code 1\]/), {
      what: 'git has ended',
    });
    assert.equal(head(), before);
    repository.git('stash', 'pop', '-q');
    await session.matchesGit(repository);
  });

  it('amends once the old message is confirmed, and takes that back by Undo', async () => {
    const { workbench } = session;
    repository.git('add', '-A');
    await session.matchesGit(repository);
    const before = await showsOldMessage('Commit (Amend)');
    await workbench.command('View: Close Editor');
    await headBecomes((oid) => oid !== before, 'the commit is amended');
    const told = new RegExp(`Amended commit ${before.slice(0, 7)}`);
    await workbench.notifications.answer('Undo', told);
    await headBecomes((oid) => oid === before, 'the old commit is back');
    await poll(() => assert.equal(status(), 'M  beta.txt\n'), { what: 'the change is staged' });
    await session.matchesGit(repository);
    await showsOldMessage('Commit (Amend)');
    await workbench.command('View: Close Editor');
    await poll(() => assert.equal(status(), ''), { what: 'nothing is left' });
    await logBecomes('better', 'all of it', 'base');
  });

  it('commits nothing where only what is staged is meant, and amends with everything', async () => {
    repository.append('beta.txt', 'amended\n');
    await session.matchesGit(repository);
    await session.workbench.command('Resident Git: Commit Staged');
    await session.workbench.notifications.clear(/There are no staged changes to commit/);
    assert.equal(status(), ' M beta.txt\n');
    await showsOldMessage('Commit All (Amend)');
    await session.workbench.command('View: Close Editor');
    await poll(() => assert.equal(status(), ''), { what: 'nothing is left' });
    await logBecomes('better', 'all of it', 'base');
  });

  it('ends a commit whose hook does not end, and keeps the message', async () => {
    const hook = '.git/hooks/pre-commit';
    // Nobody writes to this FIFO, so the hook never ends.
    session.sandbox.exec('mkfifo', 'never');
    repository.write(hook, `#!/bin/sh\nread line <"${session.sandbox.path('never')}"\n`);
    chmodSync(repository.absolute(hook), 0o755);
    repository.append('alpha.txt', 'for a hook\n');
    repository.git('add', '-A');
    await session.matchesGit(repository);
    await session.workbench.writeMessage('hangs');
    await session.workbench.page.keyboard.press('Control+Enter');
    const run = new GitRun(session.workbench);
    await run.isShown();
    await run.cancel();
    await poll(() => assert.match(session.extensionLog(), /> git .*commit .*, cancelled\]/), {
      what: 'git has ended',
    });
    await run.isOver();
    await session.matchesGit(repository);
    await messageBecomes('hangs');
    assert.deepEqual(log(), ['better', 'all of it', 'base']);
    repository.remove(hook);
    await session.workbench.titleAction('Commit');
    await logBecomes('hangs', 'better', 'all of it', 'base');
  });

  it('offers to save what is unsaved, and commits that', async () => {
    repository.append('beta.txt', 'changed\n');
    await session.matchesGit(repository);
    await session.workbench.openFile(`${repository.root}/beta.txt`);
    // Text typed into the old content could not be saved over the new file on disk.
    await session.workbench.editorShows(/changed/);
    await session.workbench.typeAtStart('typed ');
    await session.workbench.writeMessage('saved first');
    await session.workbench.page.keyboard.press('Control+Enter');
    await session.workbench.dialog(/beta\.txt has unsaved changes/, 'Save All & Commit');
    await session.workbench.dialog(/There are no staged changes to commit/, 'Yes');
    await logBecomes('saved first', 'hangs', 'better', 'all of it', 'base');
    assert.match(repository.git('show', 'HEAD:beta.txt'), /^typed beta\n/);
  });

  it('offers the message of a merge, after the conflict is resolved by staging', async () => {
    repository.git('checkout', '-q', '-b', 'theirs');
    repository.write('alpha.txt', 'theirs\n');
    repository.commit('theirs');
    repository.git('checkout', '-q', 'main');
    repository.write('alpha.txt', 'ours\n');
    repository.commit('ours');
    repository.tryGit('merge', '-q', 'theirs');
    await messageBecomes("Merge branch 'theirs'");
    await session.matchesGit(repository);
    await session.workbench.rowAction('alpha.txt', 'Stage Changes');
    await session.workbench.dialog(/stage 'alpha\.txt' with merge conflicts/, 'Cancel');
    repository.write('alpha.txt', 'both\n');
    await session.workbench.rowAction('alpha.txt', 'Stage Changes');
    await poll(() => assert.equal(status(), 'M  alpha.txt\n'), {
      what: 'it is resolved',
    });
    await session.matchesGit(repository);
    await session.workbench.titleAction('Commit');
    await poll(() => assert.equal(log()[0], "Merge branch 'theirs'"), { what: 'the merge is committed' });
    assert.equal(repository.git('log', '-1', '--format=%P').split(' ').length, 2);
    await messageBecomes('');
  });

  it('offers the message of a squash, which becomes one commit', async () => {
    repository.git('checkout', '-q', '-b', 'squashed');
    repository.write('gamma.txt', 'gamma\n');
    repository.commit('gamma');
    repository.git('checkout', '-q', 'main');
    repository.git('merge', '-q', '--squash', 'squashed');
    await session.matchesGit(repository);
    await poll(
      async () =>
        assert.match(
          await session.workbench.commitMessage(),
          /^Squashed commit of the following:commit [0-9a-f]{40}.* gamma$/,
        ),
      { what: 'the box has them' },
    );
    await session.workbench.titleAction('Commit');
    await poll(() => assert.equal(log()[0], 'Squashed commit of the following:'), {
      what: 'it is committed',
    });
    assert.match(
      repository.git('log', '-1', '--format=%B'),
      /^Squashed commit of the following:\n\n[^]* gamma\n/,
    );
    assert.equal(
      repository.git('log', '-1', '--format=%P').trim(),
      repository.git('rev-parse', 'HEAD~').trim(),
    );
    await messageBecomes('');
    await session.matchesGit(repository);
  });

  it('commits all, nothing at all, and past a hook after asking', async () => {
    repository.append('beta.txt', 'all\n');
    await session.matchesGit(repository);
    const lastIs = (subject: string) =>
      poll(() => assert.deepEqual([log()[0], status()], [subject, '']), { what: `"${subject}" is the last` });
    await session.workbench.writeMessage('all');
    await session.workbench.command('Resident Git: Commit All');
    await lastIs('all');
    await messageBecomes('');
    await session.workbench.writeMessage('empty');
    await session.workbench.command('Resident Git: Commit Empty');
    await lastIs('empty');
    assert.equal(repository.git('diff', 'HEAD~', 'HEAD'), '');
    await messageBecomes('');
    const hook = '.git/hooks/pre-commit';
    repository.write(hook, '#!/bin/sh\nexit 1\n');
    chmodSync(repository.absolute(hook), 0o755);
    repository.append('beta.txt', 'past\n');
    repository.git('add', '-A');
    await session.matchesGit(repository);
    await session.workbench.writeMessage('past the hook');
    await session.workbench.command('Resident Git: Commit (No Verify)');
    await session.workbench.dialog(/without running the pre-commit and commit-msg hooks/, 'Cancel');
    assert.equal(log()[0], 'empty');
    await session.workbench.command('Resident Git: Commit (No Verify)');
    await session.workbench.dialog(/without running the pre-commit and commit-msg hooks/, 'Skip Hooks');
    await lastIs('past the hook');
    repository.remove(hook);
    await session.matchesGit(repository);
  });
});
