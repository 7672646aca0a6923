/** Plain files: changes between HEAD, index and worktree. */
import { atLeast } from '../../support/oracle';
import { conformanceCase } from '../case';

describe('plain files', () => {
  conformanceCase('an unborn branch without files', ({ check }) => {
    check(/^# branch\.oid \(initial\)$/);
  });

  conformanceCase('an unborn branch with staged and untracked files', ({ repo, check }) => {
    repo.write('staged', 'one\n');
    repo.write('untracked', 'two\n');
    repo.git('add', 'staged');
    check(/^1 A\. .* staged$/, /^\? untracked$/);
    repo.write('staged', 'changed\n');
    check(/^1 AM /);
    repo.remove('staged');
    check(/^1 AD /);
  });

  conformanceCase('a clean worktree', ({ repo, check }) => {
    repo.write('a', 'one\n');
    repo.write('d/b', 'two\n');
    repo.commit();
    check(/^# branch\.head main$/);
  });

  conformanceCase('modified, longer, of the same size, and back again', ({ repo, check }) => {
    repo.write('a', 'one\n');
    repo.commit();
    repo.write('a', 'longer\n');
    check(/^1 \.M .* a$/);
    repo.write('a', 'two\n');
    check(/^1 \.M .* a$/);
    repo.write('a', 'one\n');
    check(/^# branch\.head/);
  });

  conformanceCase('deleted, in worktree and index', ({ repo, check }) => {
    repo.write('a', 'one\n');
    repo.write('d/b', 'two\n');
    repo.commit();
    repo.remove('a');
    check(/^1 \.D .* a$/);
    repo.git('rm', '-q', '--cached', 'd/b');
    check(/^1 D\. .* d\/b$/, /^\? d\/b$|^\? d\/$/);
    repo.remove('d');
    check(/^1 D\. /);
  });

  conformanceCase('mode changes, staged and not', ({ repo, check }) => {
    repo.write('a', 'one\n');
    repo.commit();
    repo.chmod('a', 0o755);
    check(/^1 \.M N\.\.\. 100644 100644 100755 .* a$/);
    repo.git('add', 'a');
    check(/^1 M\. N\.\.\. 100644 100755 100755 .* a$/);
    repo.chmod('a', 0o644);
    check(/^1 MM /);
  });

  conformanceCase('type changes between file and symlink', ({ repo, check }) => {
    repo.write('file', 'target');
    repo.symlink('target', 'link');
    repo.commit();
    repo.remove('file');
    repo.symlink('target', 'file');
    repo.remove('link');
    repo.write('link', 'target');
    check(/^1 \.T .* file$/, /^1 \.T .* link$/);
    repo.git('add', '-A');
    check(/^1 T\. .* file$/, /^1 T\. .* link$/);
    repo.append('file', '');
    repo.remove('file');
    check(/^1 TD .* file$/);
  });

  conformanceCase('staged and unstaged together', ({ repo, check }) => {
    for (const name of ['mm', 'md', 'dm', 'mt']) repo.write(name, 'one\n');
    repo.commit();
    for (const name of ['mm', 'md', 'mt', 'am', 'ad']) repo.write(name, 'two\n');
    repo.git('add', '-A');
    repo.git('rm', '-q', '--cached', 'dm');
    repo.write('mm', 'three\n');
    repo.write('am', 'three\n');
    repo.remove('md');
    repo.remove('ad');
    repo.remove('mt');
    repo.symlink('x', 'mt');
    check(/^1 MM .* mm$/, /^1 MD .* md$/, /^1 MT .* mt$/, /^1 AM .* am$/, /^1 AD .* ad$/, /^1 D\. .* dm$/);
  });

  conformanceCase('staged, then written back as in HEAD', ({ repo, check }) => {
    repo.write('a', 'one\n');
    repo.commit();
    repo.write('a', 'two\n');
    repo.git('add', 'a');
    repo.write('a', 'one\n');
    check(/^1 MM .* a$/);
  });

  conformanceCase('intent to add', ({ repo, check }) => {
    repo.write('a', 'one\n');
    repo.git('add', '-N', 'a');
    check(/^1 \.A .* a$/);
    repo.commit();
    repo.write('empty', '');
    repo.write('gone', 'x\n');
    repo.git('add', '-N', 'empty', 'gone');
    check(/^1 \.A .* empty$/, /^1 \.A .* gone$/);
    repo.remove('gone');
    check(/2 \.R .* R100 empty\0gone/);
  });

  conformanceCase('a rename in the worktree shown through intent to add', ({ repo, check }) => {
    repo.write('old', 'one\ntwo\nthree\nfour\n');
    repo.commit();
    repo.rename('old', 'new');
    repo.git('add', '-N', 'new');
    check(/2 \.R .* R100 new\0old/);
  });

  conformanceCase('assume-unchanged hides a change', ({ repo, check }) => {
    repo.write('a', 'one\n');
    repo.write('b', 'one\n');
    repo.commit();
    repo.git('update-index', '--assume-unchanged', 'a');
    repo.write('a', 'changed\n');
    repo.write('b', 'changed\n');
    check(/^1 \.M .* b$/);
    repo.remove('a');
    check();
    repo.git('update-index', '--no-assume-unchanged', 'a');
    check(/^1 \.D .* a$/);
  });

  conformanceCase('skip-worktree, absent, present and changed', ({ repo, check }) => {
    repo.write('a', 'one\n');
    repo.write('b', 'one\n');
    repo.commit();
    repo.git('update-index', '--skip-worktree', 'a', 'b');
    check();
    repo.write('a', 'changed\n');
    check();
    repo.remove('b');
    check();
    repo.git('update-index', '--no-skip-worktree', 'a', 'b');
    check(/^1 \.M .* a$/, /^1 \.D .* b$/);
  });

  conformanceCase('a file replaced by a directory and the reverse', ({ repo, check }) => {
    repo.write('file', 'one\n');
    repo.write('dir/inner', 'two\n');
    repo.commit();
    repo.remove('file');
    repo.write('file/inner', 'three\n');
    check(/^1 \.D .* file$/);
    repo.remove('dir');
    repo.write('dir', 'four\n');
    check(/^1 \.D .* dir\/inner$/, /^\? dir$/);
    repo.git('add', '-A');
    check(/^1 A\. .* file\/inner$/, /^1 D\. .* file$/);
  });

  conformanceCase('moved directories are followed', ({ repo, check }) => {
    for (const name of ['a/x/f', 'a/y/g', 'b/z/h']) repo.write(name, `${name}\n`);
    repo.commit();
    repo.rename('a', 'c');
    repo.git('add', '-A');
    repo.git('commit', '-q', '-m', 'moved');
    check();
    repo.append('c/x/f', 'edited below a moved directory\n');
    check(/^1 \.M .* c\/x\/f$/);
    repo.rename('c', '../outside');
    check(/^1 \.D .* c\/y\/g$/);
    repo.write('../outside/y/g', 'edited outside\n');
    repo.rename('../outside', 'c');
    check(/^1 \.M .* c\/y\/g$/);
  });

  conformanceCase('two directories swapped', ({ repo, check }) => {
    repo.write('a/f', 'in a\n');
    repo.write('b/f', 'in b, longer\n');
    repo.commit();
    repo.rename('a', 'swap');
    repo.rename('b', 'a');
    repo.rename('swap', 'b');
    check(/^1 \.M .* a\/f$/, /^1 \.M .* b\/f$/);
    repo.write('a/new', '');
    check(/^\? a\/new$/);
  });

  conformanceCase('files deeper than a watch can be set in time', ({ repo, check }) => {
    repo.commit();
    // Before 2.27 git's time doubles with each level.
    const deep = Array.from({ length: atLeast(2, 27) ? 30 : 8 }, (_, i) => `level${i}`).join('/');
    repo.write(`${deep}/file`, 'deep\n');
    check(/^\? level0\/$/);
    repo.git('add', '-A');
    repo.append(`${deep}/file`, 'more\n');
    check(/^1 AM .*\/file$/);
  });
});
