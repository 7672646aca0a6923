/** Branches and tags, compared with git: the list, the search, and the repository afterwards. */
import { strict as assert } from 'node:assert';
import { rmSync } from 'node:fs';
import {
  checkoutBranchArguments,
  checkoutDetachedArguments,
  checkoutRemoteArguments,
  createBranchArguments,
  createTagArguments,
  deleteBranchArguments,
  deleteTagArguments,
  mergeArguments,
  rebaseArguments,
  renameBranchArguments,
} from '../../../../extension/features/branches/plan';
import {
  findTracking,
  kListRefs,
  kListUpstreams,
  listDetailedRefs,
  mayMean,
  parseRefs,
  Ref,
  refDetails,
  RefSearch,
  revisionOf,
} from '../../../../extension/features/refs/refs';
import { kListWorktrees, parseWorktrees } from '../../../../extension/features/worktrees/list';
import {
  createWorktreeArguments,
  deletableWorktrees,
  deleteWorktreeArguments,
  proposedWorktreePath,
  WorktreeStart,
} from '../../../../extension/features/worktrees/plan';
import { gitEnvironment } from '../../../../extension/git/environment';
import { explain, FailureKind } from '../../../../extension/git/failures';
import { runGit } from '../../../../extension/git/runGit';
import { utf8 } from '../../../support/bytes';
import { atLeast } from '../../../support/oracle';
import { Repository } from '../../../support/repository';
import { Sandbox } from '../../../support/sandbox';

function head(name: string): Ref {
  return { kind: 'head', full: `refs/heads/${name}`, name, oid: '1', details: '' };
}

describe('RefSearch', () => {
  const names = ['feature/login', 'fix', 'fixture', 'main', 'prefix', 'user/fix-login'];
  const search = new RefSearch(names.map(head), 3);
  const found = (typed: string) => {
    const { refs, total } = search.find(typed);
    return [refs.map(({ name }) => name), total];
  };

  it('shows the first of all while nothing is typed', () => {
    assert.deepEqual(found(' '), [['feature/login', 'fix', 'fixture'], 6]);
  });

  it('has what fits best first, and says of how many', () => {
    assert.deepEqual(found('fix'), [['fix', 'fixture', 'user/fix-login'], 4]);
    assert.deepEqual(found('FIX'), found('fix'));
  });

  it('wants every word', () => {
    assert.deepEqual(found('login fix'), [['user/fix-login'], 1]);
    assert.deepEqual(found('nothing'), [[], 0]);
  });

  it('means no name that does not have the letters that are typed, in their order', () => {
    for (const typed of ['', ' ', 'fix', 'FIX', 'login fix', 'uflog', 'user/fix-login']) {
      assert.ok(mayMean(typed, 'user/Fix-login'), typed);
    }
    for (const typed of ['login fix y', 'xuser', 'user/fix-login2', 'ginlo'])
      assert.ok(!mayMean(typed, 'user/Fix-login'), typed);
  });

  it('looks at each of 50,000 once, and makes nothing of those that are not shown', () => {
    let looks = 0;
    const many = Array.from({ length: 50_000 }, (_, i) => {
      const ref = head(`b${i}`);
      return Object.defineProperty(ref, 'name', { get: () => (looks++, `b${i}`) });
    });
    const large = new RefSearch(many, 200);
    assert.equal(looks, 50_000);
    assert.equal(large.find('').refs.length, 200);
    assert.equal(large.find('b4').total, 11_111);
    assert.equal(large.find('b4').refs.length, 200);
    assert.equal(looks, 50_000);
  });
});

