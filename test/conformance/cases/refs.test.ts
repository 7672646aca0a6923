/** HEAD, branches, upstreams, and places of objects. */
import { strict as assert } from 'node:assert';
import { Repository } from '../../support/repository';
import { type CaseContext, type CaseOptions, conformanceCase } from '../case';
import { question } from '../questions';

function withUpstream({ repo }: CaseContext): void {
  repo.write('a', 'one\n');
  repo.commit('first');
  repo.git('init', '-q', '--bare', '../origin');
  repo.git('remote', 'add', 'origin', '../origin');
  repo.git('push', '-q', '-u', 'origin', 'main');
}

describe('refs and objects', () => {
  conformanceCase('detached HEAD and back', ({ repo, check }) => {
    repo.commit();
    repo.git('checkout', '-q', '--detach');
    check(/^# branch\.head \(detached\)$/);
    repo.git('checkout', '-q', '-b', 'feature/with/slashes');
    check(/^# branch\.head feature\/with\/slashes$/);
    repo.git('checkout', '-q', '--orphan', 'empty');
    check(/^# branch\.oid \(initial\)$/);
  });

  conformanceCase('upstream even, ahead, behind, diverged and gone', (context) => {
    const { repo, check, checkAll } = context;
    withUpstream(context);
    check(/^# branch\.ab \+0 -0$/);
    repo.commit('ahead');
    check(/^# branch\.ab \+1 -0$/);
    repo.git('push', '-q');
    repo.git('reset', '-q', '--hard', 'HEAD~1');
    check(/^# branch\.ab \+0 -1$/);
    repo.commit('diverged');
    check(/^# branch\.ab \+1 -1$/);
    checkAll([
      question('--porcelain=v2', '-z', '-b', '--no-ahead-behind'),
      question('--porcelain', '-z', '-b'),
    ]);
    repo.config('status.aheadBehind', 'false');
    check();
    repo.git('update-ref', '-d', 'refs/remotes/origin/main');
    check(/^# branch\.upstream origin\/main$/);
  });

  conformanceCase(
    'a remote that an old-style file describes, which comes and goes',
    (context) => {
      const { repo, check } = context;
      withUpstream(context);
      repo.git('config', '--remove-section', 'remote.origin');
      for (const directory of ['remotes', 'branches']) repo.mkdir(`.git/${directory}`);
      check();
      repo.write('.git/remotes/origin', 'URL: ../origin\nPull: refs/heads/main:refs/remotes/origin/main\n');
      check(/^# branch\.upstream origin\/main$/);
      repo.remove('.git/remotes/origin');
      check();
    },
    { delegates: 'maybe' },
  );

  conformanceCase('an upstream that is the HEAD of its remote', (context) => {
    const { repo, check } = context;
    withUpstream(context);
    repo.git('remote', 'set-head', 'origin', 'main');
    repo.git('config', 'branch.main.merge', 'refs/heads/HEAD');
    check(/^# branch\.upstream origin/);
    repo.git('branch', 'origin');
    check(/^# branch\.upstream (remotes\/)?origin/);
  });

  conformanceCase('HEAD outside of refs/heads, with an upstream for its whole name', (context) => {
    const { repo, check, checkAll } = context;
    const formats = [question('-sb'), question('--porcelain=v2', '-b'), question('-sb', '--no-ahead-behind')];
    const shows = (wanted: RegExp): void => {
      assert.match(context.subject.askGit(question('-sb')).stdout.toString(), wanted);
      checkAll(formats);
      check();
    };
    withUpstream(context);
    repo.git('update-ref', 'refs/other/place', 'HEAD');
    repo.git('symbolic-ref', 'HEAD', 'refs/other/place');
    shows(/^## refs\/other\/place$/m);
    repo.config('branch.refs/other/place.remote', 'origin');
    repo.config('branch.refs/other/place.merge', 'refs/heads/main');
    shows(/^## refs\/other\/place\.\.\.origin\/main \[gone\]$/m);
    repo.git('update-ref', 'refs/heads/refs/other/place', 'HEAD');
    shows(/^## refs\/other\/place\.\.\.origin\/main$/m);
    repo.git(
      'update-ref',
      'refs/heads/refs/other/place',
      repo.git('commit-tree', '-m', 'x', 'HEAD^{tree}').trim(),
    );
    shows(/^## refs\/other\/place\.\.\.origin\/main \[ahead 1, behind 1\]$/m);
    repo.git('update-ref', '-d', 'refs/remotes/origin/main');
    shows(/\[gone\]$/m);
  });

  conformanceCase(
    'detached at a tag that has the name of a branch with an upstream',
    (context) => {
      const { repo, check } = context;
      withUpstream(context);
      repo.git('tag', 'side');
      repo.config('branch.side.remote', 'origin');
      repo.config('branch.side.merge', 'refs/heads/main');
      repo.git('checkout', '-q', 'side');
      check(/^# branch\.upstream origin\/main$/);
      repo.git('checkout', '-q', 'main');
      check(/^# branch\.head main$/);
    },
    { delegates: 'maybe' },
  );

  conformanceCase('an upstream that is a local branch, and a merge in between', ({ repo, check }) => {
    repo.commit('base');
    repo.git('checkout', '-q', '-b', 'topic', '--track', 'main');
    for (let i = 0; i < 5; i++) repo.commit(`topic ${i}`);
    repo.git('checkout', '-q', 'main');
    for (let i = 0; i < 3; i++) repo.commit(`main ${i}`);
    repo.git('checkout', '-q', 'topic');
    check(/^# branch\.ab \+5 -3$/);
    repo.git('merge', '-q', '--no-edit', 'main~1');
    check(/^# branch\.ab \+6 -1$/);
  });

  conformanceCase('packed refs', ({ repo, check }) => {
    repo.write('a', 'one\n');
    repo.commit();
    repo.git('tag', '-a', '-m', 'annotated', 'v1');
    repo.git('pack-refs', '--all', '--prune');
    check();
    repo.commit('a loose ref over a packed one');
    check();
    repo.git('checkout', '-q', '-b', 'other', 'HEAD~1');
    repo.git('pack-refs', '--all', '--prune');
    check();
  });

  conformanceCase('HEAD through a symbolic ref', ({ repo, check }) => {
    repo.commit();
    repo.git('symbolic-ref', 'refs/heads/alias', 'refs/heads/main');
    repo.git('symbolic-ref', 'HEAD', 'refs/heads/alias');
    check();
  });

  conformanceCase('HEAD through a symbolic ref that moves, and config for a branch', ({ repo, check }) => {
    repo.commit();
    repo.write('new', '');
    repo.git('symbolic-ref', 'refs/heads/alias', 'refs/heads/main');
    repo.git('symbolic-ref', 'HEAD', 'refs/heads/alias');
    repo.config('includeIf.onbranch:main.path', 'of-main');
    repo.write('.git/of-main', '[core]\n\texcludesFile = ../patterns\n');
    repo.write('../patterns', 'new\n');
    check();
    repo.git('symbolic-ref', 'refs/heads/alias', 'refs/heads/side');
    check(/^\? new$/);
    repo.git('symbolic-ref', 'refs/heads/alias', 'refs/heads/main');
    check();
  });

  conformanceCase('gc: packed objects with deltas', ({ repo, check }) => {
    const text = Array.from({ length: 400 }, (_, i) => `line ${i}\n`).join('');
    for (let i = 0; i < 6; i++) {
      repo.write('a', `${text}revision ${i}\n`);
      repo.write(`d/e/file${i}`, `${text}${i}\n`);
      repo.commit(`revision ${i}`);
    }
    repo.git('gc', '-q', '--aggressive', '--prune=now');
    check();
    repo.git('mv', 'd/e/file3', 'renamed');
    repo.append('renamed', 'edited\n');
    repo.git('add', '-A');
    check(/2 R\. /);
    repo.git('reset', '-q', '--soft', 'HEAD~2');
    check(/^1 A\. |2 R\. /);
  });

  conformanceCase('multi-pack-index, commit-graph and several packs', ({ repo, check }) => {
    for (let i = 0; i < 3; i++) {
      repo.write(`file${i}`, `${i}\n`);
      repo.commit();
      repo.git('repack', '-q', '-d');
    }
    repo.git('multi-pack-index', 'write');
    repo.git('commit-graph', 'write', '--reachable');
    repo.git('reset', '-q', '--soft', 'HEAD~1');
    check(/^1 A\. /);
  });

  conformanceCase('stash', ({ repo, check, checkAll }) => {
    repo.write('a', 'one\n');
    repo.commit();
    for (let i = 0; i < 3; i++) {
      repo.write('a', `stashed ${i}\n`);
      repo.git('stash', 'push', '-q');
    }
    check();
    checkAll([question('--porcelain=v2', '-z', '-b', '--show-stash')]);
    repo.git('stash', 'drop', '-q');
    checkAll([question('--porcelain=v2', '-z', '-b', '--show-stash')]);
  });

  conformanceCase('an index without cache-tree, and a tree with everything renamed', ({ repo, check }) => {
    for (let i = 0; i < 10; i++) repo.write(`d${i % 3}/f${i}`, `${i}\n`);
    repo.commit();
    repo.git('read-tree', '--empty');
    check(/^1 D\. /);
    repo.git('read-tree', 'HEAD');
    check();
  });
});

describe('kinds of repositories', () => {
  const questions = [
    question('--porcelain=v2', '-z', '-b', '-uall', '--ignored=matching'),
    question('-s', '-b'),
  ];

  /** A second worktree from `make`, with its own server. */
  function otherWorktree(
    title: string,
    make: (context: CaseContext) => Repository,
    options: CaseOptions = {},
  ): void {
    conformanceCase(
      title,
      async (context) => {
        context.repo.write('a', 'one\n');
        context.repo.write('.gitignore', '*.o\n');
        context.repo.commit();
        const other = make(context);
        await context.during(other, ({ check, checkAll }) => {
          check();
          other.write('new', '');
          other.write('a', 'changed\n');
          other.write('x.o', '');
          check(/^1 \.M .* a$/, /^\? new$/, /^! x\.o$/);
          checkAll(questions);
          other.commit();
          check();
        });
      },
      options,
    );
  }

  otherWorktree('a linked worktree', ({ repo }) => {
    repo.git('worktree', 'add', '-q', '-b', 'linked', '../linked');
    return new Repository(repo.sandbox, repo.sandbox.path('linked'));
  });

  otherWorktree('a linked worktree inside the main one', ({ repo }) => {
    repo.git('worktree', 'add', '-q', '-b', 'linked', 'inside');
    return repo.at('inside');
  });

  otherWorktree('a separate git directory', ({ repo }) => {
    repo.git('clone', '-q', '--separate-git-dir', '../elsewhere.git', '.', '../separate');
    return new Repository(repo.sandbox, repo.sandbox.path('separate'));
  });

  otherWorktree('alternates', ({ repo }) => {
    repo.git('clone', '-q', '--shared', '.', '../sharing');
    return new Repository(repo.sandbox, repo.sandbox.path('sharing'));
  });

  otherWorktree('a shallow clone', ({ repo }) => {
    repo.commit('second');
    repo.git('clone', '-q', '--depth', '1', `file://${repo.root}`, '../shallow');
    return new Repository(repo.sandbox, repo.sandbox.path('shallow'));
  });

  otherWorktree('a worktree reached through a symlink', ({ repo }) => {
    repo.symlink('w', '../link');
    return new Repository(repo.sandbox, repo.sandbox.path('link'));
  });

  otherWorktree(
    'a submodule as a worktree of its own',
    ({ repo }) => {
      repo.git('init', '-q', '../library');
      const library = new Repository(repo.sandbox, repo.sandbox.path('library'));
      library.write('a', 'one\n');
      library.write('.gitignore', '*.o\n');
      library.commit();
      repo.git('submodule', '--quiet', 'add', '../library', 'sub');
      return repo.at('sub');
    },
    { delegates: 'maybe' },
  );
});
