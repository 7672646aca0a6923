/** Repositories with refs and reflogs in reftables, for git 2.45 or newer. */
import { strict as assert } from 'node:assert';
import * as fs from 'node:fs';
import { fromBuffer } from '../../support/bytes';
import { atLeast } from '../../support/oracle';
import { Repository } from '../../support/repository';
import type { Sandbox } from '../../support/sandbox';
import { type CaseContext, type CaseOptions, conformanceCase, withSandbox, withSubject } from '../case';
import { question } from '../questions';

const format = '--ref-format=reftable';

// Registered only if the oracle can make such a repository: a skipped test must not look passed.
const described = atLeast(2, 45) ? describe : () => undefined;

function reftableCase(
  title: string,
  body: (context: CaseContext) => void | Promise<void>,
  options: CaseOptions = {},
): void {
  conformanceCase(
    title,
    async (context) => {
      assert.equal(context.repo.git('rev-parse', '--show-ref-format'), 'reftable\n');
      await body(context);
    },
    { ...options, init: [format, ...(options.init ?? [])] },
  );
}

const long = [question(), question('--show-stash')];
const headers = [question('-sb'), question('--porcelain=v2', '-b', '--show-stash')];

function withUpstream({ repo }: CaseContext): void {
  repo.write('a', 'one\n');
  repo.commit('first');
  repo.git('init', '-q', '--bare', format, '../origin');
  repo.git('remote', 'add', 'origin', '../origin');
  repo.git('push', '-q', '-u', 'origin', 'main');
}

/** Creates that many commits and branches at once. */
function manyBranches(repo: Repository, count: number): void {
  const id = repo.git('rev-parse', 'HEAD').trim();
  const commands = Array.from({ length: count }, (_, i) => `create refs/heads/topic/${i} ${id}\n`).join('');
  assert.equal(repo.gitWithInput(commands, 'update-ref', '--stdin').code, 0);
}

function stackOf(repo: Repository, gitDir = '.git'): { list: string; tables: string[] } {
  const list = `${gitDir}/reftable/tables.list`;
  const names = repo.read(list).split('\n').filter(Boolean);
  return { list, tables: names.map((name) => `${gitDir}/reftable/${name}`) };
}

