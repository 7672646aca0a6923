/** Findings of the random generator: each is the smallest way to a state with a wrong answer. */
import { strict as assert } from 'node:assert';
import { atLeast } from '../../support/oracle';
import { Repository } from '../../support/repository';
import { type CaseContext, conformanceCase, withSandbox, withSubject } from '../case';
import { nineModes, question } from '../questions';
import { setSparseCheckout } from '../sparse';

const text = Array.from({ length: 30 }, (_, i) => `line number ${i}\n`).join('');

/** Runs `body` in a worktree with the submodule `sub`. */
function withSubmodule(title: string, body: (context: CaseContext) => void): void {
  conformanceCase(
    title,
    (context) => {
      const { repo, sandbox } = context;
      const library = Repository.init(sandbox, 'library');
      library.write('file', 'library\n');
      library.commit();
      repo.git('submodule', '--quiet', 'add', '../library', 'sub');
      repo.commit();
      body(context);
    },
    { delegates: 'maybe' },
  );
}

/** Writes stages of one path: a mode and a hashed blob, or the commit id of a submodule. */
function stages(repo: Repository, path: string, modes: readonly (string | undefined)[]): void {
  const blob = repo.gitWithInput('staged\n', 'hash-object', '-w', '--stdin').stdout.toString().trim();
  const commit = repo.git('rev-parse', 'HEAD').trim();
  const lines = modes.flatMap((mode, i) =>
    mode === undefined ? [] : [`${mode} ${mode === '160000' ? commit : blob} ${i + 1}\t${path}\n`],
  );
  repo.gitWithInput(`0 ${'0'.repeat(40)}\t${path}\n${lines.join('')}`, 'update-index', '--index-info');
}

