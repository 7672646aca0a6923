/** The sparse index, whose entries can be whole directories, and files outside the sparse checkout. */
import { strict as assert } from 'node:assert';
import { atLeast } from '../../support/oracle';
import { Repository } from '../../support/repository';
import { conformanceCase } from '../case';
import { question } from '../questions';
import { addOutside, knowsSparseIndex, present, setSparseCheckout } from '../sparse';

// Before 2.36 git tells what differs from HEAD down to the directory below a sparse one only, and is asked.
const tellsFiles = atLeast(2, 36);
const unlessFilesAreTold = { delegates: tellsFiles ? 'never' : 'maybe' } as const;

/** Inside the cone: the root's files and `in`. */
function furnish(repo: Repository, ...cone: string[]): void {
  for (const path of ['top', 'in/a', 'in/b/c', 'out/a', 'out/b/c', 'out/b/d/e', 'out2/f', 'z/y/x'])
    repo.write(path, `${path}, a few words more so that it can be told from the others\n`);
  repo.commit();
  collapse(repo, ...cone);
}

function collapse(repo: Repository, ...cone: string[]): void {
  setSparseCheckout(repo, ['--cone', '--sparse-index'], ...(cone.length > 0 ? cone : ['in']));
}

const describeSparseIndex = knowsSparseIndex() ? describe : (): void => undefined;

