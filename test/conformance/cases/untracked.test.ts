/** Untracked and ignored paths; each check asks all nine modes. */
import { atLeast } from '../../support/oracle';
import { conformanceCase } from '../case';

describe('untracked and ignored', () => {
  conformanceCase('nested directories, partly tracked', ({ repo, check }) => {
    repo.write('tracked/file', '1\n');
    repo.commit();
    for (const path of ['tracked/new', 'tracked/sub/new', 'fresh/a', 'fresh/b/c', 'top'])
      repo.write(path, '');
    check(/^\? fresh\/$/, /^\? tracked\/sub\/$/, /^\? fresh\/b\/c$/, /^\? top$/);
    repo.git('add', 'fresh/b/c');
    check(/^\? fresh\/a$/);
    repo.remove('fresh/a');
    check();
  });

  conformanceCase('empty directories', ({ repo, check }) => {
    repo.commit();
    repo.mkdir('empty');
    repo.mkdir('e/m/p/t/y');
    check();
    repo.write('e/m/p/full', '');
    check(/^\? e\/$/);
    repo.remove('e/m/p/full');
    check();
    repo.rmdir('empty');
    check();
  });

  conformanceCase('sorting of files and directories', ({ repo, check }) => {
    repo.commit();
    for (const path of ['a/x', 'a.b', 'a-b', 'a0', 'B', 'ab/x', 'a b']) repo.write(path, '');
    repo.write('.gitignore', 'i*\n');
    for (const path of ['i/x', 'i.b', 'i-b', 'i0', 'ib/x']) repo.write(path, '');
    check(/^! i\/$/);
  });

  conformanceCase('two stars after other characters', ({ repo, check }) => {
    repo.write('.gitignore', 'foo**/bar\ndir/name**/x\n/top**/y\n');
    repo.write('.gitattributes', 'text**/z eol=crlf\n');
    for (const path of ['textz', 'text/z', 'texts/z', 'text/s/z']) repo.write(path, 'one\n');
    repo.commit();
    for (const path of ['foobar', 'foo/bar', 'foos/bar', 'foo/s/bar', 'foos/s/bar']) repo.write(path, '');
    for (const path of ['dir/namex', 'dir/name/x', 'dir/names/x', 'dir/name/s/x']) repo.write(path, '');
    for (const path of ['topy', 'top/y', 'tops/y', 'top/s/y', 'sub/top/y']) repo.write(path, '');
    check(/^! foos\/bar$|^! foos\/$/, /^\? sub\/$/);
    for (const path of ['textz', 'text/z', 'texts/z', 'text/s/z']) repo.write(path, 'one\r\n');
    check(/^1 \.M .* text\/s\/z$/);
  });

  conformanceCase('a directory that holds only ignored files', ({ repo, check }) => {
    repo.write('.gitignore', '*.o\n');
    repo.commit();
    repo.write('only/a.o', '');
    repo.write('only/deep/b.o', '');
    repo.write('mixed/a.o', '');
    repo.write('mixed/a.c', '');
    check(/^! only\/$|^! only\/a\.o$/, /^\? mixed\/$/);
    repo.remove('mixed/a.c');
    check();
  });

  conformanceCase('an ignored directory, and a file that is not ignored in it', ({ repo, check }) => {
    repo.write('.gitignore', 'build/\n!build/keep\n');
    repo.commit();
    repo.write('build/keep', '');
    repo.write('build/deep/x', '');
    check(/^! build\/$/);
    repo.write('.gitignore', 'build/*\n!build/keep\n');
    check(/^\? build\/$|^\? build\/keep$/, /^! build\/deep\/$/);
    repo.remove('.gitignore');
    check(/^\? build\/$/);
  });

  conformanceCase('tracked files under an ignored directory', ({ repo, check }) => {
    repo.write('build/tracked', '1\n');
    repo.commit();
    repo.write('.gitignore', 'build/\n');
    repo.write('build/untracked', '');
    repo.write('build/sub/untracked', '');
    check(/^! build\/untracked$/, /^! build\/sub\/$/);
    repo.write('build/tracked', '2, changed\n');
    check(/^1 \.M .* build\/tracked$/);
    repo.remove('build');
    check(/^1 \.D /);
  });

  const patterns: Record<string, string> = {
    'a name at any depth': 'name\n',
    'anchored by a leading slash': '/name\n',
    'anchored by a slash within': 'd/name\n',
    'directories only': 'name/\n',
    'a double star in front': '**/name\n',
    'a double star behind': 'd/**\n',
    'a double star within': 'd/**/name\n',
    negation: 'name*\n!name2\n',
    'negation below an excluded parent': 'd\n!d/name\n',
    'everything but': '/*\n!/d\n/d/*\n!/d/name\n',
    'sets and questions': 'nam[a-f]\nnam?2\n[!a-z]*\n',
    'named classes': '[[:upper:]]*\n*[[:digit:]]\n',
    escapes: '\\#hash\n\\!bang\nspace\\ \n\\name\n',
    'trailing spaces': 'name  \nspace\\ \n',
    'CRLF and BOM': '\xef\xbb\xbfname\r\nd/e/\r\n',
    'no newline at the end': 'name2\nname',
    'blank lines and comments': '\n#name\n   \nname2\n',
    'a lone slash, a dot': '/\n.\n./name\n',
    'stars that do not cross a slash': 'd/*name\n',
    'an unclosed set': '[name\nname[\n',
    'bytes that are no text': '\xff*\n',
  };
  for (const [title, text] of Object.entries(patterns)) {
    conformanceCase(`patterns: ${title}`, ({ repo, check }) => {
      repo.write('tracked', '');
      repo.commit();
      const names = [
        'name',
        'name2',
        'Name',
        'd/name',
        'd/name2',
        'd/e/name',
        'd/e/f/name',
        'e/name/x',
        '#hash',
        '!bang',
      ];
      for (const path of [...names, 'space ', '\xff\xfe', 'e/[name', 'g/aname']) repo.write(path, '');
      check();
      repo.write('.gitignore', text);
      check();
      repo.write('d/.gitignore', '!name\ne/\n');
      check();
    });
  }

  conformanceCase('info/exclude and core.excludesFile, and who wins', ({ repo, sandbox, check }) => {
    repo.commit();
    for (const path of ['a.x', 'a.y', 'a.z', 'd/a.x']) repo.write(path, '');
    repo.write('.git/info/exclude', '*.x\n');
    check(/^! a\.x$/);
    repo.write('../excludes', '*.y\n!a.x\n');
    repo.config('core.excludesFile', sandbox.path('excludes'));
    check(/^! a\.y$/, /^! a\.x$/);
    repo.write('.gitignore', '!a.x\n*.z\n');
    check(/^\? a\.x$/, /^! a\.z$/);
    repo.write('../excludes', '');
    check(/^\? a\.y$/);
  });

  conformanceCase('the default excludes file', ({ repo, check }) => {
    repo.commit();
    repo.write('a.x', '');
    check(/^\? a\.x$/);
    repo.write('../home/.config/git/ignore', '*.x\n');
    check(/^! a\.x$/);
  });

  // An older git follows the link, and then answers itself.
  conformanceCase(
    'a .gitignore that is a symlink, a directory, or removed',
    ({ repo, check }) => {
      repo.write('rules', 'name\n');
      repo.commit();
      repo.write('name', '');
      repo.symlink('rules', '.gitignore');
      check();
      repo.remove('.gitignore');
      repo.mkdir('.gitignore');
      check();
      repo.rmdir('.gitignore');
      repo.write('.gitignore', 'name\n');
      check(/^! name$/);
      repo.remove('.gitignore');
      check(/^\? name$/);
    },
    { delegates: atLeast(2, 32) ? 'never' : 'maybe' },
  );

  conformanceCase('a .gitignore that is only in the index', ({ repo, check }) => {
    repo.write('.gitignore', '*.o\n');
    repo.write('d/.gitignore', '!a.o\n');
    repo.commit();
    repo.write('a.o', '');
    repo.write('d/a.o', '');
    repo.git('update-index', '--skip-worktree', '.gitignore', 'd/.gitignore');
    repo.remove('.gitignore');
    repo.remove('d/.gitignore');
    check();
  });

  conformanceCase('nested repositories, with and without commits, and bare ones', ({ repo, check }) => {
    repo.commit();
    for (const name of ['unborn', 'committed', 'bare', 'deep/inner']) {
      repo.mkdir(name);
      repo.at(name).git('init', '-q', ...(name === 'bare' ? ['--bare'] : []));
    }
    repo.write('unborn/file', '');
    repo.at('committed').commit();
    repo.write('committed/file', '');
    repo.write('deep/file', '');
    check(/^\? committed\/$/);
    repo.write('.gitignore', 'committed\nfile\n');
    check(/^! committed\/$/);
    repo.remove('committed/.git');
    check();
    repo.remove('unborn/.git');
    check();
  });

  conformanceCase('a .git that is a file, garbage or empty', ({ repo, check }) => {
    repo.commit();
    repo.write('garbage/.git', 'not a repository\n');
    repo.write('garbage/file', '');
    repo.mkdir('empty/.git');
    repo.write('empty/file', '');
    check();
  });

  conformanceCase('symlinks: dangling, to a directory, tracked ones replaced', ({ repo, check }) => {
    repo.write('d/f', 'f\n');
    repo.symlink('d', 'to-dir');
    repo.symlink('nowhere', 'dangling');
    repo.commit();
    repo.symlink('d', 'new-to-dir');
    repo.symlink('nothing', 'new-dangling');
    repo.symlink('.', 'loop');
    check(/^\? new-to-dir$/, /^\? new-dangling$/, /^\? loop$/);
    repo.remove('to-dir');
    repo.write('to-dir/inner', '');
    check(/^1 \.[DT] .* to-dir$/);
    repo.rename('d', 'real');
    repo.symlink('real', 'd');
    check(/^1 \.D .* d\/f$/, /^\? d$/);
    repo.remove('dangling');
    repo.symlink('elsewhere', 'dangling');
    check(/^1 \.M .* dangling$/);
  });

  conformanceCase('special files', ({ repo, sandbox, check }) => {
    repo.write('a', '');
    repo.commit();
    sandbox.exec('mkfifo', 'w/pipe');
    repo.write('d/file', '');
    sandbox.exec('mkfifo', 'w/d/pipe');
    check(/^\? d\/$/);
    repo.remove('a');
    sandbox.exec('mkfifo', 'w/a');
    check(/^1 \.M .* a$/);
  });

  conformanceCase('ten thousand patterns', ({ repo, check }) => {
    repo.commit();
    const lines = Array.from({ length: 10_000 }, (_, i) => `name${i}\n`);
    repo.write('.gitignore', `${lines.join('')}!name77\n`);
    for (const name of ['name0', 'name77', 'name9999', 'name10000']) repo.write(name, '');
    check(/^! name9999$/, /^\? name77$/);
  });
});