describe('corners', () => {
  withSubmodule('a submodule replaced by a symbolic link: git refuses', ({ repo, check, checkAll }) => {
    repo.remove('sub');
    repo.symlink('elsewhere', 'sub');
    check();
    checkAll(['untracked', 'dirty', 'all'].map((when) => question('-s', `--ignore-submodules=${when}`)));
  });

  withSubmodule('an ignored submodule that is gone', ({ repo, check, checkAll }) => {
    repo.remove('sub');
    check(/^1 \.D S\.\.\. .* sub$/);
    checkAll(['none', 'dirty', 'all'].map((when) => question('-s', `--ignore-submodules=${when}`)));
    repo.config('submodule.sub.ignore', 'all');
    check();
    repo.write('sub', 'a file\n');
    check();
  });

  withSubmodule(
    'a .gitmodules that cannot be read matters only where it is read',
    ({ repo, check, checkAll }) => {
      repo.write('.gitmodules', '[submodule "sub"]\n\tpath = sub\n[broken\n');
      check();
      checkAll([question('-s', '--ignore-submodules=dirty'), question('--ignore-submodules=all')]);
    },
  );

  withSubmodule('an unmerged submodule', ({ repo, check }) => {
    const inner = repo.at('sub');
    repo.git('branch', 'base');
    inner.git('commit', '-q', '--allow-empty', '-m', 'ours');
    repo.commit('ours');
    repo.git('checkout', '-q', '-b', 'side', 'base');
    inner.git('checkout', '-q', '--detach', 'HEAD~1');
    inner.git('commit', '-q', '--allow-empty', '-m', 'theirs');
    repo.commit('theirs');
    repo.tryGit('merge', '-q', 'main');
    check(/^u UU S\.\.\. .* sub$/);
    repo.write('sub/new', '');
    check(/^u UU S\.\.U .* sub$/);
    repo.write('sub/file', 'changed\n');
    inner.git('commit', '-q', '--allow-empty', '-m', 'more');
    check(/^u UU SCMU .* sub$/);
    repo.remove('sub');
    check(/^u UU S\.\.\. .* sub$/);
  });

  withSubmodule('submodules before the first commit are never ignored', ({ repo, check, checkAll }) => {
    repo.git('checkout', '-q', '--orphan', 'unborn');
    check(/^1 A\. S\.\.\. .* sub$/);
    checkAll(['none', 'all'].map((when) => question('-s', `--ignore-submodules=${when}`)));
  });

  conformanceCase('a tracked file that is written through another name', ({ repo, check }) => {
    repo.write('a', 'one\n');
    repo.write('d/b', 'two\n');
    repo.write('d/c', 'three\n');
    repo.commit();
    repo.append('d/c', 'changed\n');
    check(/^1 \.M .* d\/c$/);
    repo.link('a', 'd/other name of a');
    repo.link('d/c', 'other name of c');
    check();
    repo.append('d/other name of a', 'more\n');
    repo.write('other name of c', 'three\n');
    check(/^1 \.M .* a$/);
  });

  conformanceCase(
    'a repository in place of a tracked file, and what its HEAD leads to',
    ({ repo, check }) => {
      repo.write('p', 'one\n');
      repo.write('ignored/q', 'two\n');
      repo.commit();
      repo.write('.git/info/exclude', 'q\n');
      const gone = /^1 \.D N\.\.\. .* p$/;
      const there = /^1 \.T SC\.\. .* p$/;
      for (const path of ['p', 'ignored/q']) {
        repo.remove(path);
        repo.mkdir(path);
        repo.at(path).git('init', '-q');
      }
      const inner = repo.at('p');
      check(gone, /^1 \.D N\.\.\. .* ignored\/q$/);
      inner.write('file', '');
      inner.commit();
      repo.at('ignored/q').git('commit', '-q', '--allow-empty', '-m', 'first');
      check(there, /^1 \.T SC\.\. .* ignored\/q$/);
      repo.at('ignored/q').git('update-ref', '-d', 'HEAD');
      inner.git('pack-refs', '--all');
      check(there, /^1 \.D N\.\.\. .* ignored\/q$/);
      inner.git('symbolic-ref', 'HEAD', 'refs/heads/none');
      check(gone);
      inner.git('symbolic-ref', 'refs/heads/none', 'refs/heads/main');
      check(there);
      inner.write('.git/HEAD', `${'1'.repeat(40)}\n`);
      check(there);
      inner.write('.git/HEAD', `${'0'.repeat(40)}\n`);
      check(gone);
      inner.write('.git/HEAD', 'ref: refs/heads/damaged\n');
      inner.write('.git/refs/heads/damaged', 'nothing\n');
      check(gone);
      inner.write('.git/HEAD', 'ref: refs/heads/main\n');
      check(there);
      repo.git('rm', '-q', '--cached', 'p');
      check(/^\? p\/$/);
      repo.git('reset', '-q');
      check(there);
      inner.remove('.git');
      check(gone, /^\? p\/file$/);
    },
  );

  it('config that is included by the name of a symbolic link to the worktree', async () => {
    await withSandbox(async (sandbox) => {
      const repo = Repository.init(sandbox, 'real');
      repo.write('a', 'one\n');
      sandbox.exec('ln', '-s', 'real', 'linked');
      repo.write('../included', '[status]\n\tshowUntrackedFiles = no\n');
      repo.config('includeIf.gitdir:**/linked/.git.path', sandbox.path('included'));
      await withSubject(new Repository(sandbox, sandbox.path('linked')), (subject) => {
        const asked = { question: question('-s'), sources: ['resident', 'scan'] as const };
        // A shell passes its logical directory in PWD.
        assert.equal(subject.compare([asked])[0]?.stdout.length, 0);
        assert.equal(subject.compare([asked], repo.root)[0]?.stdout.toString(), '?? a\n');
      });
    });
  });

  conformanceCase(
    'config that changes while git answers for the repository',
    ({ repo, check, checkAll }) => {
      repo.write('a', 'one\n');
      repo.commit();
      repo.commit('another');
      repo.write('d/new', '');
      check();
      repo.git('replace', 'HEAD', 'HEAD~1');
      check();
      repo.config('status.showUntrackedFiles', 'all');
      repo.config('status.branch', 'true');
      checkAll([question('-s'), question('--porcelain=v2', '--ignored=matching'), question()]);
      repo.config('status.showUntrackedFiles', 'no');
      checkAll([question('-s'), question('--porcelain=v2', '--ignored=matching'), question()]);
    },
    { delegates: 'maybe' },
  );

  conformanceCase(
    'how much of a sparse checkout is there',
    ({ repo, check, checkAll }) => {
      repo.write('a', 'one\n');
      repo.write('d/b', 'two\n');
      repo.write('e/c', 'three\n');
      repo.commit();
      setSparseCheckout(repo, ['--cone'], 'd');
      checkAll([question()]);
      setSparseCheckout(repo, ['--cone', '--sparse-index'], 'd', 'e');
      checkAll([question(), question('--ignored=matching', '-uall')]);
      setSparseCheckout(repo, ['--cone', '--no-sparse-index'], 'd');
      checkAll([question(), question('--', 'd')]);
      check();
    },
    { delegates: 'maybe' },
  );

  conformanceCase(
    'rules in the index where a directory has taken the place of their file',
    ({ repo, check }) => {
      repo.write('.gitignore', '*.log\n');
      repo.write('.gitattributes', '* text eol=lf\n');
      repo.write('a', 'one\n');
      repo.commit();
      repo.git('update-index', '--skip-worktree', '.gitignore');
      repo.remove('.gitignore');
      repo.write('d/new.log', '');
      check(/^! d\/new\.log$/);
      repo.write('.gitignore/inside', '');
      check(/^\? d\/new\.log$/);
      repo.remove('.gitattributes');
      repo.write('a', 'one\r\n');
      check();
      repo.write('.gitattributes/inside', '');
      check(/^1 \.M .* a$/);
    },
  );

  conformanceCase(
    'stages of different types',
    ({ repo, check }) => {
      repo.write('a', 'one\n');
      repo.commit();
      stages(repo, 'x', ['120000', '160000', '100644']);
      check(/^u UU S\.\.\. .* x$/);
      repo.write('x', 'on disk\n');
      check(/^u UU S\.\.\. .* x$/);
      stages(repo, 'y', ['160000', '100644', undefined]);
      check(/^u UD N\.\.\. .* y$/);
      repo.mkdir('y');
      check(atLeast(2, 34) ? /^u UD SC\.\. .* y$/ : /^u UD S[C.]\.\. .* y$/);
      repo.symlink('loop', 'loop');
      stages(repo, 'loop/x', [undefined, '160000', '160000']);
      check(/^u AA N\.\.\. .* loop\/x$/);
      stages(repo, 'z', [undefined, '100755', '160000']);
      repo.at('z').sandbox.exec('git', 'init', '-q', 'w/z');
      repo.at('z').git('commit', '-q', '--allow-empty', '-m', 'inner');
      check(/^u AA SC\.\. .* z$/);
    },
    { delegates: 'maybe' },
  );

  conformanceCase('a rename of what the attribute diff calls binary or text', ({ repo, check }) => {
    const names = ['one.bin', 'two.c', 'three.drv'];
    const contentOf = (name: string): string => text.replaceAll('line', name);
    for (const name of names) repo.write(name, contentOf(name));
    repo.commit();
    for (const name of names) {
      repo.git('mv', name, `new-${name}`);
      repo.write(`new-${name}`, contentOf(name).replaceAll('\n', '\r\n'));
    }
    repo.git('add', '-A');
    check(/^2 R\. .* new-one\.bin/);
    repo.write('.gitattributes', '*.bin binary\n*.c diff\n*.drv diff=ours\n');
    check(/^1 A\. .* new-one\.bin$/, /^2 R\. .* new-two\.c/, /^2 R\. .* new-three\.drv/);
    repo.config('diff.ours.binary', 'true');
    check(/^1 A\. .* new-three\.drv$/);
  });

  conformanceCase(
    'a rename from where all is ignored, while the attributes there change',
    ({ repo, check, checkAll }) => {
      repo.write('out/deep/old', text.replaceAll('\n', '\r\n'));
      repo.commit();
      repo.write('.gitignore', 'out/\n');
      repo.git('rm', '-q', '--cached', 'out/deep/old');
      repo.write('new', text);
      repo.git('add', 'new');
      const renamed = /^2 R\. .* new/;
      const others = [question('-s', '--no-renames'), question('-s', '--find-renames=20')];
      check(renamed);
      checkAll(others);
      repo.write('out/deep/.gitattributes', 'old -diff\n');
      check(/^1 A\. .* new$/);
      checkAll(others);
      repo.write('out/deep/.gitattributes', 'old text\n');
      check(renamed);
      repo.write('out/.gitattributes', 'old -diff\n');
      check(/^1 A\. .* new$/);
      repo.remove('out');
      checkAll(others);
      check(renamed);
    },
    { delegates: 'maybe' },
  );

  conformanceCase(
    'a rename by intent to add, as git would store the content',
    ({ repo, check }) => {
      repo.write('old.txt', text);
      repo.write('old.up', text.toUpperCase());
      repo.commit();
      repo.write('.gitattributes', '*.txt text\n');
      repo.remove('old.txt');
      repo.write('new.txt', text.replaceAll('\n', '\r\n'));
      repo.git('add', '-N', 'new.txt');
      check(/^2 \.R .* R100 new\.txt/);
      repo.config('filter.upper.clean', 'tr a-z A-Z');
      repo.write('.gitattributes', '*.txt text\n*.up filter=upper\n');
      repo.remove('old.up');
      repo.write('new.up', text);
      repo.git('add', '-N', 'new.up');
      check(/^2 \.R .* R100 new\.up/);
    },
    { delegates: 'maybe' },
  );

  conformanceCase(
    'a required filter that fails: git refuses, until it works again',
    ({ repo, check, checkAll }) => {
      repo.config('filter.upper.clean', 'tr a-z A-Z');
      repo.config('filter.upper.required', 'true');
      repo.write('.gitattributes', '*.up filter=upper\n');
      repo.write('a.up', 'text\n');
      repo.commit();
      repo.write('a.up', 'TEXT\n');
      check();
      repo.git('config', '--unset', 'filter.upper.clean');
      checkAll(nineModes);
      repo.write('b', 'new\n');
      checkAll(nineModes);
      repo.config('filter.upper.clean', 'tr a-z A-Z');
      check(/^\? b$/);
    },
    { delegates: 'maybe' },
  );
});
