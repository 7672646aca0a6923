/**
 * The kernel grants too few watches. Checks the window's message, its suggested command, and the effect of the
 * command.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { limitedTo, limitWatchesOf } from '../support/limited';
import { Repository } from '../support/repository';
import { Sandbox } from '../support/sandbox';
import { poll } from './support/poll';
import { Session } from './support/session';

/** More than the editor's own watchers and the helper need beside the worktree's watches. */
const watches = 100;
const directories = 300;
const title = 'Raise the Watch Limit...';

describe('too few watches, in the workbench (needs root)', () => {
  let session: Session;
  let repository: Repository;

  before(async function () {
    if (process.getuid?.() !== 0) this.skip();
    const sandbox = new Sandbox();
    repository = Repository.init(sandbox, 'project');
    for (let i = 0; i < directories; i++) repository.write(`d${i}/f.txt`, 'f\n');
    repository.commit('base');
    repository.append('d0/f.txt', 'more\n');
    // The editor's own watches would count too, so it watches nothing.
    const settings = { 'files.watcherExclude': { '**': true } };
    const launcher = limitedTo(watches);
    session = await Session.open(sandbox, { folder: repository.root }, { launcher, settings });
    await session.workbench.showSourceControl();
    await session.matchesGit(repository);
  });
  Session.ofSuite();

  /** Accessible names of our item about the state of the repository. */
  const states = async () =>
    (await session.workbench.statusItems())
      .map(({ label }) => label)
      .filter((label) => label.startsWith('project, '));

  /** The command that the window showed. */
  let command = '';

  it('says how many directories are not watched, and how many watches would do', async () => {
    const [, watched, polled] = await poll(
      async () => {
        const [state = ''] = await states();
        const match = /^project, Out of inotify watches\. Directories: (\d+) watched, (\d+) polled$/.exec(
          state,
        );
        return match ?? assert.fail(state);
      },
      { what: 'the status bar says it' },
    );
    // The worktree's directories, plus its root.
    assert.ok(Number(polled) + Number(watched) > directories, `${polled} and ${watched}`);
    assert.ok(Number(watched) <= watches, watched);
    const ofSystem = readFileSync('/proc/sys/fs/inotify/max_user_watches', 'utf8');
    const needed = Number(ofSystem) + Number(polled);
    const shown = `sudo sysctl -w fs.inotify.max_user_watches=${needed}`;
    await session.workbench.command('Resident Git: Show Diagnostics');
    await session.workbench.editorShows(
      new RegExp(
        `project: Out of inotify watches.*Set fs\\.inotify\\.max_user_watches to ${needed}: ${shown}`,
      ),
    );
    await session.workbench.command('View: Close All Editors');
    command = shown;
  });

  it('shows what changes in those that are not watched too', async () => {
    for (let i = 0; i < directories; i += 50) repository.append(`d${i}/f.txt`, 'edited\n');
    repository.write(`d${directories - 1}/new.txt`, 'new\n');
    await session.matchesGit(repository);
  });

  it('offers the command by a button in the title, and by the palette, to be copied', async () => {
    await session.workbench.titleAction(title);
    await session.workbench.notifications.shows(
      /inotify limit is reached: some directories are only checked/,
    );
    await session.workbench.notifications.answer('Copy Command');
    await session.workbench.pastes(command);
    await session.workbench.command(`Resident Git: ${title}`);
    await session.workbench.notifications.clear(/until the next restart: sudo sysctl -w fs\.inotify/);
  });

  it('takes all of it back once there are enough', async () => {
    limitWatchesOf(session.serverPid, Number(command.split('=')[1]));
    await poll(async () => assert.deepEqual(await states(), []), { what: 'nothing is wrong' });
    await (await session.workbench.titleButton(title)).waitFor({ state: 'hidden' });
    repository.append('d7/f.txt', 'edited\n');
    await session.matchesGit(repository);
  });
});
