/** Stage, unstage and discard as a person does it, checked against git's own view of the repository. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { utf8 } from '../support/bytes';
import { Repository } from '../support/repository';
import { answerByKeys } from './support/dialogKeys';
import { poll } from './support/poll';
import { Session } from './support/session';

const kOddNames = [
  'with space.txt',
  ':(top)magic.txt',
  'star*.txt',
  'line\nbreak.txt',
  utf8('日本語.txt'),
  'bad\xff.txt',
];
/** Three of them: a part that their rows show, and how they are asked about. */
const kOddRows = [
  { name: 'with space.txt', shown: 'with space.txt', asks: /discard changes in 'with space\.txt'/ },
  { name: 'line\nbreak.txt', shown: 'break.txt', asks: /discard changes in 'line\\nbreak\.txt'/ },
  { name: 'bad\xff.txt', shown: 'bad', asks: /discard changes in 'bad\\377\.txt'/ },
];

describe('changes in the workbench', () => {
  let session: Session;
  let repository: Repository;

  before(async () => {
    const sandbox = await Session.sharedSandbox();
    repository = Repository.init(sandbox, 'project');
    for (const name of ['alpha', 'beta', 'gamma', 'src/delta', 'src/epsilon'])
      repository.write(`${name}.txt`, `${name}\n`);
    repository.commit();
    session = await Session.share(sandbox);
    await session.workbench.showSourceControl();
  });
  Session.ofSuite();

  const status = (): string[] =>
    repository.git('--no-optional-locks', 'status', '--porcelain', '-uall').split('\n').slice(0, -1);

  /** git's view first, then that the view of the workbench is the same. */
  async function becomes(...expected: string[]): Promise<void> {
    await poll(() => assert.deepEqual(status(), expected), {
      what: `git status is ${expected.join(', ') || 'clean'}`,
    });
    await session.matchesGit(repository);
  }

  it('stages a row and unstages it by their buttons', async () => {
    repository.append('alpha.txt', 'more\n');
    await becomes(' M alpha.txt');
    await session.workbench.rowAction('alpha.txt', 'Stage Changes');
    await becomes('M  alpha.txt');
    await session.workbench.rowAction('alpha.txt', 'Unstage Changes');
    await becomes(' M alpha.txt');
  });

  it('takes no button away under a pressed mouse while nothing changes', async () => {
    repository.git('add', 'alpha.txt');
    await becomes('M  alpha.txt');
    await session.workbench.holdGroupAction('Staged Changes', 'Unstage All Changes', 1_500);
    await becomes(' M alpha.txt');
  });

  it('stages several rows at once by the menu', async () => {
    repository.remove('beta.txt');
    repository.write('new.txt', 'new\n');
    await becomes(' M alpha.txt', ' D beta.txt', '?? new.txt');
    await session.workbench.resource('beta.txt').click();
    await session.workbench.resource('new.txt').click({ modifiers: ['Control'] });
    await session.workbench.contextMenu(session.workbench.resource('new.txt'), 'Stage Changes');
    await becomes(' M alpha.txt', 'D  beta.txt', 'A  new.txt');
  });

  it('stages and unstages whole groups by their buttons', async () => {
    await session.workbench.groupAction('Changes', 'Stage All Changes');
    await becomes('M  alpha.txt', 'D  beta.txt', 'A  new.txt');
    await session.workbench.groupAction('Staged Changes', 'Unstage All Changes');
    await becomes(' M alpha.txt', ' D beta.txt', '?? new.txt');
  });

  it('does the same by keys alone: rows, several of them, groups', async () => {
    const { workbench } = session;
    await workbench.keyMenu(workbench.resource('alpha.txt'), 'Stage Changes');
    await becomes('M  alpha.txt', ' D beta.txt', '?? new.txt');
    await workbench.keyMenu(workbench.group('Staged Changes'), 'Unstage All Changes');
    await becomes(' M alpha.txt', ' D beta.txt', '?? new.txt');
    await workbench.keyMenuOfRows(workbench.resource('alpha.txt'), 2, 'Stage Changes');
    await becomes('M  alpha.txt', 'D  beta.txt', '?? new.txt');
    await workbench.keyMenu(workbench.group('Staged Changes'), 'Unstage All Changes');
    await becomes(' M alpha.txt', ' D beta.txt', '?? new.txt');
  });

  it('means the change that the editor in front shows, by the palette', async () => {
    const { workbench } = session;
    const opened = async (path: string) => {
      await workbench.focusRow(workbench.resource(path));
      await workbench.page.keyboard.press('Enter');
      const tab = workbench.page
        .locator('.tab.active')
        .filter({ hasText: path.slice(path.lastIndexOf('/') + 1) });
      await tab.first().waitFor();
    };
    // A text of git's: what the file was.
    await opened('beta.txt');
    await workbench.command('Resident Git: Stage Changes');
    await becomes(' M alpha.txt', 'D  beta.txt', '?? new.txt');
    await workbench.command('Resident Git: Unstage Changes');
    await becomes(' M alpha.txt', ' D beta.txt', '?? new.txt');
    await opened('alpha.txt');
    await workbench.command('Resident Git: Stage Changes');
    await becomes('M  alpha.txt', ' D beta.txt', '?? new.txt');
    // The comparison of what is staged: both sides are git's.
    await workbench.command('View: Close All Editors');
    await opened('alpha.txt');
    await workbench.command('Resident Git: Unstage Changes');
    await becomes(' M alpha.txt', ' D beta.txt', '?? new.txt');
  });

  it('discards after asking, and only then', async () => {
    await session.workbench.rowAction('alpha.txt', 'Discard Changes');
    await session.workbench.dialog(/discard changes in 'alpha\.txt'/, 'Cancel');
    await session.workbench.rowAction('alpha.txt', 'Discard Changes');
    assert.equal(repository.read('alpha.txt'), 'alpha\nmore\n');
    await session.workbench.dialog(/You cannot undo this/, 'Discard File');
    await becomes(' D beta.txt', '?? new.txt');
  });

  it('discards by keys alone: a row, several of them', async () => {
    const { workbench } = session;
    for (const name of ['alpha', 'gamma']) repository.append(`${name}.txt`, 'more\n');
    await becomes(' M alpha.txt', ' D beta.txt', ' M gamma.txt', '?? new.txt');
    await workbench.keyMenu(workbench.resource('alpha.txt'), 'Discard Changes');
    await answerByKeys(workbench, /discard changes in 'alpha\.txt'/, 'Discard File');
    await becomes(' D beta.txt', ' M gamma.txt', '?? new.txt');
    await workbench.keyMenuOfRows(workbench.resource('beta.txt'), 2, 'Discard Changes');
    await answerByKeys(workbench, /discard all changes in 2 files/, 'Discard All 2 Files');
    await becomes('?? new.txt');
    repository.remove('beta.txt');
    await becomes(' D beta.txt', '?? new.txt');
  });

  it('deletes nothing that is tracked by the time of the answer, and says so', async () => {
    await session.workbench.rowAction('new.txt', 'Discard Changes');
    const button = await session.workbench.dialogButton(
      /delete the untracked file 'new\.txt'/,
      'Delete File',
    );
    repository.git('add', 'new.txt');
    repository.git('commit', '-q', '-m', 'in a terminal', '--', 'new.txt');
    await button.click();
    await session.workbench.notifications.clear(/Not changed: new\.txt is no longer untracked/);
    assert.equal(repository.read('new.txt'), 'new\n');
    await becomes(' D beta.txt');
  });

  it('deletes an untracked file, and restores a deleted one', async () => {
    repository.write('scratch.txt', 'scratch\n');
    await becomes(' D beta.txt', '?? scratch.txt');
    await session.workbench.command('Resident Git: Discard All Changes');
    await session.workbench.dialog(/delete the untracked file 'scratch\.txt'/, 'Discard All 2 Files');
    await becomes();
    assert.equal(repository.read('beta.txt'), 'beta\n');
  });

  it('tells who is in the way of a lock', async () => {
    repository.append('alpha.txt', 'more\n');
    await becomes(' M alpha.txt');
    const lock = `${repository.root}/.git/index.lock`;
    writeFileSync(lock, '');
    try {
      await session.workbench.rowAction('alpha.txt', 'Stage Changes');
      await session.workbench.notifications.clear(/Another git process has locked .*index\.lock/);
    } finally {
      rmSync(lock);
    }
    await session.workbench.rowAction('alpha.txt', 'Stage Changes');
    await becomes('M  alpha.txt');
    repository.git('reset', '-q', '--hard');
    await becomes();
  });

  it('tells which git holds a lock, and stages when that is done', async () => {
    const { workbench } = session;
    const gate = session.sandbox.path('gate');
    session.sandbox.exec('mkfifo', 'gate');
    const hook = '.git/hooks/pre-commit';
    repository.write(hook, `#!/bin/sh\nread line <'${gate}'\n`);
    repository.chmod(hook, 0o755);
    for (const name of ['alpha', 'gamma']) repository.append(`${name}.txt`, 'more\n');
    await becomes(' M alpha.txt', ' M gamma.txt');
    const args = ['commit', '-q', '-m', 'in a terminal', 'alpha.txt'];
    const terminal = spawn('git', args, { cwd: repository.root, env: session.sandbox.env });
    const ended = once(terminal, 'exit');
    try {
      await poll(() => assert.ok(repository.exists('.git/index.lock')), { what: 'it has the lock' });
      await workbench.rowAction('gamma.txt', 'Stage Changes');
      await workbench.notifications.clear(
        new RegExp(
          `Another git process has locked .*index\\.lock.* "git commit .*alpha\\.txt" \\(process ${terminal.pid}\\) is running`,
        ),
      );
    } finally {
      await writeFile(gate, 'go\n');
      await ended;
    }
    await becomes(' M gamma.txt');
    assert.equal(repository.git('log', '-1', '--format=%s'), 'in a terminal\n');
    await workbench.rowAction('gamma.txt', 'Stage Changes');
    await becomes('M  gamma.txt');
    repository.remove(hook);
    repository.git('reset', '-q', '--hard');
    await becomes();
  });

  it('stages names of every kind by the palette, and logs each command', async () => {
    for (const name of kOddNames) repository.write(name, 'odd\n');
    await poll(async () => assert.equal((await session.workbench.resources()).length, kOddNames.length), {
      what: 'the rows of the odd names',
    });
    await session.workbench.command('Resident Git: Stage All Changes');
    await poll(
      () =>
        assert.ok(status().length === kOddNames.length && status().every((line) => line.startsWith('A  '))),
      {
        what: 'all are staged',
      },
    );
    await session.workbench.command('Resident Git: Unstage All Changes');
    await poll(() => assert.ok(status().every((line) => line.startsWith('?? '))), {
      what: 'all are untracked',
    });
    assert.match(session.extensionLog(), /> git update-index .*--add .*--stdin \[\d+ ms\]/);
  });

  /** git's names, byte by byte. */
  const names = (...args: string[]): string[] =>
    repository
      .ask(...args, '-z')
      .stdout.toString('latin1')
      .split('\0')
      .slice(0, -1)
      .sort();

  it('commits names of every kind by the box, and discards their changes by their rows and all at once', async () => {
    const { workbench } = session;
    const changed = () => names('--no-optional-locks', 'diff', '--name-only');
    const become = (...expected: string[]) =>
      poll(
        async () => {
          assert.deepEqual(changed(), expected.sort());
          assert.equal((await workbench.resources()).length, expected.length);
        },
        { what: `${expected.length} are changed` },
      );
    await workbench.groupAction('Untracked Changes', 'Stage All Changes');
    await poll(
      () => assert.equal(status().filter((line) => line.startsWith('A  ')).length, kOddNames.length),
      {
        what: 'all are staged',
      },
    );
    await workbench.writeMessage('odd names');
    await workbench.page.keyboard.press('Control+Enter');
    await poll(() => assert.equal(repository.git('log', '-1', '--format=%s'), 'odd names\n'), {
      what: 'they are committed',
    });
    assert.deepEqual(names('show', '--name-only', '--format='), [...kOddNames].sort());
    await become();
    for (const name of kOddNames) repository.append(name, 'edited\n');
    await become(...kOddNames);
    let others = kOddNames;
    for (const { name, shown, asks } of kOddRows) {
      await workbench.rowAction(shown, 'Discard Changes');
      await workbench.dialog(asks, 'Discard File');
      others = others.filter((each) => each !== name);
      await become(...others);
      assert.equal(repository.read(name), 'odd\n');
    }
    await workbench.groupAction('Changes', 'Discard All Changes');
    await workbench.dialog(/discard all changes in 3 files/, `Discard All ${others.length} Files`);
    await become();
    for (const name of kOddNames) assert.equal(repository.read(name), 'odd\n');
    await becomes();
  });
});