describe('beside git', () => {
  let sandbox: Sandbox;
  let repository: Repository;

  beforeEach(() => {
    sandbox = new Sandbox();
    repository = Repository.init(sandbox, 'r');
    repository.write('f', 'f\n');
    repository.commit('base');
  });
  afterEach(() => {
    sandbox.remove();
  });

  const git = (args: readonly string[], input = '') =>
    runGit(
      { path: 'git', env: gitEnvironment(sandbox.env) },
      repository.root,
      { args, input: Buffer.from(input), keepsAll: true },
      new AbortController().signal,
    );
  async function works(args: string[], input?: string): Promise<void> {
    const result = await git(args, input);
    assert.equal(result.code, 0, result.stderr.toString());
  }
  async function fails(args: string[], kind: FailureKind, message: RegExp): Promise<void> {
    const subcommand = args.find((word) => !word.startsWith('-') && !word.includes('=')) ?? '';
    const failure = explain(subcommand, await git(args));
    assert.equal(failure.kind, kind);
    assert.match(failure.message, message);
  }
  const refs = async () => parseRefs((await git(kListRefs)).stdout);
  async function ref(full: string): Promise<Ref> {
    const found = (await refs()).find((each) => each.full === full);
    assert.ok(found, full);
    return found;
  }
  const current = () =>
    repository.tryGit('symbolic-ref', '-q', 'HEAD').stdout.toString().trim().slice('refs/heads/'.length);
  const oid = (revision: string) => repository.git('rev-parse', revision).trim();
  function branch(name: string): void {
    repository.git('checkout', '-q', '-b', name);
    repository.write(name, `${name}\n`);
    repository.commit(name);
    repository.git('checkout', '-q', 'main');
  }
  /** Another user's repository with the branches `main` and `side`. */
  function remote(): void {
    branch('side');
    sandbox.exec('git', 'clone', '-q', '--bare', 'r', 'remote');
    repository.git('branch', '-q', '-D', 'side');
    repository.git('remote', 'add', 'origin', '../remote');
    repository.git('fetch', '-q');
    repository.git('remote', 'set-head', 'origin', 'main');
  }

  it('lists them in one git, without what leads to another', async () => {
    remote();
    repository.git('tag', '-a', '-m', 'x', 'v1');
    repository.git('branch', utf8('größe'));
    const listed = (await refs()).map(({ kind, name }) => `${kind} ${name}`);
    assert.deepEqual(listed, [
      'head größe',
      'head main',
      'remote origin/main',
      'remote origin/side',
      'tag v1',
    ]);
    assert.equal((await ref('refs/tags/v1')).oid, oid('refs/tags/v1'));
  });

  it('lists them with the last commit of each, the most recent first, and by name', async () => {
    remote();
    const dated = (day: string, ...args: string[]) => {
      const date = `${day}T12:00:00Z`;
      sandbox.exec(
        'env',
        `GIT_AUTHOR_DATE=${date}`,
        `GIT_COMMITTER_DATE=${date}`,
        'git',
        '-C',
        repository.root,
        ...args,
      );
    };
    for (const [name, day] of [
      ['older', '2020-03-04'],
      ['newest', '2040-01-02'],
    ] as const) {
      repository.git('checkout', '-q', '-b', name, 'main');
      dated(
        day,
        '-c',
        'user.name=Ana Silva',
        'commit',
        '-q',
        '--allow-empty',
        '-m',
        `Work on ${name}`,
        '-m',
        'more',
      );
    }
    dated('2030-01-02', 'tag', '-a', '-m', 'The release', 'v1', 'main');
    repository.git('tag', 'of-a-file', 'main:f');
    const named = async (order: 'committerdate' | 'alphabetically') =>
      parseRefs((await git(listDetailedRefs(order))).stdout);
    const byDate = await named('committerdate');
    const names = byDate.map(({ name }) => name);
    assert.deepEqual([names[0], names.indexOf('older') > names.indexOf('main')], ['newest', true]);
    assert.deepEqual(new Set(names), new Set((await refs()).map(({ name }) => name)));
    const byName = (await named('alphabetically')).map(({ full, oid: id }) => [full, id]);
    assert.deepEqual(
      byName,
      (await refs()).map(({ full, oid: id }) => [full, id]),
    );
    const detailsOf = (full: string) => refDetails(byDate.find((each) => each.full === full) ?? head(''));
    assert.deepEqual(detailsOf('refs/heads/newest'), {
      date: Date.UTC(2040, 0, 2, 12) / 1000,
      author: 'Ana Silva',
      subject: 'Work on newest',
    });
    const tag = detailsOf('refs/tags/v1');
    assert.deepEqual([tag?.date, tag?.subject], [Date.UTC(2030, 0, 2, 12) / 1000, 'The release']);
    assert.notEqual(tag?.author, '');
    for (const full of ['refs/tags/of-a-file', 'refs/none']) assert.equal(detailsOf(full), undefined);
    assert.equal(refDetails(await ref('refs/heads/main')), undefined, 'nothing was asked');
  });

  it('checks out a branch, a remote one as one of its own, and a tag without one', async () => {
    remote();
    await works(checkoutRemoteArguments(await ref('refs/remotes/origin/side')));
    assert.equal(current(), 'side');
    repository.git('branch', '-m', 'side', 'mine');
    const { stdout } = await git(kListUpstreams);
    assert.equal(findTracking(stdout, 'refs/remotes/origin/side'), 'mine');
    assert.equal(findTracking(stdout, 'refs/remotes/origin/main'), undefined);
    for (const name of ['a', 'main']) repository.git('branch', '-q', '-f', '--track', name, 'origin/main');
    const more = await git(kListUpstreams);
    assert.equal(findTracking(more.stdout, 'refs/remotes/origin/main'), 'main', 'not the first of two');
    repository.git('tag', 'main', 'mine');
    await works(checkoutBranchArguments('main'));
    assert.deepEqual([current(), oid('HEAD')], ['main', oid('refs/heads/main')], 'the branch, not the tag');
    await works(checkoutDetachedArguments(await ref('refs/tags/main')));
    assert.deepEqual([current(), oid('HEAD')], ['', oid('mine')]);
    await works(checkoutDetachedArguments(await ref('refs/heads/main')));
    assert.equal(current(), '');
  });

  it('overwrites nothing by checking out, and says what is in the way', async () => {
    branch('side');
    repository.write('side', 'mine\n');
    await fails(
      checkoutBranchArguments('side'),
      'inTheWay',
      /^The untracked file side blocks checkout\. Move/,
    );
    assert.equal(repository.read('side'), 'mine\n');
  });

  it('takes no branch for an option', async () => {
    branch('side');
    for (const name of ['-f', '--abort', '-n']) repository.git('update-ref', `refs/heads/${name}`, 'side');
    repository.write('f', 'changed\n');
    await works(checkoutBranchArguments('-f'));
    assert.deepEqual([current(), repository.read('f')], ['-f', 'changed\n']);
    await works(renameBranchArguments('-f', 'renamed'));
    await works(checkoutBranchArguments('main'));
    await works(mergeArguments(await ref('refs/heads/-n'), await refs()));
    assert.equal(oid('main'), oid('side'));
    await works(deleteBranchArguments('--abort'));
  });

  it('makes branches, renames and deletes them, and asks before what is not merged', async () => {
    branch('side');
    await works(createBranchArguments('new'));
    assert.deepEqual([current(), oid('HEAD')], ['new', oid('main')]);
    await works(createBranchArguments('from-side', await ref('refs/heads/side')));
    assert.deepEqual([current(), oid('HEAD')], ['from-side', oid('side')]);
    await works(renameBranchArguments('from-side', 'renamed'));
    assert.equal(current(), 'renamed');
    await works(checkoutBranchArguments('main'));
    await works(deleteBranchArguments('new'));
    await fails(deleteBranchArguments('side'), 'notMerged', /side is not fully merged/);
    await works(deleteBranchArguments('side', { force: true }));
    assert.deepEqual(
      (await refs()).map(({ name }) => name),
      ['main', 'renamed'],
    );
  });

  it('makes a branch before the first commit', async () => {
    repository = Repository.init(sandbox, 'empty');
    await works(createBranchArguments('new'));
    assert.equal(current(), 'new');
  });

  it('merges with the name in the message, also where a tag has it too', async () => {
    branch('side');
    repository.commit('ours');
    await works(mergeArguments(await ref('refs/heads/side'), await refs()));
    // Before 2.28 git adds "into main".
    assert.match(repository.git('log', '-1', '--format=%s'), /^Merge branch 'side'/);
    repository.git('reset', '-q', '--hard', 'HEAD~');
    repository.git('tag', 'side', 'main');
    assert.equal(revisionOf(await ref('refs/tags/side'), await refs()), 'tags/side');
    await works(mergeArguments(await ref('refs/heads/side'), await refs()));
    assert.equal(repository.exists('side'), true);
  });

  it('rebases onto another', async () => {
    branch('side');
    repository.write('ours', 'ours\n');
    repository.commit('ours');
    await works(rebaseArguments(await ref('refs/heads/side'), await refs()));
    assert.equal(repository.git('log', '--format=%s'), 'ours\nside\nbase\n');
  });

  it('makes tags with a message and without, and deletes them', async () => {
    await works(createTagArguments('light', { hasMessage: false }));
    await works(createTagArguments('told', { hasMessage: true }), 'Größe\n\n#1 stays');
    assert.equal(oid('light'), oid('main'));
    assert.equal(repository.git('cat-file', '-t', 'told'), 'tag\n');
    await works(deleteTagArguments('light'));
    assert.deepEqual(
      (await refs()).map(({ name }) => name),
      ['main', 'told'],
    );
  });

  it('lists worktrees, and says which are gone', async () => {
    repository.git('worktree', 'add', '-q', '../linked one', '-b', 'linked');
    repository.git('worktree', 'add', '-q', '--detach', '../loose');
    const listed = parseWorktrees((await git(kListWorktrees)).stdout);
    const oid = repository.git('rev-parse', 'HEAD').trim();
    assert.deepEqual(listed, [
      { path: repository.root, branch: 'main', oid, isBare: false },
      { path: sandbox.path('linked one'), branch: 'linked', oid, isBare: false },
      { path: sandbox.path('loose'), oid, isBare: false },
    ]);
    rmSync(sandbox.path('loose'), { recursive: true });
    const [, , loose] = parseWorktrees((await git(kListWorktrees)).stdout);
    // Available since 2.31.
    if (atLeast(2, 31)) assert.match(loose?.prunable ?? '', /gitdir file points to non-existent location/);
  });

  it('makes worktrees on a new branch, one that is there, one of a remote, and a tag', async () => {
    remote();
    branch('old');
    repository.git('tag', 'v1');
    repository.git('tag', 'old', 'v1');
    const made = async (folder: string, start: WorktreeStart) => {
      await works(createWorktreeArguments(sandbox.path(folder), start));
      const where = new Repository(sandbox, sandbox.path(folder));
      const head = where.tryGit('symbolic-ref', '-q', 'HEAD').stdout.toString().trim();
      const upstream = head === '' ? '' : where.git('for-each-ref', '--format=%(upstream)', head).trim();
      return [head, where.git('rev-parse', 'HEAD').trim(), upstream];
    };
    const [main, old, side] = ['main', 'refs/heads/old', 'origin/side'].map(oid);
    assert.deepEqual(await made('-new', { kind: 'new', name: 'new' }), ['refs/heads/new', main, '']);
    const fromOld: WorktreeStart = { kind: 'new', name: 'from-old', from: 'refs/heads/old' };
    assert.deepEqual(await made('from', fromOld), ['refs/heads/from-old', old, '']);
    assert.deepEqual(await made('old', { kind: 'branch', name: 'old' }), ['refs/heads/old', old, '']);
    const upstream = await ref('refs/remotes/origin/side');
    const tracking: WorktreeStart = { kind: 'tracking', name: 'side', upstream };
    assert.deepEqual(await made('in/side', tracking), ['refs/heads/side', side, upstream.full]);
    assert.deepEqual(await made('tag', { kind: 'detached', ref: await ref('refs/tags/v1') }), ['', main, '']);
    const again = createWorktreeArguments(sandbox.path('again'), { kind: 'branch', name: 'old' });
    await fails(again, 'checkedOut', /The branch old is checked out in the worktree \/.*\/old\. Open/);
    await fails(checkoutBranchArguments('old'), 'checkedOut', /in the worktree \/.*\/old\. Open/);
  });

  it('proposes for a worktree a place beside the repository, and beside a linked one', () => {
    const at = (isLinked: boolean) => proposedWorktreePath('/src/app', 'user/fix/1', { isLinked });
    assert.deepEqual([at(false), at(true)], ['/src/app.worktrees/user-fix-1', '/src/user-fix-1']);
  });

  it('deletes other worktrees than the main one and its own, and keeps what is changed or locked', async () => {
    for (const name of ['one', 'two', 'gone']) repository.git('worktree', 'add', '-q', `../${name}`);
    rmSync(sandbox.path('gone'), { recursive: true });
    const from = async (folder: string) => {
      const others = deletableWorktrees(
        parseWorktrees((await git(kListWorktrees)).stdout),
        sandbox.path(folder),
      );
      return others.map(({ branch: name }) => name).sort();
    };
    assert.deepEqual(await from('r'), ['gone', 'one', 'two']);
    assert.deepEqual(await from('one'), ['gone', 'two']);
    await works(deleteWorktreeArguments(sandbox.path('gone')));
    repository.write('../one/new', 'new\n');
    const one = sandbox.path('one');
    await fails(deleteWorktreeArguments(one), 'worktreeInUse', /modified files, untracked files/);
    repository.git('worktree', 'lock', '../one');
    await fails(deleteWorktreeArguments(one, { force: true }), 'worktreeLocked', /locked\. Unlock it/);
    repository.git('worktree', 'unlock', '../one');
    repository.git('worktree', 'lock', '--reason', 'on a stick', '../one');
    await fails(deleteWorktreeArguments(one, { force: true }), 'worktreeLocked', /: on a stick\. Unlock it/);
    repository.git('worktree', 'unlock', '../one');
    await works(deleteWorktreeArguments(one, { force: true }));
    await works(deleteWorktreeArguments(sandbox.path('two')));
    assert.deepEqual(await from('r'), []);
    assert.equal(repository.git('branch', '--list', 'one', 'two', 'gone'), '  gone\n  one\n  two\n');
  });

  it('keeps a worktree with submodules, unless that is wanted', async () => {
    const inner = Repository.init(sandbox, 'inner');
    inner.write('x', 'x\n');
    inner.commit('inner');
    repository.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', '../inner', 'sub');
    repository.commit('with a submodule');
    repository.git('worktree', 'add', '-q', '../linked');
    const linked = new Repository(sandbox, sandbox.path('linked'));
    linked.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'update', '--init');
    await fails(deleteWorktreeArguments(linked.root), 'worktreeInUse', /or submodules/);
    await works(deleteWorktreeArguments(linked.root, { force: true }));
  });
});
