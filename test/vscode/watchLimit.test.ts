/** Where the kernel grants too few watches: what the window says of it, the way out that it offers, and what that does. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { limitedTo, limitWatchesOf } from '../support/limited';
import { Repository } from '../support/repository';
import { Sandbox } from '../support/sandbox';
import { poll } from './support/poll';
import { Session } from './support/session';

/** More than the editor's own watchers and the helper want beside those of the worktree. */
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
    // The editor watches nothing that would be counted with them.
    const settings = { 'files.watcherExclude': { '**': true } };
    const launcher = limitedTo(watches);
    session = await Session.open(sandbox, { folder: repository.root }, { launcher, settings });
    await session.workbench.showSourceControl();
    await session.matchesGit(repository);
  });
  Session.ofSuite();

  /** What the status bar says of the repository, by its accessible name. */
  async function says(pattern: RegExp): Promise<RegExpExecArray> {
    return poll(
      async () => {
        const items = await session.workbench.statusItems();
        const label = items.find((item) => item.label.startsWith('project, On main'))?.label ?? '';
        const match = pattern.exec(label);
        assert.ok(match, label);
        return match;
      },
      { what: `the status bar says ${String(pattern)}` },
    );
  }
  const button = () =>
    session.workbench.page
      .locator(`.part.sidebar .title-actions .action-label[aria-label="${title}"]`)
      .first();

  /** The command that the window has shown. */
  let command = '';

  it('says how many directories are not watched, and how many watches would do', async () => {
    const [, polled, watched, needed, shown = ''] = await says(
      /(\d+) directories are only looked at periodically, (\d+) are watched\. fs\.inotify\.max_user_watches should be (\d+): (sudo .*?=\d+)/,
    );
    // Of the worktree's, its root is one more.
    assert.ok(Number(polled) + Number(watched) > directories, `${polled} and ${watched}`);
    assert.ok(Number(watched) <= watches, watched);
    const ofSystem = readFileSync('/proc/sys/fs/inotify/max_user_watches', 'utf8');
    assert.equal(Number(needed), Number(ofSystem) + Number(polled));
    assert.equal(shown, `sudo sysctl -w fs.inotify.max_user_watches=${needed}`);
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
    await says(/Watching \d+ directories/);
    await button().waitFor({ state: 'hidden' });
    repository.append('d7/f.txt', 'edited\n');
    await session.matchesGit(repository);
  });
});
