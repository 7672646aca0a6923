/** core.ignoreCase on a case-sensitive file system: git hides untracked paths behind tracked ones. */
import { conformanceCase } from '../case';
import { knowsSparseIndex, setSparseCheckout } from '../sparse';

const config = { 'core.ignoreCase': 'true' };

describe('core.ignoreCase', () => {
  conformanceCase(
    'files and directories of another spelling',
    ({ repo, check }) => {
      for (const path of ['File', 'Dir/Sub/x', 'Dir/y', 'other/z']) repo.write(path, `${path}\n`);
      repo.commit();
      check();
      for (const path of ['file', 'FILE', 'dir/sub/X', 'DIR/sub/new', 'dir/deep/new', 'Dir/Y', 'OTHER/z'])
        repo.write(path, 'untracked\n');
      check(/^\? DIR\/sub\/new$/, /^\? dir\/deep\//);
      repo.remove('File');
      check(/^1 \.D .* File$/);
      repo.rename('dir', 'elsewhere');
      check(/^\? elsewhere\//);
      repo.rename('elsewhere', 'diR');
      check(/^\? diR\/deep\//);
      repo.remove('Dir');
      check(/^1 \.D .* Dir\/y$/);
    },
    { config },
  );

  conformanceCase(
    'the index gets and loses the path that hides others',
    ({ repo, check }) => {
      repo.write('a', '');
      repo.commit();
      repo.write('new', '');
      repo.write('NEW', '');
      repo.write('D/f', '');
      repo.write('d/F', '');
      check(/^\? NEW$/, /^\? d\//);
      repo.git('update-index', '--add', 'new', 'D/f');
      check(/^1 A\. .* new$/);
      repo.write('d/g', '');
      check(/^\? d\/g$/);
      repo.git('rm', '-q', '--cached', 'new', 'D/f');
      check(/^\? NEW$/, /^\? d\//);
    },
    { config },
  );

  conformanceCase(
    'patterns and attributes',
    ({ repo, check }) => {
      repo.write('.gitignore', '*.OBJ\nBuild/\n!KEEP.obj\n/Sub/here\n');
      repo.write('.gitattributes', '*.TXT text eol=lf\nDocs/** text\n');
      repo.write('a.txt', 'a\n');
      repo.write('docs/b', 'b\n');
      repo.write('Tracked/t', '');
      repo.commit();
      for (const path of [
        'x.obj',
        'keep.OBJ',
        'build/f',
        'BUILD/f',
        'sub/HERE',
        'tracked/x.obj',
        'tracked/n',
      ])
        repo.write(path, '');
      check(/^! x\.obj$/, /^\? keep\.OBJ$/, /^! build\//, /^\? tracked\/n$/);
      repo.write('a.txt', 'a\r\n');
      repo.write('docs/b', 'b\r\n');
      check();
      repo.write('.gitignore', 'TRACKED/\n');
      check(/^! tracked\//);
      repo.write('info', '');
      repo.write('.git/info/exclude', 'INFO\n');
      check(/^! info$/);
      repo.write('tracked/another', '');
      check(/^! tracked\/another$/);
    },
    { config },
  );

  conformanceCase(
    'repositories below, and what is named .GIT',
    ({ repo, check }) => {
      repo.git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},Module`);
      repo.write('Dir/f', '');
      repo.git('add', 'Dir');
      repo.git('commit', '-q', '-m', 'a gitlink');
      repo.git('init', '-q', 'module');
      repo.write('module/x', '');
      repo.git('init', '-q', 'dir');
      repo.write('dir/new', '');
      repo.git('init', '-q', 'nested');
      repo.write('nested/x', '');
      check(/^\? dir\/new$/, /^\? nested\/$/);
      repo.write('.GIT/x', '');
      repo.write('.Git', '');
      repo.write('plain/.giT/x', '');
      repo.write('.gitignore', 'ignored\n');
      repo.write('ignored/.GIT/x', '');
      check();
      repo.write('ignored/y', '');
      check(/^! ignored\//);
    },
    { config },
  );

  conformanceCase(
    'unmerged paths and intent to add',
    ({ repo, check }) => {
      repo.write('Both', 'base\n');
      repo.commit();
      repo.git('checkout', '-q', '-b', 'side');
      repo.write('Both', 'side\n');
      repo.commit();
      repo.git('checkout', '-q', 'main');
      repo.write('Both', 'main\n');
      repo.commit();
      repo.tryGit('merge', 'side');
      repo.write('both', '');
      repo.write('Intent', '');
      repo.git('add', '-N', 'Intent');
      repo.write('intent', '');
      check(/^u UU .* Both$/, /^1 \.A .* Intent$/);
    },
    { config },
  );

  conformanceCase(
    'with a split index',
    ({ repo, check }) => {
      for (const path of ['In/a', 'Out/b', 'Out/deep/c']) repo.write(path, `${path}\n`);
      repo.commit();
      repo.git('update-index', '--split-index');
      repo.write('IN/A', '');
      repo.write('out/deep/new', '');
      check(/^\? out\/deep\/new$/);
      repo.git('rm', '-q', '--cached', 'In/a');
      check(/^\? IN\/$/);
    },
    { config },
  );

  // git's answer then depends on other reasons to expand its index.
  const sparseIndexCase = knowsSparseIndex() ? conformanceCase : (): void => undefined;
  sparseIndexCase(
    'with a sparse index git answers',
    ({ repo, check }) => {
      for (const path of ['in/a', 'Out/b', 'Out/deep/c']) repo.write(path, `${path}\n`);
      repo.commit();
      setSparseCheckout(repo, ['--cone', '--sparse-index'], 'in');
      repo.write('out/B', '');
      repo.write('out/new', '');
      check(/^\? out\/new$/, /^\? out\/B$/);
      repo.write('Out/deep/C', '');
      check();
      repo.git('sparse-checkout', 'disable');
      check();
    },
    { config, delegates: 'maybe' },
  );

  conformanceCase('it is turned on and off', ({ repo, check }) => {
    repo.write('File', '');
    repo.write('.gitignore', 'X\n');
    repo.commit();
    repo.write('file', '');
    repo.write('x', '');
    check(/^\? file$/, /^\? x$/);
    repo.config('core.ignoreCase', 'true');
    check(/^! x$/);
    repo.config('core.ignoreCase', 'false');
    check(/^\? file$/, /^\? x$/);
  });
});
