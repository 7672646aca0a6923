/** Branches and tags as a person uses them, compared with git. Includes a list of 50,000. */
import assert from 'node:assert/strict';
import { Repository } from '../support/repository';
import { makeBranches, packedBranch } from './support/manyBranches';
import { poll } from './support/poll';
import { Session } from './support/session';
import { ViewMenu } from './support/viewMenu';

const kMany = 50_000;
const kLoose = 200;
const kCheckout = 'Select a branch or tag to checkout';

describe('branches in the workbench', () => {
  let session: Session;
  let repository: Repository;

  before(async () => {
    const sandbox = await Session.sharedSandbox();
    repository = Repository.init(sandbox, 'project');
    repository.write('alpha.txt', 'alpha\n');
    repository.commit('base');
    repository.git('checkout', '-q', '-b', 'feature/login');
    repository.write('login.txt', 'login\n');
    repository.commit('login');
    repository.git('checkout', '-q', 'main');
    session = await Session.share(sandbox);
    await session.workbench.showSourceControl();
    await session.matchesGit(repository);
  });
  Session.ofSuite();

  const head = () => repository.git('rev-parse', '--abbrev-ref', 'HEAD').trim();
  const oid = (revision: string) => repository.git('rev-parse', revision).trim();
  const branches = () =>
    repository.git('for-each-ref', '--format=%(refname:short)', 'refs/heads').trimEnd().split('\n');
  async function headBecomes(expected: string): Promise<void> {
    await poll(() => assert.equal(head(), expected), { what: `HEAD is ${expected}` });
    await session.workbench.statusBarShows(expected === 'HEAD' ? oid('HEAD').slice(0, 8) : expected);
    await session.matchesGit(repository);
  }
  const run = (title: string) => session.workbench.command(`Resident Git: ${title}`);
  const menu = (submenu: string, item: string) => new ViewMenu(session.workbench).pick(submenu, item);

  it('checks out a branch that was typed in part, and back by the status bar', async () => {
    await run('Checkout to...');
    await session.workbench.find(kCheckout, 'login', 'feature/login');
    await headBecomes('feature/login');
    await session.workbench.clickStatusItem('project (Resident Git) - feature/login');
    await session.workbench.find(kCheckout, 'main');
    await headBecomes('main');
  });

  it('makes a branch, with a name that git takes, and one from another', async () => {
    await menu('Branch', 'Create Branch...');
    await session.workbench.type('Branch name', 'my new branch');
    await headBecomes('my-new-branch');
    await run('Checkout to...');
    await session.workbench.pick('Create new branch from...');
    await session.workbench.find('Select a ref to create the branch from', 'feature/login');
    await session.workbench.type('Branch name', 'from-login');
    await headBecomes('from-login');
    assert.equal(oid('HEAD'), oid('feature/login'));
  });

  it('checks a name while it is typed, and offers the nearest valid one', async () => {
    const { page } = session.workbench;
    const says = (text: string) =>
      poll(async () => assert.ok((await session.workbench.asked()).includes(text)), {
        what: `the box says "${text}"`,
      });
    const input = page.locator('.quick-input-widget:visible input[placeholder="Branch name"]').first();
    await run('Create Branch...');
    await input.fill('bad..name?');
    await says('A name cannot contain "..". Press Enter to use "bad.name".');
    await input.fill('feature');
    await says('This name cannot be used while "feature/login" exists.');
    await input.fill('main');
    await says('A branch named "main" already exists.');
    // Enter does nothing with an invalid name.
    await page.keyboard.press('Enter');
    await input.fill('feature/é');
    await says('Enter a name for the branch');
    await input.fill('-x y');
    await says('Press Enter to use "x-y".');
    await page.keyboard.press('Enter');
    await headBecomes('x-y');
    await run('Create Tag...');
    await page.locator('.quick-input-widget:visible input[placeholder="Tag name"]').first().fill('v 1');
    await says('A name cannot contain spaces. Press Enter to use "v-1".');
    await page.keyboard.press('Escape');
    await session.workbench.nothingIsAsked();
    repository.git('checkout', '-q', 'from-login');
    repository.git('branch', '-q', '-D', 'x-y');
    await headBecomes('from-login');
  });

  it('lists the branches with the last commit of each, the most recent first, or by name', async () => {
    const { page } = session.workbench;
    const dated: readonly (readonly [string, number])[] = [
      ['zz/today', 0],
      ['aa/old', 800],
      ['mm/last-week', 8],
    ];
    for (const [name, days] of dated) {
      const date = `${Math.floor(Date.now() / 1000) - days * 86_400} +0000`;
      const header = `tree ${oid('HEAD^{tree}')}\nparent ${oid('main')}\n`;
      const people = `author Ana Silva <a@b> ${date}\ncommitter Ana Silva <a@b> ${date}\n`;
      const commit = `${header}${people}\nWork on ${name}\n`;
      const made = repository.gitWithInput(commit, 'hash-object', '-t', 'commit', '-w', '--stdin');
      repository.git('branch', name, made.stdout.toString('latin1').trim());
    }
    const rows = async () =>
      (await page.evaluate<string[] | undefined>(`residentPage.pickRows('${kCheckout}')`)) ?? [];
    const indexOf = (all: string[], text: string) => all.findIndex((row) => row.includes(text));
    const inOrder = (...names: string[]) =>
      poll(
        async () => {
          const shown = await rows();
          const indexes = names.map((name) => indexOf(shown, name));
          assert.ok(!indexes.includes(-1), shown.join('\n'));
          assert.deepEqual(
            indexes,
            [...indexes].sort((a, b) => a - b),
            shown.join('\n'),
          );
        },
        { what: `${names.join(', ')} in this order` },
      );
    await run('Checkout to...');
    await inOrder('zz/today', 'mm/last-week', 'aa/old');
    const shown = await rows();
    const old = shown[indexOf(shown, 'aa/old')] ?? '';
    assert.match(old, /2 years ago.*Ana Silva.*Work on aa\/old/);
    assert.deepEqual(
      shown.filter((row) => row.includes('current branch')).map((row) => row.includes('from-login')),
      [true],
    );
    await page.keyboard.press('Escape');
    await session.workbench.nothingIsAsked();
    session.set('residentGit.branchSortOrder', 'alphabetically');
    await session.workbench.reload();
    await session.workbench.showSourceControl();
    await session.matchesGit(repository);
    await run('Checkout to...');
    await inOrder('aa/old', 'mm/last-week', 'zz/today');
    await page.keyboard.press('Escape');
    await session.workbench.nothingIsAsked();
    session.set('residentGit.branchSortOrder', 'committerdate');
    for (const [name] of dated) repository.git('branch', '-q', '-D', name);
  });

  it('renames and deletes, and asks about what is not merged', async () => {
    await run('Rename Branch...');
    await session.workbench.type('Branch name', 'renamed');
    await headBecomes('renamed');
    repository.commit('only here');
    repository.git('checkout', '-q', 'main');
    await headBecomes('main');
    await run('Delete Branch...');
    await session.workbench.find('Select a branch to delete', 'my-new-branch');
    await poll(() => assert.deepEqual(branches(), ['feature/login', 'main', 'renamed']), {
      what: 'it is gone',
    });
    await run('Delete Branch...');
    await session.workbench.find('Select a branch to delete', 'renamed');
    await session.workbench.dialog(/"renamed" is not fully merged/, 'Delete Branch');
    await poll(() => assert.deepEqual(branches(), ['feature/login', 'main']), { what: 'it is gone' });
    await session.workbench.notifications.answer('Undo', /Deleted branch renamed/);
    await poll(() => assert.deepEqual(branches(), ['feature/login', 'main', 'renamed']), {
      what: 'it is back',
    });
    repository.git('branch', '-q', '-D', 'renamed');
  });

  it('says what is in the way of a checkout, and leaves it', async () => {
    repository.write('login.txt', 'mine\n');
    await session.matchesGit(repository);
    await run('Checkout to...');
    await session.workbench.find(kCheckout, 'feature/login');
    await session.workbench.notifications.clear(/The untracked file login\.txt blocks checkout/);
    assert.equal(repository.read('login.txt'), 'mine\n');
    repository.remove('login.txt');
    await session.matchesGit(repository);
  });

  it('tags, checks a tag out, and deletes it', async () => {
    await menu('Tags', 'Create Tag...');
    await session.workbench.type('Tag name', 'v1');
    await session.workbench.type('Message', 'the first');
    await poll(
      () => assert.equal(repository.git('tag', '-n', '-l', 'v1').trim(), 'v1              the first'),
      {
        what: 'the tag is there',
      },
    );
    await run('Checkout to (Detached)...');
    await session.workbench.find('Select a branch or tag to checkout in detached mode', 'v1');
    await headBecomes('HEAD');
    repository.git('checkout', '-q', 'main');
    await headBecomes('main');
    await run('Delete Tag...');
    await session.workbench.find('Select a tag to delete', 'v1');
    await poll(() => assert.equal(repository.git('tag'), ''), { what: 'the tag is gone' });
    await session.workbench.notifications.answer('Undo', /Deleted tag v1/);
    await poll(() => assert.equal(repository.git('tag', '-n').trim(), 'v1              the first'), {
      what: 'the tag is back',
    });
    repository.git('tag', '--delete', 'v1');
  });

  it('takes what fits best where Enter comes right after the last key', async () => {
    for (const tag of ['one', 'two', 'two-b']) repository.git('tag', tag);
    await run('Delete Tag...');
    await session.workbench.offers('two-b');
    await session.workbench.type('Select a tag to delete', 'two');
    await poll(() => assert.equal(repository.git('tag'), 'one\ntwo-b\n'), { what: 'a tag is gone' });
    repository.git('tag', '--delete', 'one', 'two-b');
  });

  it('rebases and merges', async () => {
    repository.commit('ours');
    await run('Rebase Branch...');
    await session.workbench.find('Select a branch to rebase onto', 'feature/login');
    await poll(() => assert.equal(repository.git('log', '--format=%s'), 'ours\nlogin\nbase\n'), {
      what: 'it is rebased',
    });
    await session.workbench.notifications.answer('Undo', /Rebased onto feature\/login/);
    await poll(() => assert.equal(repository.git('log', '--format=%s'), 'ours\nbase\n'), {
      what: 'the rebase is undone',
    });
    repository.git('rebase', '-q', 'feature/login');
    await headBecomes('main');
    repository.git('checkout', '-q', '-b', 'theirs', 'HEAD~');
    repository.write('theirs.txt', 'theirs\n');
    repository.commit('theirs');
    repository.git('checkout', '-q', 'main');
    await headBecomes('main');
    await run('Merge...');
    await session.workbench.find('Select a branch or tag to merge from', 'theirs');
    await poll(() => assert.equal(repository.git('log', '-1', '--format=%s'), "Merge branch 'theirs'\n"), {
      what: 'it is merged',
    });
    await headBecomes('main');
  });

  it('picks a commit of another branch from the list, and says what is wrong with a hash', async () => {
    repository.git('checkout', '-q', '-b', 'picked-from');
    repository.write('picked.txt', 'picked\n');
    repository.commit('to be picked');
    repository.git('checkout', '-q', 'main');
    await headBecomes('main');
    const kPick = 'Select a commit to cherry-pick, or type its hash';
    await run('Cherry Pick...');
    await session.workbench.find(kPick, 'to be', 'to be picked');
    await poll(() => assert.equal(repository.git('log', '-1', '--format=%s'), 'to be picked\n'), {
      what: 'it is picked',
    });
    await headBecomes('main');
    await run('Cherry Pick...');
    await session.workbench.offers('Use the text you typed as the commit hash');
    await session.workbench.type(kPick, oid('HEAD~').slice(0, 10));
    await session.workbench.notifications.answer('Use First Parent');
    await session.workbench.notifications.answer('Skip');
    await headBecomes('main');
    await run('Cherry Pick...');
    await session.workbench.offers('Use the text you typed as the commit hash');
    await session.workbench.type(kPick, 'abcdef0123');
    await session.workbench.notifications.clear(/Commit abcdef0123 was not found/);
    assert.equal(repository.git('log', '-1', '--format=%s'), 'to be picked\n');
  });

  it('makes a worktree on a new branch and one that is there, and deletes it after asking', async () => {
    const worktrees = () =>
      repository
        .git('worktree', 'list', '--porcelain')
        .split('\n')
        .flatMap((line) => /^branch refs\/heads\/(.*)/.exec(line)?.[1] ?? []);
    const become = (...expected: string[]) =>
      poll(() => assert.deepEqual(worktrees().sort(), expected), {
        what: `worktrees on ${expected.join(', ')}`,
      });
    await menu('Worktrees', 'Create Worktree...');
    await session.workbench.pick('Create new branch...');
    await session.workbench.type('Branch name', 'on/new');
    await session.workbench.prompted(/Please provide a worktree path/);
    await session.workbench.page.keyboard.press('Enter');
    await become('main', 'on/new');
    // git lists the worktree before its files are checked out.
    await session.workbench.notifications.clear(/open the worktree 'on-new'/);
    assert.equal(repository.exists('../project.worktrees/on-new/alpha.txt'), true);
    await run('Create Worktree...');
    await session.workbench.find('Select a branch or tag to create the new worktree from', 'theirs');
    await session.workbench.type('Worktree path', session.sandbox.path('by hand'));
    await become('main', 'on/new', 'theirs');
    await session.workbench.notifications.clear(/open the worktree 'by hand'/);
    repository.write('../by hand/new.txt', 'new\n');
    await run('Delete Worktree...');
    await session.workbench.find('Select a worktree to delete', 'by hand');
    await session.workbench.dialog(/delete the worktree "by hand"/, 'Delete Worktree');
    await session.workbench.dialog(/contains modified or untracked files/, 'Cancel');
    assert.equal(repository.exists('../by hand/new.txt'), true);
    await run('Delete Worktree...');
    await session.workbench.find('Select a worktree to delete', 'by hand');
    await session.workbench.dialog(/delete the worktree "by hand"/, 'Delete Worktree');
    await session.workbench.dialog(/contains modified or untracked files/, 'Force Delete');
    await become('main', 'on/new');
    assert.deepEqual(branches().includes('theirs'), true);
  });

  it(`finds one of ${kMany} branches, as one types`, async () => {
    makeBranches(repository, { packed: kMany, loose: kLoose });
    await run('Checkout to...');
    await session.workbench.find(kCheckout, 'many 31415', packedBranch(31_415));
    await headBecomes(packedBranch(31_415));
    await run('Checkout to...');
    await session.workbench.find(kCheckout, 'loose 142', 'loose/branch-142');
    await headBecomes('loose/branch-142');
  });

  it('opens another worktree', async () => {
    repository.git('worktree', 'add', '-q', '../linked', '-b', 'linked');
    await run('Open Worktree in Current Window');
    await session.workbench.find('Select a worktree to open', 'linked');
    await poll(
      async () => {
        const labels = (await session.workbench.statusItems()).map(({ label }) => label);
        assert.ok(
          labels.some((label) => label.startsWith('linked (Resident Git) - linked')),
          labels.join('\n'),
        );
      },
      { what: 'the window shows the other worktree' },
    );
  });
});
