/** Several repositories in a window: a linked worktree, a repository around the folder, and a broken repository. */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { Repository } from '../support/repository';
import { Sandbox } from '../support/sandbox';
import { poll } from './support/poll';
import { Session } from './support/session';

describe('several repositories in the workbench', () => {
  let session: Session;
  let good: Repository;
  let linked: Repository;
  let around: Repository;
  let broken: Repository;

  before(async () => {
    const sandbox = new Sandbox();
    good = Repository.init(sandbox, 'good');
    good.write('file.txt', 'one\n');
    good.commit();
    good.git('worktree', 'add', '-q', '../linked');
    linked = new Repository(sandbox, sandbox.path('linked'));
    around = Repository.init(sandbox, 'around');
    around.write('folder/file.txt', 'one\n');
    around.commit();
    broken = Repository.init(sandbox, 'broken');
    broken.write('file.txt', 'one\n');
    broken.commit();
    broken.truncate('.git/index', 7);
    const workspace = sandbox.path('all.code-workspace');
    const roots = [good.root, linked.root, `${around.root}/folder`, broken.root];
    const folders = roots.map((path) => ({ path }));
    writeFileSync(workspace, JSON.stringify({ folders }));
    session = await Session.open(sandbox, { workspace });
    await session.workbench.showSourceControl();
  });
  Session.ofSuite();

  it('shows the sound ones, each with its own rows', async () => {
    good.append('file.txt', 'two\n');
    linked.write('other.txt', 'new\n');
    // Outside the open folder, beside it.
    around.write('beside.txt', 'new\n');
    await session.matchesGit(good, linked, around);
    const roots = new Set((await session.workbench.resources()).map(({ root }) => root));
    assert.deepEqual([...roots].sort(), [good.root, linked.root, around.root].sort());
    await session.workbench.screenshot('several-repositories');
  });

  it('names the broken file and the reason in the log', async () => {
    await poll(() => assert.match(session.extensionLog(), /broken\/\.git\/index\b.*\S/), {
      what: 'the log names the truncated index',
    });
  });

  it('shows the broken repository again once it is mended', async () => {
    broken.remove('.git/index');
    broken.git('reset', '-q');
    broken.append('file.txt', 'two\n');
    await session.matchesGit(good, linked, around, broken);
  });

  it('takes no button away under a pressed mouse after all of them have changed at once', async () => {
    const all = [good, linked, around, broken];
    for (const repository of all) repository.write('late.txt', 'new\n');
    await session.matchesGit(...all);
    const staged = () => all.filter((each) => each.git('diff', '--cached', '--name-only') !== '').length;
    assert.equal(staged(), 0);
    await session.workbench.holdGroupAction('Untracked Changes', 'Stage All Changes', 5_500);
    await poll(() => assert.equal(staged(), 1), { what: 'it got its click', timeoutMs: 10_000 });
    await session.matchesGit(...all);
  });

  const row = (name: string) =>
    session.workbench.page.locator('.scm-view .monaco-list-row:has(.scm-provider)').filter({ hasText: name });
  const button = (name: string, icon: string) => row(name).locator(`.codicon-${icon}`);
  const cancel = 'debug-stop';
  /** Waits until the status bar offers to continue in this repository; '' for in none. */
  const isBusy = (name: string) =>
    poll(
      async () => {
        const texts = (await session.workbench.statusItems()).map(({ text }) => text);
        const offers = texts.filter((text) => text.endsWith(': Continue'));
        assert.deepEqual(offers, name === '' ? [] : [`${name}: Cherry-picking: Continue`]);
      },
      { what: `${name || 'nothing'} is in progress` },
    );
  const shown = async (icon: string, ...expected: string[]) =>
    poll(
      async () => {
        const names = ['good', 'linked', 'around', 'broken'];
        const counts = await Promise.all(names.map((name) => button(name, icon).count()));
        const having = names.filter((_, i) => counts[i] !== 0);
        assert.deepEqual(having, expected);
      },
      { what: `${expected.join(' and ') || 'nobody'} has ${icon}` },
    );
  const hasNoConflict = (name: string) =>
    poll(
      async () => {
        const labels = (await session.workbench.statusItems()).map(({ label }) => label);
        assert.ok(labels.includes(`${name}: Cherry-picking: Continue`), labels.join('\n'));
      },
      { what: `no conflict is left in ${name}` },
    );
  /** Creates a branch `theirs` and stops in a cherry-pick of its last commit. */
  function stopInCherryPick(repository: Repository, path: string): void {
    repository.commit('all');
    repository.git('checkout', '-q', '-b', 'theirs');
    repository.write(path, 'theirs\n');
    repository.commit('theirs');
    repository.git('checkout', '-q', 'main');
    repository.write(path, 'ours\n');
    repository.commit('ours');
    assert.notEqual(repository.tryGit('cherry-pick', 'theirs').code, 0);
  }

  it('continues in the repository that the status bar names, and cancels in its row', async () => {
    const goOn = () => session.workbench.clickStatusItem('around: Cherry-picking: Continue');
    await isBusy('');
    stopInCherryPick(around, 'folder/file.txt');
    await isBusy('around');
    await shown(cancel);
    around.write('folder/file.txt', 'both\n');
    around.git('add', 'folder/file.txt');
    await hasNoConflict('around');
    const hook = `${around.root}/.git/hooks/pre-commit`;
    writeFileSync(hook, '#!/bin/sh\nsleep 60\n', { mode: 0o755 });
    await goOn();
    await shown(cancel, 'around');
    await session.workbench.screenshot('several-repositories-operation');
    await button('around', cancel).first().click();
    await shown(cancel);
    assert.equal(around.git('log', '-1', '--format=%s'), 'ours\n');
    rmSync(hook);
    await goOn();
    await isBusy('');
    assert.equal(around.git('log', '-1', '--format=%s'), 'theirs\n');
    around.git('reset', '-q', '--hard', 'HEAD~1');
    around.tryGit('cherry-pick', 'theirs');
    await isBusy('around');
    await session.workbench.command('Resident Git: Abort Cherry Pick');
    await session.workbench.dialog(/abort the operation/, 'Abort Cherry Pick');
    await isBusy('');
    assert.equal(around.git('status', '--porcelain'), '');
    await session.matchesGit(good, linked, around, broken);
  });

  it('leaves a commit out and ends an operation in the one that is meant, and asks only where there are several', async () => {
    const { workbench } = session;
    const isPicking = (repository: Repository) => repository.exists('.git/CHERRY_PICK_HEAD');
    around.tryGit('cherry-pick', 'theirs');
    await isBusy('around');
    stopInCherryPick(broken, 'file.txt');
    // The item shows the repository of the active editor, if that repository has an operation.
    await workbench.openFile(`${broken.root}/file.txt`);
    await isBusy('broken');
    await workbench.command('Resident Git: Skip Commit');
    await workbench.offers('around');
    const offered = await workbench.page.locator('.quick-input-list .monaco-list-row').allInnerTexts();
    assert.deepEqual(
      offered.map((text) => /^\w+/.exec(text)?.[0]),
      ['broken', 'around'],
    );
    await workbench.find('Choose a repository', 'around');
    await workbench.dialog(/skip this commit/, 'Skip Commit');
    await poll(() => assert.deepEqual([around, broken].map(isPicking), [false, true]), {
      what: 'one goes on',
    });
    await session.matchesGit(good, linked, around, broken);
    await workbench.command('Resident Git: Abort Operation');
    await workbench.dialog(/abort the operation/, 'Abort Cherry Pick');
    await isBusy('');
    assert.deepEqual([around, broken].map(isPicking), [false, false]);
    await session.matchesGit(good, linked, around, broken);
  });

  it('closes one by the keys of its row', async () => {
    await session.workbench.keyMenu(row('around').first(), 'Close Repository');
    await session.matchesGit(good, linked, broken);
  });

  it('names the repository in which a merge is in progress, in the status bar', async () => {
    good.git('add', '-A');
    good.commit('all');
    good.git('checkout', '-q', '-b', 'side', 'HEAD~');
    good.write('file.txt', 'side\n');
    good.commit('side');
    const named = async () =>
      (await session.workbench.statusItems())
        .map(({ text }) => text)
        .filter((text) => text.endsWith(': Continue'));
    assert.deepEqual(await named(), []);
    assert.notEqual(good.tryGit('merge', '-q', 'main').code, 0);
    await poll(async () => assert.deepEqual(await named(), ['good: Merging: Continue']), {
      what: 'it is named',
    });
    await session.workbench.command('Resident Git: Abort Operation');
    await session.workbench.dialog(/abort the operation/, 'Abort Merge');
    await poll(async () => assert.deepEqual(await named(), []), { what: 'it is named no more' });
    assert.equal(good.git('status', '--porcelain'), '');
    await session.matchesGit(good, linked, broken);
  });
});
