/** Renames and copies between HEAD and index. */
import { conformanceCase } from '../case';
import { nineModes, question } from '../questions';

function lines(from: number, to: number): string {
  return Array.from({ length: to - from }, (_, i) => `line number ${from + i}\n`).join('');
}

describe('renames', () => {
  conformanceCase('exact, in the index', ({ repo, check }) => {
    repo.write('old', lines(0, 20));
    repo.commit();
    repo.git('mv', 'old', 'new');
    check(/^2 R\. .* R100 new/m);
    repo.append('new', 'edited after\n');
    check(/2 RM .* R100 new/);
    repo.remove('new');
    check(/2 RD /);
  });

  conformanceCase('inexact, at many similarities', ({ repo, check }) => {
    for (let i = 1; i <= 9; i++) repo.write(`old${i}`, lines(i * 1000, i * 1000 + 40));
    repo.commit();
    for (let i = 1; i <= 9; i++) {
      repo.git('mv', `old${i}`, `new${i}`);
      repo.write(`new${i}`, lines(i * 1000 + i * 4, i * 1000 + 40) + lines(i * 77, i * 77 + i * 3));
    }
    repo.git('add', '-A');
    check(/2 R\. .* R[5-9]\d new/, /^1 A\. /, /^1 D\. /);
  });

  conformanceCase('of files that end without a newline', ({ repo, check }) => {
    const shapes = [
      ['x'.repeat(40), 'x'.repeat(40) + '\n'],
      [lines(0, 3) + 'y'.repeat(60), lines(0, 3) + 'y'.repeat(60) + '\n' + lines(7, 8)],
      [lines(10, 13) + 'z'.repeat(50), lines(10, 12) + 'z'.repeat(50)],
      ['no line end at all', 'no line end at all!'],
      [lines(20, 22) + 'w'.repeat(130), lines(20, 22) + 'w'.repeat(129)],
    ] as const;
    for (const [i, [before]] of shapes.entries()) repo.write(`old${i}`, before);
    repo.commit();
    for (const [i, [, after]] of shapes.entries()) {
      repo.remove(`old${i}`);
      repo.write(`new${i}`, after);
    }
    repo.git('add', '-A');
    check(/2 R\. .* R\d\d new/);
  });

  conformanceCase('by basename, by best match, several candidates', ({ repo, check }) => {
    repo.write('d/name', lines(0, 30));
    repo.write('d/other', lines(0, 30) + 'x\n');
    repo.write('same1', lines(50, 60));
    repo.write('same2', lines(50, 60));
    repo.commit();
    repo.mkdir('e');
    repo.git('mv', 'd/name', 'e/name');
    repo.git('mv', 'd/other', 'e/elsewhere');
    repo.git('mv', 'same1', 'zz1');
    repo.git('mv', 'same2', 'aa2');
    repo.append('e/name', 'more\n');
    repo.git('add', '-A');
    check(/2 R\. .* e\/name\0d\/name/, /2 R\. .* R100 zz1|2 R\. .* R100 aa2/);
  });

  conformanceCase('empty files are not renamed, nor files to symlinks', ({ repo, check }) => {
    repo.write('empty', '');
    repo.write('target', 'a long enough target');
    repo.commit();
    repo.git('mv', 'empty', 'void');
    repo.remove('target');
    repo.symlink('a long enough target', 'link');
    repo.git('add', '-A');
    check();
  });

  conformanceCase('of a symlink and of an executable', ({ repo, check }) => {
    repo.symlink('some target', 'link');
    repo.write('tool', lines(0, 10));
    repo.chmod('tool', 0o755);
    repo.commit();
    repo.git('mv', 'link', 'link2');
    repo.git('mv', 'tool', 'tool2');
    repo.chmod('tool2', 0o644);
    repo.git('add', '-A');
    check(/2 R\. N\.\.\. 120000/, /2 R\. N\.\.\. 100755 100644/);
  });

  for (const [name, value] of [
    ['status.renames', 'false'],
    ['status.renames', 'copies'],
    ['diff.renames', 'false'],
    ['diff.renames', 'copies'],
    ['diff.renameLimit', '1'],
  ] as const) {
    conformanceCase(`with ${name}=${value}`, ({ repo, check }) => {
      repo.config(name, value);
      for (const file of ['old', 'source', 'other']) repo.write(file, `${file}\n${lines(0, 30)}`);
      repo.commit();
      repo.git('mv', 'old', 'new');
      repo.git('mv', 'other', 'elsewhere');
      repo.append('elsewhere', 'inexact\n');
      repo.write('copy', repo.read('source'));
      repo.append('source', 'changed\n');
      repo.git('add', '-A');
      check();
    });
  }

  conformanceCase('binary content and lines without ends', ({ repo, check }) => {
    const blob = Array.from({ length: 4000 }, (_, i) => String.fromCharCode((i * 7919) % 256)).join('');
    repo.write('binary', blob);
    repo.write('endless', 'x'.repeat(5000));
    repo.write('crlf', lines(0, 30).replaceAll('\n', '\r\n'));
    repo.commit();
    for (const name of ['binary', 'endless', 'crlf']) repo.git('mv', name, `${name}2`);
    repo.write('binary2', blob.slice(300) + 'appended');
    repo.append('endless2', 'y'.repeat(700));
    repo.write('crlf2', lines(0, 30));
    repo.git('add', '-A');
    check(/2 R\. /);
  });

  conformanceCase('--no-renames and --find-renames', ({ repo, checkAll }) => {
    repo.write('old', lines(0, 40));
    repo.commit();
    repo.git('mv', 'old', 'new');
    repo.write('new', lines(12, 40));
    repo.git('add', '-A');
    const options = [
      '--no-renames',
      '--renames',
      '--find-renames',
      '--find-renames=50',
      '--find-renames=90%',
    ];
    const more = ['--find-renames=0.3', '--find-renames=100%', '-M70', '--no-renames --find-renames=20%'];
    checkAll([...options, ...more].map((words) => question('--porcelain=v2', '-z', ...words.split(' '))));
    checkAll(nineModes);
  });
});