describeSparseIndex('sparse index', () => {
  for (const init of [[], ['--object-format=sha256']]) {
    for (const version of ['2', '3', '4']) {
      conformanceCase(
        `version ${version} ${init.join('')}`,
        ({ repo, check }) => {
          repo.config('index.version', version);
          furnish(repo);
          check();
          repo.write('in/a', 'changed\n');
          repo.write('in/new', '');
          repo.remove('in/b/c');
          check(/^1 \.M .* in\/a$/, /^1 \.D .* in\/b\/c$/, /^\? in\/new$/);
          repo.git('add', '-A');
          check(/^1 M\. .* in\/a$/, /^1 A\. .* in\/new$/);
          repo.commit();
          check();
          repo.git('sparse-checkout', 'disable');
          check();
        },
        { init },
      );
    }
  }

  // git matches a pathspec against a sparse directory as a whole, so these split one.
  const splitting = ['out/b/c', 'out/b', '*b*', 'out/a', 'out', 'out/', 'in', 'top', '*', '.'];
  const excluding = [':!*a*', ':!*b*', ':!out', ':!out/b', ':!in', ':(glob)out/**', ':(icase)OUT/B'];
  const pathspecs = [...splitting, ...excluding];
  const formats = ['--porcelain', '--porcelain=v2', '--short', '--long', '-v'];
  const formatQuestions = formats.map((format) => question(format));
  const pathspecQuestions = ['--porcelain=v2', '--long'].flatMap((format) =>
    pathspecs.map((pathspec) => question(format, '--', pathspec)),
  );
  const wholeAndSplit = [...formatQuestions, ...pathspecQuestions];
  const mayDelegate = { delegates: 'maybe' } as const;

  conformanceCase(
    'an index file that is gone, with pathspecs that split a sparse directory',
    ({ repo, check, checkAll }) => {
      furnish(repo);
      checkAll(wholeAndSplit);
      repo.remove('.git/index');
      check(/^1 D\. .* out\/b\/c$/);
      checkAll(wholeAndSplit);
      checkAll(pathspecQuestions, 'in');
      repo.write('out/b/c', 'present\n');
      checkAll(wholeAndSplit);
      repo.remove('out');
      repo.git('config', '--worktree', 'index.sparse', 'false');
      checkAll(wholeAndSplit);
      repo.git('config', '--worktree', 'index.sparse', 'true');
      repo.write('.git/info/sparse-checkout', '*.txt\n');
      checkAll(wholeAndSplit);
      repo.remove('.git/info/sparse-checkout');
      checkAll(wholeAndSplit);
      repo.git('read-tree', '--empty');
      checkAll(wholeAndSplit);
    },
    mayDelegate,
  );

  conformanceCase(
    'a full index that git makes sparse, with pathspecs that split a sparse directory',
    ({ repo, check, checkAll }) => {
      furnish(repo);
      repo.git('sparse-checkout', 'reapply', '--no-sparse-index');
      repo.git('rm', '-q', '--cached', '--sparse', 'out/b/c');
      repo.git('config', '--worktree', 'index.sparse', 'true');
      check(/^1 D\. .* out\/b\/c$/);
      checkAll(wholeAndSplit);
      repo.git('config', '--worktree', 'index.sparse', 'false');
      repo.git('rm', '-rq', '--cached', '--sparse', 'out');
      checkAll(wholeAndSplit);
      repo.git('config', '--worktree', 'index.sparse', 'true');
      checkAll(wholeAndSplit);
    },
    mayDelegate,
  );

  conformanceCase('a cone within a directory that is else sparse', ({ repo, check }) => {
    furnish(repo, 'out/b');
    check();
    repo.write('out/b/c', 'changed\n');
    repo.write('out/a', 'changed\n');
    repo.write('out/b/new', '');
    check(...present(/^1 \.M .* out\/b\/c$/, /^1 \.M .* out\/a$/, /^\? out\/b\/new$/));
    collapse(repo, 'out/b/d');
    check();
  });

  conformanceCase('sparse directories that come and go', ({ repo, check }) => {
    furnish(repo);
    repo.mkdir('out');
    check();
    repo.mkdir('out/b/d');
    check();
    repo.write('out/b/d/e', 'changed\n');
    check(...present(/^1 \.M .* out\/b\/d\/e$/));
    repo.write('out/b/new', '');
    check(/^\? out\/b\/new$/);
    repo.write('out/b/c', 'out/b/c, a few words more so that it can be told from the others\n');
    check();
    repo.remove('out/b');
    check();
    repo.remove('out');
    check();
    repo.write('z/untracked', '');
    repo.write('out2/f', 'changed\n');
    check(...present(/^\? z\/untracked$/, /^1 \.M .* out2\/f$/));
    repo.git('status');
    check(...present(/^1 \.M .* out2\/f$/));
    repo.write('out2/f', 'staged\n');
    addOutside(repo, 'out2/f');
    check(/^1 M\. .* out2\/f$/);
    repo.git('reset', '-q', '--hard');
    check();
    repo.git('sparse-checkout', 'reapply');
    check();
  });

  conformanceCase('a sparse directory that is moved into its place', ({ repo, check }) => {
    furnish(repo);
    repo.write('elsewhere/b/d/e', 'not the same\n');
    repo.write('elsewhere/b/n', '');
    check(/^\? elsewhere\//);
    repo.rename('elsewhere', 'out');
    check(...present(/^1 \.M .* out\/b\/d\/e$/, /^\? out\/b\/n$/));
    repo.rename('out', 'out3');
    check(/^\? out3\//);
  });

  conformanceCase('something else in the place of a sparse directory', ({ repo, check }) => {
    furnish(repo);
    repo.write('out', 'a file\n');
    check(/^\? out$/);
    repo.remove('out');
    repo.write('real/a', 'seen through the link\n');
    repo.symlink('real', 'out');
    check(...present(/^\? out$/, /^1 \.D .* out\/a$/));
    repo.write('real/b/d/e', '');
    check(...present(/^1 \.D .* out\/b\/d\/e$/));
    repo.remove('out');
    repo.symlink('nowhere', 'out');
    check(/^\? out$/);
    repo.remove('out');
    repo.git('init', '-q', 'out');
    check();
    repo.write('out/a', 'in a repository\n');
    check(...present(/^1 \.M .* out\/a$/));
  });

  conformanceCase(
    'HEAD differs below sparse directories',
    ({ repo, check }) => {
      furnish(repo);
      repo.git('sparse-checkout', 'disable');
      repo.write('out/b/d/e', 'another commit\n');
      repo.write('z/y/new', 'another commit adds this\n');
      repo.git('mv', 'out2/f', 'out/b/moved');
      repo.commit();
      collapse(repo);
      check();
      repo.git('reset', '-q', '--soft', 'HEAD~1');
      if (tellsFiles) check(/^1 M\. .* out\/b\/d\/e$/, /^1 A\. .* z\/y\/new$/, /^2 R\. .* out\/b\/moved/);
      else check(/^1 M\. .* 040000 .* out\/b$/, /^1 M\. .* 040000 .* z\/y$/, /^1 D\. .* out2\/f$/);
      repo.write('in/a', 'changed\n');
      repo.write('out/b/c', 'present\n');
      check(...present(/^1 M\. .* out\/b\/d\/e$/, /^1 \.M .* out\/b\/c$/));
      repo.git('update-ref', '-d', 'HEAD');
      check(...present(/^1 A\. .* out\/a$/, /^1 AM .* out\/b\/c$/));
    },
    unlessFilesAreTold,
  );

  conformanceCase(
    'a directory whose place HEAD gives to a file',
    ({ repo, check }) => {
      furnish(repo);
      const tree = repo.ask('write-tree').stdout.toString().trim();
      repo.git('checkout', '-q', '--orphan', 'other');
      repo.git('rm', '-rqf', '--sparse', '.');
      repo.write('out', 'a file\n');
      repo.git('add', '--sparse', 'out');
      repo.git('commit', '-q', '-m', 'a file');
      repo.git('read-tree', tree);
      repo.git('sparse-checkout', 'reapply');
      check(/^1 D\. .* out$/, /^1 A. .* out\/a$/);
    },
    unlessFilesAreTold,
  );

  for (const [name, value] of [
    ['sparse.expectFilesOutsideOfPatterns', 'true'],
    ['core.sparseCheckout', 'false'],
  ] as const) {
    conformanceCase(`${name}=${value}: what is present is not looked at`, ({ repo, check }) => {
      furnish(repo);
      repo.git('config', '--worktree', name, value);
      check();
      repo.write('out/b/c', 'present\n');
      repo.write('out/b/new', '');
      repo.write('z/y/x', '');
      check(/^\? out\/b\/new$/);
      repo.git('config', '--worktree', '--unset', name);
      check();
    });
  }

  conformanceCase('ignore and attributes files that only the index has', ({ repo, check }) => {
    repo.write('out/.gitignore', '*.o\n!keep.o\nsub/\n');
    repo.write('out/.gitattributes', '*.txt eol=crlf\n');
    repo.write('out/deep/.gitignore', 'here\n');
    repo.write('out/a.txt', 'one\ntwo\n');
    repo.write('in/a', '');
    repo.commit();
    collapse(repo);
    repo.write('out/a.txt', 'one\r\ntwo\r\n');
    repo.write('out/x.o', '');
    repo.write('out/keep.o', '');
    repo.write('out/sub/file', '');
    repo.write('out/deep/here', '');
    repo.write('out/deep/there', '');
    check(/^! out\/x\.o$/, /^\? out\/keep\.o$/, /^! out\/deep\/here$/);
  });

  for (const index of ['--sparse-index', '--no-sparse-index']) {
    conformanceCase(`attributes files outside of the cone, ${index}`, async ({ sandbox, repo, during }) => {
      repo.write('out/.gitattributes', '*.txt text\n');
      repo.write('out/a.txt', 'one\n');
      repo.write('out/deep/b.txt', 'two\n');
      repo.write('in/a', '');
      repo.commit();
      // Its index has no sizes of what was never checked out: contents are compared.
      repo.git('clone', '-q', '--sparse', '.', '../clone');
      const clone = new Repository(sandbox, sandbox.path('clone'));
      setSparseCheckout(clone, ['--cone', index], 'in');
      await during(clone, ({ check }) => {
        clone.write('out/a.txt', 'one\r\n');
        clone.write('out/deep/b.txt', 'three\r\n');
        const unlessRead = atLeast(2, 43) ? [] : [/^1 \.M .* out\/a\.txt$/];
        check(...present(/^1 \.M .* out\/deep\/b\.txt$/, ...unlessRead));
      });
    });

    conformanceCase(
      `attributes files outside of the cone that git complains of, ${index}`,
      ({ repo, check }) => {
        repo.config('status.renames', 'copies');
        repo.write('out/deep/.gitattributes', '[attr]mine text\n');
        repo.write('out/deep/moved', 'a few words\n');
        repo.write('in/a', '');
        repo.commit();
        setSparseCheckout(repo, ['--cone', index], 'in');
        repo.git('mv', '--sparse', 'out/deep/moved', 'in/moved');
        repo.write('in/new', 'other words\n');
        repo.git('add', 'in/new');
        check(/^2 R\. .* in\/moved$/, /^1 A\. .* in\/new$/);
      },
    );
  }

  conformanceCase('a merge with conflicts, which needs a full index', ({ repo, check }) => {
    furnish(repo);
    repo.git('checkout', '-q', '-b', 'side');
    repo.write('in/a', 'side\n');
    repo.commit();
    repo.git('checkout', '-q', 'main');
    repo.write('in/a', 'main\n');
    repo.commit();
    check();
    repo.tryGit('merge', 'side');
    check(/^u UU .* in\/a$/);
    repo.write('in/a', 'resolved\n');
    repo.git('add', 'in/a');
    check(/^1 M\. .* in\/a$/);
    repo.commit();
    check();
  });

  // git 2.46 and newer advise where they unfold such an index, and only there.
  conformanceCase('a full one that git folds up over what is there', ({ repo, subject, check }) => {
    furnish(repo);
    setSparseCheckout(repo, ['--cone', '--no-sparse-index'], 'in');
    repo.git('config', '--worktree', 'index.sparse', 'true');
    repo.mkdir('out/b');
    check();
    repo.write('out/a', 'changed\n');
    check(...present(/^1 \.M .* out\/a$/));
    assert.deepEqual(subject.delegations, []);
  });

  conformanceCase('one without a sparse directory, and full ones are wanted', ({ repo, check }) => {
    furnish(repo, 'in', 'out', 'out2', 'z');
    repo.git('config', '--worktree', 'index.sparse', 'false');
    check();
    repo.git('config', '--worktree', 'index.sparse', 'true');
    check();
  });

  conformanceCase(
    'a sparse directory with a gitlink that is there',
    ({ repo, check }) => {
      furnish(repo);
      repo.mkdir('out/inner');
      repo.at('out/inner').git('init', '-q');
      repo.at('out/inner').commit();
      repo.git('add', '--sparse', 'out/inner');
      repo.git('commit', '-q', '-m', 'with a gitlink');
      repo.git('checkout', '-q', 'HEAD~1');
      repo.git('checkout', '-q', 'main');
      check();
      repo.write('out/inner/new', '');
      check(...present(/out\/inner/));
    },
    { delegates: 'maybe' },
  );

  conformanceCase('a split one, whose shared file git folds up and then cannot read', ({ repo, check }) => {
    furnish(repo);
    repo.git('config', '--worktree', 'index.sparse', 'false');
    repo.git('update-index', '--split-index');
    // An entry that replaces one of the shared file.
    repo.write('top', 'changed\n');
    repo.git('add', 'top');
    check(/^1 M\. .* top$/);
    repo.git('config', '--worktree', 'index.sparse', 'true');
    // An older git folds up nothing as it reads.
    const said = atLeast(2, 35) ? /^fatal: position for replacement/ : /^$/;
    assert.match(String(repo.ask('status').stderr), said);
    check();
    repo.git('config', '--worktree', 'index.sparse', 'false');
    check(/^1 M\. .* top$/);
  });

  conformanceCase(
    'switching branches that differ below sparse directories',
    ({ repo, check }) => {
      furnish(repo);
      repo.git('checkout', '-q', '-b', 'side');
      repo.write('out/b/d/e', 'side\n');
      addOutside(repo, 'out/b/d/e');
      check(/^1 M\. .* out\/b\/d\/e$/);
      repo.git('commit', '-q', '-m', 'side');
      repo.git('sparse-checkout', 'reapply');
      check();
      repo.git('checkout', '-q', 'main');
      check();
      repo.git('read-tree', '-m', 'side');
      check(tellsFiles ? /^1 M\. .* out\/b\/d\/e$/ : /^1 M\. .* 040000 .* out\/b$/);
    },
    unlessFilesAreTold,
  );
});

describe('files outside the sparse checkout, full index', () => {
  for (const mode of ['--cone', '--no-cone']) {
    conformanceCase(`present all the same, ${mode}`, ({ repo, check }) => {
      for (const path of ['top', 'in/a', 'out/a', 'out/b/c', 'out/b/d/e']) repo.write(path, `${path}\n`);
      repo.commit();
      setSparseCheckout(repo, [mode, '--no-sparse-index'], mode === '--cone' ? 'in' : '/in/');
      check();
      repo.write('out/b/c', 'out/b/c\n');
      check();
      repo.write('out/b/c', 'changed\n');
      repo.mkdir('out/b/d/e');
      check(...present(/^1 \.M .* out\/b\/c$/, /^1 \.D .* out\/b\/d\/e$/));
      repo.remove('out');
      repo.write('real/a', '');
      repo.symlink('real', 'out');
      check(...present(/^\? out$/, /^1 \.D .* out\/a$/));
      repo.config('sparse.expectFilesOutsideOfPatterns', 'true');
      check();
    });
  }

  conformanceCase(
    'an entry below a directory that stands for all of its entries',
    ({ repo, check }) => {
      furnish(repo);
      check();
      const blob = repo.git('hash-object', '-w', 'top').trim();
      repo.git('update-index', '--add', '--cacheinfo', `100644,${blob},out/zz`);
      check();
      repo.write('in/a', 'changed\n');
      check(/^1 \.M .* in\/a$/);
      repo.git('update-index', '--force-remove', 'out/zz');
      check();
    },
    { delegates: 'maybe' },
  );

  conformanceCase('skip-worktree without a sparse checkout is believed', ({ repo, check }) => {
    repo.write('a', 'a\n');
    repo.write('d/b', 'b\n');
    repo.commit();
    repo.git('update-index', '--skip-worktree', 'a', 'd/b');
    repo.write('a', 'changed\n');
    repo.remove('d');
    check();
    repo.git('config', 'core.sparseCheckout', 'true');
    check(...present(/^1 \.M .* a$/));
  });
});