described('reftables', () => {
  conformanceCase('in place of a tracked file, unborn and not', ({ repo, check }) => {
    repo.write('p', 'one\n');
    repo.commit();
    repo.remove('p');
    repo.mkdir('p');
    repo.at('p').git('init', '-q', format);
    check(/^1 \.D N\.\.\. .* p$/);
    repo.at('p').git('commit', '-q', '--allow-empty', '-m', 'first');
    check(/^1 \.T SC\.\. .* p$/);
    repo.at('p').git('update-ref', '-d', 'HEAD');
    check(/^1 \.D N\.\.\. .* p$/);
  });

  reftableCase('unborn, a first commit, branches, detached and back', ({ repo, check, checkAll }) => {
    check(/^# branch\.oid \(initial\)$/);
    repo.write('a', 'one\n');
    check(/^\? a$/);
    repo.commit('first');
    check(/^# branch\.oid [0-9a-f]{40}$/);
    repo.git('checkout', '-q', '-b', 'feature/with/slashes');
    repo.write('a', 'two\n');
    check(/^# branch\.head feature\/with\/slashes$/, /^1 \.M .* a$/);
    repo.commit('second');
    repo.git('checkout', '-q', '--detach', 'main');
    check(/^# branch\.head \(detached\)$/);
    checkAll(long);
    repo.git('commit', '-q', '--allow-empty', '-m', 'away from it');
    checkAll(long);
    repo.git('checkout', '-q', '--orphan', 'empty');
    check(/^# branch\.oid \(initial\)$/);
    repo.git('checkout', '-q', '-f', 'main');
    repo.git('reset', '-q', '--soft', 'feature/with/slashes');
    check(/^1 M\. |^# branch\.head main$/);
  });

  reftableCase(
    'sha256',
    ({ repo, check, checkAll }) => {
      repo.write('a', 'one\n');
      repo.commit('first');
      repo.write('a', 'two\n');
      check(/^# branch\.oid [0-9a-f]{64}$/);
      repo.git('stash', 'push', '-q');
      checkAll(headers);
    },
    { init: ['--object-format=sha256'] },
  );

  reftableCase('upstream even, ahead, behind, diverged and gone', (context) => {
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
    checkAll([...long, ...headers, question('--porcelain=v2', '-z', '-b', '--no-ahead-behind')]);
    repo.git('fetch', '-q', '--all');
    repo.git('branch', 'origin/main');
    checkAll(headers);
    repo.git('update-ref', '-d', 'refs/remotes/origin/main');
    check(/^# branch\.upstream (remotes\/)?origin\/main$/);
    repo.git('branch', '-q', '-m', 'renamed');
    check(/^# branch\.head renamed$/);
  });

  reftableCase('stashes are counted, dropped and popped', ({ repo, check, checkAll }) => {
    repo.write('a', 'one\n');
    repo.commit();
    const counted = (count: number): void => {
      const said = fromBuffer(repo.ask('status', '--porcelain=v2', '--show-stash', '-uno').stdout);
      assert.equal(/^# stash (\d+)$/m.exec(said)?.[1] ?? '0', `${count}`);
      checkAll([...headers, ...long]);
    };
    counted(0);
    for (let i = 1; i <= 40; i++) {
      repo.write('a', `stashed ${i}\n`);
      repo.git('stash', 'push', '-q');
      if (i % 10 === 1) counted(i);
    }
    repo.git('stash', 'drop', '-q', 'stash@{3}');
    counted(39);
    repo.git('pack-refs', '--all');
    counted(39);
    repo.git('stash', 'pop', '-q');
    counted(38);
    check(/^1 \.M .* a$/);
    repo.git('stash', 'clear');
    counted(0);
  });

  reftableCase('many branches: blocks, an index, and compaction', ({ repo, check }) => {
    repo.write('a', 'one\n');
    repo.commit('first');
    manyBranches(repo, 3000);
    check(/^# branch\.head main$/);
    repo.git('checkout', '-q', 'topic/2718');
    repo.commit('on it');
    check(/^# branch\.head topic\/2718$/);
    repo.git('pack-refs', '--all');
    assert.equal(stackOf(repo).tables.length, 1);
    check(/^# branch\.head topic\/2718$/);
    repo.git('branch', '-q', '-D', 'topic/1', 'topic/2999', 'main');
    repo.git('branch', '-q', '--set-upstream-to=topic/3');
    check(/^# branch\.ab \+1 -0$/);
    repo.git('branch', '-q', '-D', 'topic/3');
    check(/^# branch\.upstream topic\/3$/);
  });

  reftableCase(
    'small blocks, an index of several levels, unaligned logs',
    ({ repo, check, checkAll }) => {
      repo.commit('first');
      manyBranches(repo, 1500);
      repo.git('pack-refs', '--all');
      for (const name of ['topic/0', 'topic/777', 'topic/999']) {
        repo.git('checkout', '-q', name);
        check(new RegExp(`^# branch\\.head ${name}$`));
      }
      repo.git('checkout', '-q', '--detach', 'topic/500');
      checkAll(long);
    },
    { config: { 'reftable.blockSize': '256', 'reftable.restartInterval': '2' } },
  );

  reftableCase('operations whose heads are refs', ({ repo, check, checkAll }) => {
    const both = (): void => {
      check();
      checkAll(long);
    };
    repo.write('a', 'one\n');
    repo.commit('first');
    repo.git('checkout', '-q', '-b', 'side');
    repo.write('a', 'side\n');
    repo.commit('side');
    repo.git('checkout', '-q', 'main');
    repo.write('a', 'main\n');
    repo.commit('main');
    for (const [command, head] of [
      ['merge', 'MERGE_HEAD'],
      ['cherry-pick', 'CHERRY_PICK_HEAD'],
      ['rebase', 'REBASE_HEAD'],
    ] as const) {
      assert.notEqual(repo.tryGit(command, 'side').code, 0);
      assert.equal(repo.ask('rev-parse', '-q', '--verify', head).code, 0);
      both();
      repo.write('a', 'resolved\n');
      repo.git('add', 'a');
      both();
      repo.git(command, '--abort');
      both();
    }
    assert.notEqual(repo.tryGit('revert', '--no-edit', 'HEAD~1').code, 0);
    both();
    repo.git('revert', '--abort');
    repo.git('bisect', 'start', 'HEAD', 'HEAD~1');
    both();
    repo.git('bisect', 'reset');
    both();
  });

  reftableCase('what HEAD was detached from', ({ repo, checkAll }) => {
    repo.commit('first');
    repo.git('tag', '-a', '-m', 'annotated', 'v1');
    repo.git('tag', 'light');
    repo.commit('second');
    for (const place of ['v1', 'light', 'main', 'HEAD~1', 'main~0']) {
      repo.git('checkout', '-q', '--detach', place);
      checkAll(long);
      repo.git('commit', '-q', '--allow-empty', '-m', 'moved');
      checkAll(long);
    }
    repo.git('tag', '-f', 'v1');
    repo.git('checkout', '-q', '--detach', 'v1');
    repo.git('tag', '-d', 'v1');
    checkAll(long);
    repo.git('reflog', 'expire', '--expire=now', '--all');
    checkAll(long);
  });

  reftableCase('HEAD through a symbolic ref, and outside of refs/heads', ({ repo, check, checkAll }) => {
    repo.commit('first');
    repo.git('symbolic-ref', 'refs/heads/alias', 'refs/heads/main');
    repo.git('symbolic-ref', 'HEAD', 'refs/heads/alias');
    check(/^# branch\.head main$|^# branch\.head alias$/);
    repo.git('update-ref', 'refs/other/place', 'HEAD');
    repo.git('symbolic-ref', 'HEAD', 'refs/other/place');
    checkAll(headers);
    repo.git('symbolic-ref', 'HEAD', 'refs/heads/nowhere');
    check(/^# branch\.oid \(initial\)$/);
  });

  reftableCase('replaced objects', ({ repo, check }) => {
    for (const text of ['one\n', 'two\n']) {
      repo.write('a', text);
      repo.commit(text);
    }
    repo.git('replace', 'HEAD', 'HEAD~1');
    check(/^1 M\. .* a$/);
    repo.git('replace', '-d', repo.git('rev-parse', 'HEAD').trim());
    check();
  });

  reftableCase('linked worktrees have their own stacks', async (context) => {
    const { repo, check } = context;
    repo.write('a', 'one\n');
    repo.commit('first');
    repo.git('worktree', 'add', '-q', '-b', 'side', '../linked');
    const linked = new Repository(repo.sandbox, repo.sandbox.path('linked'));
    await context.during(linked, ({ check: checkLinked, checkAll }) => {
      checkLinked(/^# branch\.head side$/);
      linked.write('a', 'two\n');
      linked.commit('on the side');
      checkLinked(/^# branch\.head side$/);
      linked.git('checkout', '-q', '--detach', 'HEAD~1');
      checkAll(long);
      linked.git('bisect', 'start', 'side', 'HEAD');
      checkAll(long);
      check(/^# branch\.head main$/);
      linked.git('bisect', 'reset', 'side');
      linked.git('branch', '-q', '--set-upstream-to=main');
      checkLinked(/^# branch\.ab \+1 -0$/);
      repo.commit('on main');
      checkLinked(/^# branch\.ab \+1 -1$/);
      linked.git('pack-refs', '--all');
      checkLinked(/^# branch\.ab \+1 -1$/);
      linked.write('a', 'three\n');
      linked.git('stash', 'push', '-q');
      checkAll(headers);
    });
    check();
  });

  reftableCase(
    'a submodule with reftables, and one with files',
    ({ sandbox, repo, check }) => {
      for (const [name, ...options] of [
        ['tables', format],
        ['files', '--ref-format=files'],
      ] as const) {
        const library = Repository.init(sandbox, name, ...options);
        library.write('file', 'one\n');
        library.commit('first');
        library.write('file', 'two\n');
        library.commit('second');
        repo.git(
          'submodule',
          '--quiet',
          'add',
          options[0] === format ? format : '--ref-format=files',
          `../${name}`,
          name,
        );
      }
      repo.commit('with submodules');
      check();
      for (const name of ['tables', 'files']) {
        const submodule = repo.at(name);
        submodule.git('checkout', '-q', '--detach', 'HEAD~1');
        check(new RegExp(`^1 \\.M SC\\.\\. .* ${name}$`));
        submodule.git('checkout', '-q', 'main');
        check();
      }
    },
    { delegates: 'maybe' },
  );

  reftableCase(
    'a tag or a branch called HEAD',
    ({ repo, check }) => {
      repo.commit('first');
      repo.git('update-ref', 'refs/heads/HEAD', 'HEAD');
      check();
      repo.git('update-ref', '-d', 'refs/heads/HEAD');
      repo.git('symbolic-ref', 'refs/tags/HEAD', 'refs/tags/nowhere');
      check();
    },
    { delegates: 'maybe' },
  );

  // Before 2.48 reflogs prevent the migration.
  const migrationCase = atLeast(2, 48) ? reftableCase : (): void => undefined;
  migrationCase(
    'from files to reftables and back, beside a server',
    ({ subject, repo, check, checkAll }) => {
      repo.write('a', 'one\n');
      repo.commit('first');
      repo.write('a', 'two\n');
      for (const [number, to] of ['files', 'reftable', 'files', 'reftable'].entries()) {
        const branch = `${to}-${number}`;
        repo.git('refs', 'migrate', `--ref-format=${to}`);
        // git answers only between the old and the new refs.
        check(/^1 \.M .* a$/);
        const byGit = subject.delegations.length;
        repo.git('checkout', '-q', '-b', branch);
        check(/^1 \.M .* a$/, new RegExp(`^# branch\\.head ${branch}$`));
        checkAll(headers);
        assert.deepEqual(subject.delegations.slice(byGit), []);
      }
    },
    { delegates: 'maybe' },
  );

  // git reports the damage in its own words, and no effect remains after the repair.
  for (const [title, damage] of [
    [
      'a table cut off',
      (repo: Repository, table: string) => repo.truncate(table, repo.read(table).length - 5),
    ],
    ['an empty table', (repo: Repository, table: string) => repo.truncate(table, 0)],
    ['a table with other bytes', (repo: Repository, table: string) => repo.write(table, 'rubbish')],
    [
      'a table with other bytes, by a rename',
      (repo: Repository, table: string) => repo.writeAtomically(table, 'rubbish'),
    ],
    ['a table that is gone', (repo: Repository, table: string) => repo.remove(table)],
    ['a list that names another', (repo: Repository) => repo.append(stackOf(repo).list, 'none.ref\n')],
    ['a list that is cut off', (repo: Repository) => repo.truncate(stackOf(repo).list, 20)],
  ] as const) {
    reftableCase(
      `damage: ${title}`,
      ({ repo, check, checkAll }) => {
        repo.write('a', 'one\n');
        repo.commit('first');
        repo.write('a', 'two\n');
        check(/^1 \.M .* a$/);
        const { list, tables } = stackOf(repo);
        const [table = ''] = tables.slice(-1);
        const [before, content] = [repo.read(list), repo.read(table)];
        damage(repo, table);
        checkAll([question('--porcelain=v2', '-b'), question('-s'), question()]);
        repo.write(table, content);
        repo.write(list, before);
        check(/^1 \.M .* a$/);
        repo.commit('second');
        check();
      },
      { delegates: 'maybe' },
    );
  }

  it('an idle question, and one about an edited file, start no git', async () => {
    await withSandbox(async (sandbox: Sandbox) => {
      const repo = Repository.init(sandbox, 'w', format);
      for (let i = 0; i < 20; i++) repo.write(`f${i}`, `${i}\n`);
      repo.commit('first');
      await withSubject(repo, (subject) => {
        const asked = [question('--porcelain=v2', '-z', '-b', '--show-stash'), question('-sb', '--ignored')];
        const gitsOf = (body: () => void): string[] => {
          body();
          const logs = [sandbox.spyLog, sandbox.serverSpyLog];
          const noted = (): string => logs.map((log) => fs.readFileSync(log, 'latin1')).join('');
          for (const log of logs) fs.writeFileSync(log, '');
          for (const each of asked) assert.equal(subject.ask('resident', each).code, 0);
          return noted().split('\n').filter(Boolean);
        };
        subject.compare(asked.map((each) => ({ question: each, sources: ['resident'] })));
        assert.deepEqual(
          gitsOf(() => undefined),
          [],
        );
        assert.deepEqual(
          gitsOf(() => repo.write('f1', 'edited\n')),
          [],
        );
        assert.deepEqual(
          gitsOf(() => repo.commit('second')),
          [],
        );
        assert.deepEqual(
          gitsOf(() => repo.git('checkout', '-q', '-b', 'other')),
          [],
        );
        subject.compare(asked.map((each) => ({ question: each, sources: ['resident', 'scan'] })));
      });
    });
  });
});
