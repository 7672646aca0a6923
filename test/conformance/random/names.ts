/** Names and contents for generated files. Only a few of each, so that operations collide. */
import { type Bytes, utf8 } from '../../support/bytes';
import type { Prng } from './prng';

const plainNames = [
  'a',
  'b',
  'c',
  'main.c',
  'main.o',
  'x.txt',
  'README',
  'lib.h',
  'notes.tmp',
  'out.log',
  'A',
  'a.b',
];
const oddNames: Bytes[] = [
  'with space',
  'tab\there',
  'line\nbreak',
  'quote"d',
  "apo'strophe",
  'back\\slash',
  '\xff\xfe',
  'caf\xe9',
  utf8('ünï'),
  '-dash',
  '#hash',
  '!bang',
  'star*',
  '[set]',
  'trailing ',
  'long-'.repeat(40),
];
const directoryNames = ['d', 'src', 'build', 'deep', 'vendor', 'doc'];

/** A name with one component. */
export function fileName(prng: Prng): Bytes {
  return prng.chance(15) ? prng.pick(oddNames) : prng.pick(plainNames);
}

export function directoryName(prng: Prng): Bytes {
  return prng.chance(8) ? prng.pick(oddNames) : prng.pick(directoryNames);
}

/** Several lines, some shared with other files, so that git finds renames by similarity. */
export function content(prng: Prng): Bytes {
  const kind = prng.below(12);
  if (kind === 0) return '';
  if (kind === 1) return `bin\0ary ${prng.below(10)}\n`;
  if (kind === 10) return `$Id: ${prng.below(3)} $\none\r\ntwo\n`;
  if (kind === 11) return 'a line of more than sixty-four bytes '.repeat(2 + prng.below(40));
  const family = prng.below(4);
  const lines = Array.from({ length: 2 + prng.below(20) }, (_, i) => {
    return prng.chance(12) ? `line ${prng.below(1000)}` : `family ${family} line ${i}`;
  });
  const end = kind === 2 ? '\r\n' : '\n';
  return lines.join(end) + (prng.chance(85) ? end : '');
}

/** Different content of the same size. */
export function sameSize(prng: Prng, old: Bytes): Bytes {
  if (old.length === 0) return old;
  const at = prng.below(old.length);
  const other = old[at] === 'x' ? 'y' : 'x';
  return old.slice(0, at) + other + old.slice(at + 1);
}

/** The same lines with two exchanged; undefined if all lines are equal. */
export function otherOrder(old: Bytes): Bytes | undefined {
  const lines = old.split(/(?<=\n)/);
  const isWhole = (line: Bytes): boolean => line.endsWith('\n');
  const first = lines.findIndex(isWhole);
  const second = lines.findIndex((line) => isWhole(line) && line !== lines[first]);
  const [one, other] = [lines[first], lines[second]];
  if (one === undefined || other === undefined) return undefined;
  [lines[first], lines[second]] = [other, one];
  return lines.join('');
}

const patterns = [
  '*.o',
  '*.log',
  '*.tmp',
  'build/',
  '/build',
  '!main.o',
  '!build/',
  'd/*',
  'd/',
  '/d',
  '**/deep',
  'src/**',
  'doc/**/a',
  '!a',
  'a',
  '[ab]',
  '*',
  '!*/',
  '# comment',
  '',
  '\\#hash',
  '\\!bang',
  '*.?',
  'trailing\\ ',
  'src/*.c',
  '!/src/main.c',
  'trailing  ',
  'a\\ ',
  '\\a',
  'x\\',
  '[[:upper:]]',
  '[!a-c]',
  '[^x].txt',
  '[]-]',
  '[a',
  '**',
  '/**/x.txt',
  'd/**/',
  '**/*.o',
  '!d/',
  '*/',
  '/',
  '//',
  '!',
  './a',
  'd//a',
  'a/',
  'caf\xe9',
  '\xff*',
  'a.?',
  '*.*',
  'd/a',
  'src/../a',
  '/*',
  '!/*/',
  'tab\t*',
  ' a',
];

export function ignoreFile(prng: Prng): Bytes {
  const end = prng.chance(10) ? '\r\n' : '\n';
  const lines = Array.from({ length: 1 + prng.below(4) }, () => prng.pick(patterns));
  return (prng.chance(5) ? '\xef\xbb\xbf' : '') + lines.join(end) + (prng.chance(90) ? end : '');
}

const attributes = [
  '* text=auto',
  '*.c text',
  '*.txt text eol=crlf',
  '*.h text eol=lf',
  '*.o binary',
  'README ident',
  '*.txt -text',
  'src/* eol=crlf',
  '[attr]mine text eol=lf',
  '*.c mine',
  'x.txt text=auto eol=crlf',
  '*.log -diff -merge',
  '"x.txt" text',
  '*.c !text',
  '/d/* text',
  'd/ text',
  '!a text',
  '# a comment',
  '[attr]binary text',
  'a.* -text eol=lf',
  'README eol',
  '*.o text=sometimes',
  '*.h working-tree-encoding=UTF-8',
];

export function attributesFile(prng: Prng): Bytes {
  return Array.from({ length: 1 + prng.below(3) }, () => `${prng.pick(attributes)}\n`).join('');
}
