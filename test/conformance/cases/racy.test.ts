/** Changes that stat data alone does not show. git compares whole seconds: no exact timing is needed. */
import { conformanceCase } from '../case';

const longAgo = 1_500_000_000;

describe('racily clean entries and stat data', () => {
  conformanceCase('written with the same size right after the index', ({ repo, check }) => {
    for (let i = 0; i < 5; i++) {
      repo.write('a', `one ${i}\n`);
      repo.commit();
      repo.write('a', `two ${i}\n`);
      check(/^1 \.M .* a$/);
    }
  });

  conformanceCase("modified in the index's second, seen after git refreshed the index", ({ repo, check }) => {
    repo.write('a', 'one\n');
    repo.write('b', 'one\n');
    repo.commit();
    repo.write('a', 'two\n');
    repo.git('status');
    check(/^1 \.M .* a$/);
    repo.write('b', 'two\n');
    repo.tryGit('update-index', '-q', '--really-refresh');
    check(/^1 \.M .* b$/);
  });

  conformanceCase('touched, but the same', ({ repo, check }) => {
    repo.write('a', 'one\n');
    repo.commit();
    repo.touch('a', { seconds: longAgo });
    check();
    repo.git('status');
    check();
    repo.write('a', 'two\n');
    repo.touch('a', { seconds: longAgo });
    check();
  });

  conformanceCase(
    'an old time and core.trustctime=false hide a change of the same size',
    ({ repo, check }) => {
      repo.config('core.trustctime', 'false');
      repo.write('a', 'one\n');
      repo.touch('a', { seconds: longAgo });
      repo.commit();
      repo.write('a', 'two\n');
      repo.touch('a', { seconds: longAgo });
      check();
      repo.touch('a', { seconds: longAgo + 1 });
      check(/^1 \.M .* a$/);
    },
  );

  conformanceCase('times are compared in whole seconds', ({ repo, check }) => {
    repo.config('core.trustctime', 'false');
    repo.write('a', 'one\n');
    repo.touch('a', { seconds: longAgo + 0.25 });
    repo.commit();
    repo.write('a', 'two\n');
    repo.touch('a', { seconds: longAgo + 0.75 });
    check();
  });

  for (const [what, attributes, touched] of [
    ['what it resembles is what stands there', '', longAgo + 0.5],
    ['to the nanosecond, what it resembles is what stands there too', '', longAgo],
    ['what it resembles is what is stored, where git would convert it', '* text\n', longAgo + 0.5],
  ] as const) {
    conformanceCase(`a staged rename, written unseen: ${what}`, ({ repo, check }) => {
      const lines = (word: string): string =>
        Array.from({ length: 40 }, (_, i) => `${i < 30 ? 'line' : word} ${i}\n`).join('');
      repo.config('core.trustctime', 'false');
      repo.write('.gitattributes', attributes);
      repo.write('old', lines('line'));
      repo.commit();
      repo.remove('old');
      repo.write('new', lines('else'));
      repo.touch('new', { seconds: longAgo });
      repo.git('add', '-A');
      check(/^2 R\. .* R7\d new$/);
      repo.write('new', lines('line').replaceAll('line 2', 'thus 2'));
      repo.touch('new', { seconds: touched });
      check(/^2 R\. .*$/);
      repo.write('new', lines('line'));
      repo.touch('new', { seconds: touched });
      check(attributes ? /^2 R\. .* R7\d new$/ : /^2 R\. .* R100 new$/);
    });
  }

  conformanceCase('core.checkStat=minimal', ({ repo, check }) => {
    repo.config('core.checkStat', 'minimal');
    repo.config('core.trustctime', 'false');
    repo.write('a', 'one\n');
    repo.touch('a', { seconds: longAgo });
    repo.commit();
    repo.writeAtomically('a', 'two\n');
    repo.touch('a', { seconds: longAgo });
    check();
  });

  conformanceCase('an index with an mtime in the past and in the future', ({ repo, check }) => {
    repo.write('a', 'one\n');
    repo.commit();
    repo.touch('.git/index', { seconds: longAgo });
    repo.write('a', 'two\n');
    check(/^1 \.M .* a$/);
    // Whether git reads the content now depends on the second of the file's write.
    repo.touch('.git/index', { seconds: 4_000_000_000 });
    check();
  });

  conformanceCase('a file with an mtime in the future', ({ repo, check }) => {
    repo.write('a', 'one\n');
    repo.touch('a', { seconds: 4_000_000_000 });
    repo.commit();
    check();
    repo.write('a', 'two\n');
    repo.touch('a', { seconds: 4_000_000_000 });
    check(/^1 \.M .* a$/);
  });

  conformanceCase('a file saved by rename', ({ repo, check }) => {
    repo.write('a', 'one\n');
    repo.commit();
    repo.writeAtomically('a', 'one\n');
    check();
    repo.writeAtomically('a', 'two\n');
    check(/^1 \.M .* a$/);
  });

  conformanceCase('written through a hard link inside the worktree', ({ repo, check }) => {
    repo.write('a', 'one\n');
    repo.link('a', 'b');
    repo.commit();
    repo.append('b', 'two\n');
    check(/^1 \.M .* a$/, /^1 \.M .* b$/);
  });
});
