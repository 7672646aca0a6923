/** A rebase, a cherry-pick, a bisection and a patch series that stop. Checks their names and the ways to continue. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { Repository } from '../support/repository';
import { poll } from './support/poll';
import { Session } from './support/session';
import { ViewMenu } from './support/viewMenu';

describe('operations in the workbench', () => {
  let session: Session;
  let repository: Repository;

  before(async () => {
    const sandbox = await Session.sharedSandbox();
    repository = Repository.init(sandbox, 'project');
    repository.write('alpha.txt', 'base\n');
    repository.commit('base');
    repository.git('checkout', '-q', '-b', 'theirs');
    repository.write('alpha.txt', 'theirs\n');
    repository.commit('theirs');
    repository.git('checkout', '-q', 'main');
    repository.write('alpha.txt', 'ours\n');
    repository.commit('ours');
    repository.write('beta.txt', 'beta\n');
    repository.commit('more');
    session = await Session.share(sandbox);
    await session.workbench.showSourceControl();
    await session.matchesGit(repository);
  });
  Session.ofSuite();

  const log = () => repository.git('log', '--format=%s').trimEnd().split('\n');
  async function logBecomes(...expected: string[]): Promise<void> {
    await poll(() => assert.deepEqual(log(), expected), { what: `the log is ${expected.join(', ')}` });
  }

  async function messageBecomes(expected: string): Promise<void> {
    await poll(async () => assert.equal(await session.workbench.commitMessage(), expected), {
      what: `the box has "${expected}"`,
    });
  }
  async function resolveBy(text: string): Promise<void> {
    repository.write('alpha.txt', `${text}\n`);
    await session.workbench.rowAction('alpha.txt', 'Stage Changes');
    await poll(() => assert.equal(repository.git('diff', '--name-only', '--diff-filter=U'), ''), {
      what: 'it is resolved',
    });
    await session.matchesGit(repository);
  }

  const isDoing = (doing: string) => session.workbench.statusBarShows(`${doing}: Continue`);
  /** The branch is as before, and nothing is in progress. */
  async function ended(branch: string): Promise<void> {
    await poll(
      async () => {
        const texts = (await session.workbench.statusItems()).map((item) => item.text);
        const isOver = texts.includes(branch) && !texts.some((text) => text.endsWith(': Continue'));
        assert.ok(isOver, texts.join('\n'));
      },
      { what: `nothing is in progress on ${branch}` },
    );
  }
  /** By the status bar, once its item knows of no conflict. */
  async function goOn(): Promise<void> {
    const label = await poll(
      async () => {
        const labels = (await session.workbench.statusItems()).map((item) => item.label);
        return labels.find((each) => /^project: .*: Continue$/.test(each)) ?? assert.fail(labels.join('\n'));
      },
      { what: 'the status bar offers to continue' },
    );
    await session.workbench.clickStatusItem(label);
  }

  it('says which commit of a rebase it is at, and goes on', async () => {
    await session.workbench.command('Resident Git: Rebase Branch...');
    await session.workbench.find('Select a branch to rebase onto', 'theirs');
    const conflict = /Rebasing onto theirs stopped at .*Conflicts in alpha\.txt/;
    assert.deepEqual(await session.workbench.notifications.look(conflict), {
      isWarning: true,
      buttons: ['Show Conflicts', 'Show Output'],
    });
    await session.workbench.showExplorer();
    await session.workbench.notifications.answer('Show Conflicts', conflict);
    await session.workbench.resource('alpha.txt').first().waitFor();
    await isDoing('Rebasing 1/2');
    await messageBecomes('ours');
    await resolveBy('both');
    await goOn();
    await logBecomes('more', 'ours', 'theirs', 'base');
    await ended('main');
    await session.matchesGit(repository);
  });

  it("ends a cherry-pick by the palette, and leaves a commit out by the view's menu", async () => {
    repository.git('branch', 'picked', 'theirs');
    repository.write('alpha.txt', 'again\n');
    repository.commit('again');
    repository.tryGit('cherry-pick', 'HEAD~2');
    await isDoing('Cherry-picking');
    await session.workbench.command('Resident Git: Abort Operation');
    await session.workbench.dialog(/abort the operation "Cherry Pick"/, 'Cancel');
    assert.ok(repository.exists('.git/CHERRY_PICK_HEAD'));
    await session.workbench.command('Resident Git: Abort Operation');
    await session.workbench.dialog(/abort the operation "Cherry Pick"/, 'Abort Cherry Pick');
    await ended('main');
    assert.equal(repository.git('status', '--porcelain'), '');
    repository.tryGit('cherry-pick', 'HEAD~2');
    await isDoing('Cherry-picking');
    await new ViewMenu(session.workbench).pickEntry('Skip Commit');
    await session.workbench.dialog(/skip this commit/, 'Skip Commit');
    await ended('main');
    await logBecomes('again', 'more', 'ours', 'theirs', 'base');
  });

  it('asks of a bisection whether the commit is good', async () => {
    repository.git('bisect', 'start', 'HEAD', 'HEAD~3');
    await isDoing('Bisecting');
    await poll(async () => assert.match(await session.workbench.commitPlaceholder(), /^Bisecting: Message/), {
      what: 'the box says it',
    });
    await session.workbench.command('Resident Git: Continue Operation');
    await session.workbench.pick('Good');
    await poll(() => assert.match(repository.git('bisect', 'log'), /^git bisect good/m), {
      what: 'git was told',
    });
    await session.workbench.command('Resident Git: Abort Operation');
    await ended('main');
  });

  it('leaves a patch out that does not apply, and applies the next one', async () => {
    repository.git('checkout', '-q', '-b', 'patches', 'theirs');
    repository.write('gamma.txt', 'gamma\n');
    repository.commit('a new file');
    repository.git('format-patch', '-q', '-2', '-o', session.sandbox.path('patches'));
    repository.git('checkout', '-q', 'main');
    const [first = '', second = ''] = readdirSync(session.sandbox.path('patches')).sort();
    const patches = [first, second].map((name) => session.sandbox.path(`patches/${name}`));
    assert.notEqual(repository.tryGit('am', '-q', ...patches).code, 0);
    await isDoing('Applying patches 1/2');
    await session.workbench.command('Resident Git: Skip Commit');
    await session.workbench.dialog(/skip this commit/, 'Skip Commit');
    await ended('main');
    await logBecomes('a new file', 'again', 'more', 'ours', 'theirs', 'base');
    await session.matchesGit(repository);
    repository.git('reset', '-q', '--hard', 'HEAD~1');
    repository.tryGit('am', '-q', ...patches);
    await isDoing('Applying patches 1/2');
    await session.workbench.command('Resident Git: Abort Operation');
    await session.workbench.dialog(/abort the operation "Applying Patches"/, 'Abort Applying Patches');
    await ended('main');
    await logBecomes('again', 'more', 'ours', 'theirs', 'base');
  });

  it('gives the commit that is next the message in the box, and the one after it its own', async () => {
    repository.git('checkout', '-q', '-b', 'stepwise');
    for (const name of ['first', 'second']) {
      repository.write('alpha.txt', `${name}\n`);
      repository.commit(name);
    }
    await session.workbench.statusBarShows('stepwise');
    assert.notEqual(repository.tryGit('rebase', '--onto', 'HEAD~3', 'HEAD~2').code, 0);
    await isDoing('Rebasing 1/2');
    await messageBecomes('first');
    await session.workbench.writeMessage('#1: first, by hand');
    await session.workbench.command('Resident Git: Continue Operation');
    await session.workbench.notifications.clear(/Conflicts in alpha\.txt/);
    await messageBecomes('#1: first, by hand');
    await resolveBy('one');
    await goOn();
    await session.workbench.notifications.clear(/Conflicts in alpha\.txt/);
    await isDoing('Rebasing 2/2');
    await messageBecomes('second');
    await resolveBy('two');
    await goOn();
    await ended('stepwise');
    await logBecomes('second', '#1: first, by hand', 'more', 'ours', 'theirs', 'base');
    await messageBecomes('');
    await session.matchesGit(repository);
  });

  it('goes on with a patch by Ctrl+Enter, whose author stays', async () => {
    repository.git('checkout', '-q', '-b', 'patch', 'theirs');
    repository.write('alpha.txt', 'patched\n');
    repository.git('commit', '-q', '-a', '-m', 'patch', '--author=Ada <ada@example.org>');
    repository.git('format-patch', '-q', '-1', '-o', session.sandbox.path('patch'));
    repository.git('checkout', '-q', 'main');
    const [name = ''] = readdirSync(session.sandbox.path('patch'));
    assert.notEqual(repository.tryGit('am', '-q', '-3', session.sandbox.path(`patch/${name}`)).code, 0);
    await isDoing('Applying patches 1/1');
    await messageBecomes('patch');
    await resolveBy('mended');
    await session.workbench.writeMessage('patch, mended');
    await session.workbench.page.keyboard.press('Control+Enter');
    await ended('main');
    await logBecomes('patch, mended', 'again', 'more', 'ours', 'theirs', 'base');
    assert.equal(repository.git('log', '-1', '--format=%ae'), 'ada@example.org\n');
    await messageBecomes('');
  });

  it('ends a merge and a revert, and goes on with each', async () => {
    const { workbench } = session;
    repository.git('checkout', '-q', '-b', 'beside', 'main~');
    repository.write('alpha.txt', 'beside\n');
    repository.commit('beside');
    repository.git('checkout', '-q', '-b', 'ways', 'main');
    const start = log();
    const clean = () => assert.equal(repository.git('status', '--porcelain'), '');
    for (const [args, doing, name] of [
      [['merge', '-q', 'beside'], 'Merging', 'Merge'],
      [['revert', '--no-edit', 'HEAD~'], 'Reverting', 'Revert'],
    ] as const) {
      assert.notEqual(repository.tryGit(...args).code, 0);
      await isDoing(doing);
      await workbench.command('Resident Git: Abort Operation');
      await workbench.dialog(new RegExp(`abort the operation "${name}"`), `Abort ${name}`);
      await ended('ways');
      assert.deepEqual(log(), start);
      clean();
    }
    repository.tryGit('revert', '--no-edit', 'HEAD~');
    await isDoing('Reverting');
    await resolveBy('reverted');
    await workbench.command('Resident Git: Continue Operation');
    await ended('ways');
    await logBecomes('Revert "again"', ...start);
    repository.tryGit('merge', '-q', 'beside');
    await isDoing('Merging');
    await resolveBy('merged');
    await goOn();
    await ended('ways');
    assert.equal(repository.git('log', '-1', '--format=%s'), "Merge branch 'beside' into ways\n");
    assert.equal(repository.git('log', '-1', '--format=%P').split(' ').length, 2);
    clean();
  });

  it('leaves a commit of a rebase out, and ends one', async () => {
    const { workbench } = session;
    repository.git('checkout', '-q', '-b', 'to-rebase', 'beside');
    repository.write('delta.txt', 'delta\n');
    repository.commit('delta');
    assert.notEqual(repository.tryGit('rebase', 'main').code, 0);
    await isDoing('Rebasing 1/2');
    await workbench.command('Resident Git: Abort Operation');
    await workbench.dialog(/abort the operation "Rebase"/, 'Abort Rebase');
    await ended('to-rebase');
    await logBecomes('delta', ...repository.git('log', '--format=%s', 'beside').trimEnd().split('\n'));
    repository.tryGit('rebase', 'main');
    await isDoing('Rebasing 1/2');
    await workbench.command('Resident Git: Skip Commit');
    await workbench.dialog(/skip this commit/, 'Skip Commit');
    await ended('to-rebase');
    await logBecomes('delta', ...repository.git('log', '--format=%s', 'main').trimEnd().split('\n'));
    await session.matchesGit(repository);
  });
});
