/** Attributes and conversion: a file whose bytes differ may be clean. */
import { utf8 } from '../../support/bytes';
import { conformanceCase } from '../case';

describe('content as git would hash it', () => {
  for (const value of ['true', 'input', 'false']) {
    conformanceCase(`core.autocrlf=${value}`, ({ repo, check }) => {
      repo.write('lf', 'one\ntwo\n');
      repo.write('crlf', 'one\r\ntwo\r\n');
      repo.commit();
      repo.config('core.autocrlf', value);
      repo.write('lf', 'one\r\ntwo\r\n');
      repo.touch('lf', { seconds: 1_600_000_000 });
      repo.touch('crlf', { seconds: 1_600_000_000 });
      repo.write('mixed', 'one\r\ntwo\n');
      check();
      repo.git('add', '-A');
      check();
      repo.write('mixed', 'one\r\ntwo\r\n');
      check();
    });
  }

  const attributes = [
    '* text',
    '* text=auto',
    '* text=auto eol=crlf',
    '* eol=lf',
    '* eol=crlf',
    '* -text',
    '* binary',
    '* crlf=input',
  ];
  for (const attribute of attributes) {
    conformanceCase(`attribute ${attribute}`, ({ repo, check }) => {
      repo.write('lf', 'one\ntwo\n');
      repo.write('crlf', 'one\r\ntwo\r\n');
      repo.write('nul', 'one\r\n\0two\r\n');
      repo.commit();
      repo.write('.gitattributes', `${attribute}\n`);
      check();
      repo.write('lf', 'one\r\ntwo\r\n');
      repo.write('crlf', 'one\ntwo\n');
      for (const name of ['lf', 'crlf', 'nul']) repo.touch(name, { seconds: 1_600_000_000 });
      check();
      repo.git('add', '-A');
      check();
    });
  }

  conformanceCase('nested .gitattributes, macros and info/attributes', ({ repo, check }) => {
    repo.write('.gitattributes', '[attr]mine text eol=lf\n*.m mine\n*.b binary\n');
    repo.write('d/.gitattributes', '*.m -mine -text\n');
    for (const path of ['a.m', 'd/a.m', 'a.b', 'a.c']) repo.write(path, 'one\ntwo\n');
    repo.commit();
    for (const path of ['a.m', 'd/a.m', 'a.b', 'a.c']) repo.write(path, 'one\r\ntwo\r\n');
    check(/^1 \.M .* d\/a\.m$/, /^1 \.M .* a\.c$/);
    repo.write('.git/info/attributes', '*.c text\n');
    repo.touch('a.c', { seconds: 1_600_000_000 });
    check();
  });

  conformanceCase('.gitattributes read from the index where it is gone', ({ repo, check }) => {
    repo.write('.gitattributes', '* text eol=lf\n');
    repo.write('a', 'one\n');
    repo.commit();
    repo.remove('.gitattributes');
    repo.write('a', 'one\r\n');
    check(/^1 \.D .* \.gitattributes$/);
  });

  for (let set = 1; set < 8; set++) {
    const stages = [1, 2, 3].filter((stage) => set & (1 << (stage - 1)));
    conformanceCase(`.gitattributes read from stages ${stages.join(', ')}`, ({ repo, check }) => {
      repo.write('a', 'one\n');
      repo.write('b', 'two\n');
      repo.commit();
      repo.write('a', 'one\r\n');
      repo.write('b', 'two\r\n');
      check();
      const lines = stages.map((stage) => {
        const rules = ['* text eol=lf\n', 'a text eol=lf\n', 'b text eol=lf\n'].at(stage - 1);
        const blob = repo.gitWithInput(rules, 'hash-object', '-w', '--stdin').stdout.toString().trim();
        return `100644 ${blob} ${stage}\t.gitattributes\n`;
      });
      repo.gitWithInput(lines.join(''), 'update-index', '--index-info');
      check(set & 2 ? /^1 \.M .* b$/ : /^1 \.M .* a$/);
    });
  }

  conformanceCase('ident', ({ repo, check }) => {
    repo.write('.gitattributes', 'a ident\n');
    repo.write('a', '$Id$\nrest\n');
    repo.commit();
    repo.write('a', '$Id: 0123456789012345678901234567890123456789 $\nrest\n');
    check();
    repo.write('a', '$Id: with spaces $\nrest $Id\n');
    check(/^1 \.M .* a$/);
  });

  conformanceCase(
    'working-tree-encoding',
    ({ repo, check }) => {
      const utf16 = (text: string): string => Buffer.from(`\ufeff${text}`, 'utf16le').toString('latin1');
      repo.write('.gitattributes', 'a working-tree-encoding=UTF-16\nb working-tree-encoding=ISO-8859-1\n');
      repo.write('a', utf16('grüße\n'));
      repo.write('b', 'gr\xfc\xdfe\n');
      repo.commit();
      check();
      repo.write('a', utf16('gruesse\n'));
      repo.write('b', utf8('grüße\n'));
      check(/^1 \.M .* a$/);
    },
    { delegates: 'maybe' },
  );

  conformanceCase(
    'an external clean filter',
    ({ repo, check }) => {
      repo.config('filter.upper.clean', 'tr a-z A-Z');
      repo.write('.gitattributes', '*.up filter=upper\n');
      repo.write('a.up', 'text\n');
      repo.write('b', 'text\n');
      repo.commit();
      check();
      repo.write('a.up', 'TEXT\n');
      check();
      repo.write('a.up', 'other\n');
      check(/^1 \.M .* a\.up$/);
    },
    { delegates: 'maybe' },
  );

  conformanceCase(
    'a filter whose program is edited, without an edit of the file',
    ({ repo, sandbox, check }) => {
      const script = (path: string, letters: string): void => {
        repo.write(path, `#!/bin/sh\nexec tr a-z ${letters}\n`);
        repo.chmod(path, 0o755);
      };
      script('../outside.sh', 'A-Z');
      repo.write('tools/clean.sh', '#!/bin/sh\nexec tr a-z A-Z\n');
      repo.write('../calls.sh', `#!/bin/sh\nexec ${sandbox.path('outside.sh')}\n`);
      repo.chmod('../calls.sh', 0o755);
      repo.config('filter.script.clean', sandbox.path('outside.sh'));
      repo.config('filter.argument.clean', 'sh tools/clean.sh %f');
      repo.config('filter.calls.clean', sandbox.path('calls.sh'));
      repo.write('.gitattributes', '*.s filter=script\n*.a filter=argument\n*.c filter=calls\n');
      for (const name of ['x.s', 'x.a', 'x.c']) repo.write(name, 'text\n');
      repo.commit();
      for (const name of ['x.s', 'x.a', 'x.c']) repo.touch(name, { seconds: 1_500_000_000 });
      check();
      script('../outside.sh', 'B-ZA');
      check(/^1 \.M .* x\.s$/, /^1 \.M .* x\.c$/);
      script('../outside.sh', 'A-Z');
      check();
      script('../new.sh', 'B-ZA');
      repo.rename('../new.sh', '../outside.sh');
      check(/^1 \.M .* x\.s$/, /^1 \.M .* x\.c$/);
      script('../outside.sh', 'A-Z');
      repo.write('tools/clean.sh', '#!/bin/sh\nexec tr a-z B-ZA\n');
      check(/^1 \.M .* x\.a$/);
      repo.write('tools/clean.sh', '#!/bin/sh\nexec tr a-z A-Z\n');
      check();
    },
    { delegates: 'maybe' },
  );

  conformanceCase(
    'a filter that is missing, required or not',
    ({ repo, check }) => {
      repo.write('.gitattributes', '*.up filter=nothing\n*.no filter=broken\n');
      repo.write('a.up', 'text\n');
      repo.write('a.no', 'text\n');
      repo.commit();
      repo.write('a.up', 'TEXT\n');
      check(/^1 \.M .* a\.up$/);
      repo.config('filter.broken.clean', 'false');
      repo.write('a.no', 'Text\n');
      check();
    },
    { delegates: 'maybe' },
  );

  conformanceCase('core.fileMode=false and core.symlinks=false', ({ repo, check }) => {
    repo.write('a', 'one\n');
    repo.write('tool', 'two\n');
    repo.chmod('tool', 0o755);
    repo.symlink('a', 'link');
    repo.commit();
    repo.config('core.fileMode', 'false');
    repo.chmod('a', 0o755);
    repo.chmod('tool', 0o644);
    check();
    repo.write('a', 'changed\n');
    check(/^1 \.M N\.\.\. 100644 100644 100644 .* a$/);
    repo.config('core.symlinks', 'false');
    repo.remove('link');
    repo.write('link', 'a');
    check();
  });

  conformanceCase('large files, and files that are empty in the index', ({ repo, check }) => {
    repo.write('large', 'x'.repeat(3_000_000));
    repo.write('empty', '');
    repo.commit();
    check();
    repo.write('large', 'x'.repeat(2_999_999) + 'y');
    repo.write('empty', 'full');
    check(/^1 \.M .* large$/, /^1 \.M .* empty$/);
    repo.truncate('large', 0);
    repo.truncate('empty', 0);
    check(/^1 \.M .* large$/);
  });
});
