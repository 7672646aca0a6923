/** Paths are bytes. */
import { utf8 } from '../../support/bytes';
import { conformanceCase } from '../case';

const names: Record<string, string> = {
  'a newline': 'new\nline',
  'a quote': 'quo"te',
  'a tab': 'ta\tb',
  'a backslash': 'back\\slash',
  'a space at the end': 'space ',
  'UTF-8': utf8('grüße 漢字'),
  'bytes that are not UTF-8': 'in\xffva\xc3lid',
  'a lone surrogate in CESU-8': '\xed\xa0\x80',
  'a control byte': 'bell\x07\x01',
  'a leading dash': '-rf',
  'a colon': ':(top)x',
  'glob characters': '*[a]?',
  '255 bytes': 'n'.repeat(255),
};

describe('names', () => {
  for (const [title, name] of Object.entries(names)) {
    conformanceCase(`with ${title}`, ({ repo, check }) => {
      repo.write(`tracked/${name}`, 'one\ntwo\nthree\n');
      repo.write(name, '1\n');
      repo.commit();
      check();
      repo.append(name, 'changed\n');
      repo.rename(`tracked/${name}`, `moved ${name}`.slice(0, 255));
      repo.write(`dir ${name}`.slice(0, 255) + '/file', '');
      check(/^1 \.M /, /^1 \.D /, /^\? /);
      repo.git('add', '-A');
      check(/2 R\. /, /^1 M\. /);
      repo.write('.gitignore', `dir*\n`);
      check();
    });
  }

  conformanceCase('a path of nearly 4,096 bytes', ({ repo, check }) => {
    const deep = Array.from({ length: 15 }, (_, i) => String.fromCharCode(97 + i).repeat(240)).join('/');
    repo.write(`${deep}/file`, 'one\n');
    repo.commit();
    check();
    repo.write(`${deep}/file`, 'changed\n');
    repo.write(`${deep}/new`, '');
    check(/^1 \.M /, /^\? /);
  });
});
