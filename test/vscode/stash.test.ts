/** Stashes as a person uses them, checked against git's own list. */
import assert from 'node:assert/strict';
import { Repository } from '../support/repository';
import { poll } from './support/poll';
import { Session } from './support/session';
import { ViewMenu } from './support/viewMenu';

describe('stashes in the workbench', () => {
  let session: Session;
  let repository: Repository;

  before(async () => {
    const sandbox = await Session.sharedSandbox();
    repository = Repository.init(sandbox, 'project');
    repository.write('alpha.txt', 'alpha\n');
    repository.commit('base');
    session = await Session.share(sandbox);
    await session.workbench.showSourceControl();
    await session.matchesGit(repository);
  });
  Session.ofSuite();

  const stashes = () => repository.git('stash', 'list', '--format=%gs').split('\n').slice(0, -1);
  const status = () =>
    repository.git('--no-optional-locks', 'status', '--porcelain').split('\n').slice(0, -1);
  async function becomes(expected: { stashes: string[]; status: string[] }): Promise<void> {
    await poll(() => assert.deepEqual({ stashes: stashes(), status: status() }, expected), {
      what: `the stashes are ${expected.stashes.join(', ')}`,
    });
    await session.matchesGit(repository);
  }
  const run = (title: string) => session.workbench.command(`Resident Git: ${title}`);

  it('says that there is nothing, of changes and of stashes', async () => {
    await run('Pop Latest Stash');
    await session.workbench.notifications.clear(/The repository has no stashes/);
    await run('Stash');
    await session.workbench.type('Stash message', '');
    await session.workbench.notifications.clear(/There are no changes to stash/);
  });

  it('stashes with a message, untracked files too', async () => {
    repository.append('alpha.txt', 'first\n');
    repository.write('new.txt', 'new\n');
    await session.matchesGit(repository);
    await new ViewMenu(session.workbench).pick('Stash', 'Stash');
    await session.workbench.type('Stash message', 'the first');
    await becomes({ stashes: ['On main: the first'], status: ['?? new.txt'] });
    await run('Stash (Include Untracked)');
    await session.workbench.type('Stash message', 'untracked');
    await becomes({ stashes: ['On main: untracked', 'On main: the first'], status: [] });
  });

  it('applies, pops and drops what is picked', async () => {
    await run('Apply Stash...');
    await session.workbench.find('Pick a stash to apply', 'the first');
    await becomes({ stashes: ['On main: untracked', 'On main: the first'], status: [' M alpha.txt'] });
    await run('Drop Stash...');
    await session.workbench.find('Pick a stash to drop', 'the first');
    await session.workbench.dialog(/drop the stash "On main: the first"\?/, 'Drop Stash');
    await becomes({ stashes: ['On main: untracked'], status: [' M alpha.txt'] });
    await run('Pop Stash...');
    await session.workbench.find('Pick a stash to pop', 'untracked');
    await becomes({ stashes: [], status: [' M alpha.txt', '?? new.txt'] });
  });

  it('shows the files of one that is picked, untracked ones too', async () => {
    await run('Stash (Include Untracked)');
    await session.workbench.type('Stash message', 'to look at');
    await becomes({ stashes: ['On main: to look at'], status: [] });
    await run('View Stash...');
    await session.workbench.find('Pick a stash to view', 'to look at');
    const title = 'Stash #0: On main: to look at';
    await session.workbench.page.locator('.tab.active').filter({ hasText: title }).first().waitFor();
    const editor = session.workbench.page.locator('.multiDiffEditor').first();
    await poll(
      async () => {
        const text = (await editor.textContent({ timeout: 5_000 })) ?? '';
        for (const part of ['alpha.txt', 'first', 'new.txt']) assert.ok(text.includes(part), text);
      },
      { what: 'both files are shown' },
    );
    const reads = () => session.extensionLog().match(/> git cat-file blob/g)?.length ?? 0;
    const before = reads();
    await new ViewMenu(session.workbench, { byKeys: true }).pickByKeys('Stash', 'Pop Latest Stash');
    await becomes({ stashes: [], status: [' M alpha.txt', '?? new.txt'] });
    assert.equal(reads(), before, 'what git has by its id is read once');
    await session.workbench.command('View: Close All Editors');
  });

  it('stashes what is selected alone', async () => {
    repository.write('other.txt', 'other\n');
    await becomes({ stashes: [], status: [' M alpha.txt', '?? new.txt', '?? other.txt'] });
    await session.workbench.selectResources('alpha.txt', 'other.txt');
    await session.workbench.contextMenu(session.workbench.resource('other.txt'), 'Stash Selected Changes...');
    await session.workbench.type('Stash message', 'two of three');
    await becomes({ stashes: ['On main: two of three'], status: ['?? new.txt'] });
    await run('Pop Latest Stash');
    await becomes({ stashes: [], status: [' M alpha.txt', '?? new.txt', '?? other.txt'] });
    repository.remove('other.txt');
    await session.workbench.openFile(`${repository.root}/alpha.txt`);
    await run('Stash Selected Changes...');
    await session.workbench.type('Stash message', 'the one in the editor');
    await becomes({ stashes: ['On main: the one in the editor'], status: ['?? new.txt'] });
    await run('Pop Latest Stash');
    await becomes({ stashes: [], status: [' M alpha.txt', '?? new.txt'] });
  });

  it('stashes what is staged alone, applies the latest one, and drops all after asking', async () => {
    repository.write('alpha.txt', 'alpha\n');
    repository.git('add', 'new.txt');
    repository.append('alpha.txt', 'not staged\n');
    await becomes({ stashes: [], status: [' M alpha.txt', 'A  new.txt'] });
    await run('Stash Staged');
    await session.workbench.type('Stash message', 'what is staged');
    await becomes({ stashes: ['On main: what is staged'], status: [' M alpha.txt'] });
    await run('Apply Latest Stash');
    await becomes({ stashes: ['On main: what is staged'], status: [' M alpha.txt', 'A  new.txt'] });
    repository.git('stash', 'store', '-m', 'On main: another', repository.git('stash', 'create').trim());
    await run('Drop All Stashes...');
    await session.workbench.dialog(/drop all stashes\? There are 2 stashes/, 'Cancel');
    assert.equal(stashes().length, 2);
    await run('Drop All Stashes...');
    await session.workbench.dialog(/drop all stashes\? There are 2 stashes/, 'Drop All 2 Stashes');
    await becomes({ stashes: [], status: [' M alpha.txt', 'A  new.txt'] });
    await session.workbench.notifications.answer('Undo', /Dropped 2 stashes/);
    await becomes({
      stashes: ['On main: another', 'On main: what is staged'],
      status: [' M alpha.txt', 'A  new.txt'],
    });
    repository.git('stash', 'clear');
    await becomes({ stashes: [], status: [' M alpha.txt', 'A  new.txt'] });
    repository.git('reset', '-q');
    repository.write('alpha.txt', 'alpha\nfirst\n');
    await becomes({ stashes: [], status: [' M alpha.txt', '?? new.txt'] });
  });

  it('takes changes along to another branch, where they are in the way', async () => {
    repository.git('add', '-A');
    repository.git('stash', 'push', '-q');
    repository.git('checkout', '-q', '-b', 'other');
    repository.write('alpha.txt', 'zero\nalpha\n');
    repository.commit('other');
    repository.git('checkout', '-q', 'main');
    repository.git('stash', 'pop', '-q');
    repository.git('reset', '-q');
    await session.matchesGit(repository);
    await run('Checkout to...');
    await session.workbench.find('Select a branch or tag to checkout', 'other');
    const toast = await session.workbench.notifications.look(
      /failed at .*Your changes to alpha\.txt would be overwritten by checkout\./,
    );
    assert.deepEqual(toast.isWarning, true);
    assert.equal(toast.buttons.length, 2);
    await session.workbench.notifications.answer('Migrate Changes');
    await poll(() => assert.equal(repository.read('alpha.txt'), 'zero\nalpha\nfirst\n'), {
      what: 'the change is on the other branch',
    });
    await becomes({ stashes: [], status: [' M alpha.txt', '?? new.txt'] });
    assert.equal(repository.git('rev-parse', '--abbrev-ref', 'HEAD'), 'other\n');
  });
});
