/** Config values about abilities of the file system, and extreme file times. */
import { atLeast } from '../../support/oracle';
import { conformanceCase } from '../case';

const longAgo = 1_500_000_000;

describe('core.* settings of the file system', () => {
  conformanceCase('core.precomposeUnicode means nothing here', ({ repo, check }) => {
    for (const name of ['e\u0301', '\u00e9']) repo.write(Buffer.from(name).toString('latin1'), `${name}\n`);
    repo.commit();
    repo.config('core.precomposeUnicode', 'true');
    check();
    repo.write(Buffer.from('o\u0308').toString('latin1'), '');
    repo.write(Buffer.from('\u00e9').toString('latin1'), 'changed\n');
    check(/^1 \.M /, /^\? /);
    repo.config('core.precomposeUnicode', 'false');
    check(/^1 \.M /, /^\? /);
  });

  // An older git differs in the mode of the added entry.
  conformanceCase(
    'core.fileMode=false: of an entry, an addition and a conflict',
    ({ repo, check }) => {
      repo.write('plain', 'a\n');
      repo.write('run', 'b\n');
      repo.chmod('run', 0o755);
      repo.commit();
      repo.config('core.fileMode', 'false');
      repo.chmod('plain', 0o755);
      repo.chmod('run', 0o644);
      check();
      repo.write('plain', 'changed\n');
      repo.write('run', 'changed\n');
      check(/^1 \.M .* plain$/, /^1 \.M .* run$/);
      repo.write('new', '');
      repo.chmod('new', 0o755);
      repo.git('add', '-N', 'new');
      check(/^1 \.A .* new$/);
      repo.config('core.fileMode', 'true');
      check(/^1 \.M .* 100755 .* plain$/);
    },
    { delegates: atLeast(2, 29) ? 'never' : 'maybe' },
  );

  conformanceCase('core.symlinks=false: a file in the place of a link is one', ({ repo, check }) => {
    repo.symlink('target', 'link');
    repo.write('file', 'a\n');
    repo.commit();
    repo.config('core.symlinks', 'false');
    check();
    repo.remove('link');
    repo.write('link', 'target');
    check();
    repo.write('link', 'elsewhere');
    check(/^1 \.M .* 120000 120000 120000 .* link$/);
    repo.remove('file');
    repo.symlink('a', 'file');
    check();
    repo.config('core.symlinks', 'true');
    check(/^1 \.T .* link$/);
  });

  conformanceCase('core.trustctime: a change that leaves size and time', ({ repo, check }) => {
    repo.write('a', 'one\n');
    repo.touch('a', { seconds: longAgo });
    repo.commit();
    repo.touch('.git/index', { seconds: 4_000_000_000 });
    repo.write('a', 'two\n');
    repo.touch('a', { seconds: longAgo });
    check();
    repo.config('core.trustctime', 'false');
    check();
    repo.config('core.trustctime', 'true');
    check();
  });

  conformanceCase('core.checkStat=minimal passes over inode, owner and fractions', ({ repo, check }) => {
    repo.write('a', 'one\n');
    repo.touch('a', { seconds: longAgo + 0.5 });
    repo.commit();
    repo.config('core.checkStat', 'minimal');
    repo.config('core.trustctime', 'false');
    repo.writeAtomically('a', 'two\n');
    repo.touch('a', { seconds: longAgo });
    check();
    repo.config('core.checkStat', 'default');
    check(/^1 \.M .* a$/);
    repo.config('core.checkStat', 'minimal');
    repo.writeAtomically('a', 'three\n');
    check(/^1 \.M .* a$/);
  });
});

describe('times that no clock should show', () => {
  for (const [title, seconds] of [
    ['before 1970', -1_000_000],
    ['the first second', 0],
    ['beyond 31 bits', 2 ** 31 + 5],
    ['beyond 32 bits', 2 ** 32 + 7],
  ] as const) {
    conformanceCase(`of a file: ${title}`, ({ repo, check }) => {
      repo.write('a', 'one\n');
      repo.touch('a', { seconds });
      repo.commit();
      check();
      // Whether git reads a file of the same size depends on the current second.
      repo.write('a', 'longer than before\n');
      repo.touch('a', { seconds });
      check(/^1 \.M .* a$/);
      repo.git('status');
      check(/^1 \.M .* a$/);
    });

    conformanceCase(`of the index: ${title}`, ({ repo, check }) => {
      repo.write('a', 'one\n');
      repo.write('old', 'one\n');
      repo.touch('old', { seconds: longAgo });
      repo.commit();
      repo.touch('.git/index', { seconds });
      check();
      repo.write('old', 'longer than before\n');
      repo.touch('old', { seconds: longAgo });
      check(/^1 \.M .* old$/);
      repo.git('status');
      check(/^1 \.M .* old$/);
    });
  }

  conformanceCase('all files and the index at the same second, far in the future', ({ repo, check }) => {
    for (const path of ['a', 'b', 'd/c']) {
      repo.write(path, 'one\n');
      repo.touch(path, { seconds: 4_000_000_000 });
    }
    repo.commit();
    repo.touch('.git/index', { seconds: 4_000_000_000 });
    check();
    repo.write('b', 'two\n');
    repo.touch('b', { seconds: 4_000_000_000 });
    check(/^1 \.M .* b$/);
  });
});
