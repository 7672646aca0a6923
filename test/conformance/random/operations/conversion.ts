/** Attributes, and git's conversion of content on its way into the object database. */
import { join } from 'node:path';
import { type Bytes } from '../../../support/bytes';
import { attributesFile } from '../names';
import type { World } from '../world';
import { type Operation, oneOf, type Variant } from './operation';

/** Appends a rule to the worktree's attributes; false if the path is not a file. */
function addRule({ repo }: World, rule: Bytes): boolean {
  const kind = repo.kind('.gitattributes');
  if (kind !== 'file' && kind !== 'none') return false;
  repo.append('.gitattributes', `${rule}\n`);
  return true;
}

/**
 * Commits a file under a rule, then changes its bytes on disk. git may convert these bytes to the same
 * content.
 */
function converted(kind: string, name: string, rule: Bytes, before: Bytes, after: readonly Bytes[]): Variant {
  return {
    kind,
    run: (world) => {
      const { repo, prng } = world;
      if (repo.exists(name) && repo.kind(name) !== 'file') return false;
      if (!addRule(world, rule)) return false;
      repo.write(name, before);
      repo.tryGit('add', '-f', '--', name, '.gitattributes');
      if (prng.chance(70)) repo.tryGit('commit', '-q', '-m', 'under a rule');
      if (repo.kind(name) === 'file' && prng.chance(80)) repo.write(name, prng.pick(after));
      return true;
    },
  };
}

function utf16(text: string, bom: boolean, bigEndian: boolean): Bytes {
  const units = Buffer.from((bom ? '\ufeff' : '') + text, 'utf16le');
  return (bigEndian ? units.swap16() : units).toString('latin1');
}

const conversions: readonly Variant[] = [
  converted('attribute text', 'text.txt', 'text.txt text', 'one\ntwo\n', [
    'one\r\ntwo\r\n',
    'one\r\ntwo\n',
    'one\n',
  ]),
  converted('attribute text=auto', 'auto.txt', 'auto.txt text=auto', 'one\ntwo\n', [
    'one\r\ntwo\r\n',
    'one\rtwo\n',
    'one\r\ntwo\0\r\n',
  ]),
  converted('attribute text=auto on CRLF in the index', 'crlf.txt', 'other text=auto', 'one\r\ntwo\r\n', [
    'one\ntwo\n',
    'one\r\ntwo\r\nthree\r\n',
  ]),
  converted('attribute eol=crlf', 'eol.txt', 'eol.txt eol=crlf', 'one\r\ntwo\r\n', ['one\ntwo\n', 'one\r\n']),
  converted('attribute eol=lf', 'lf.txt', 'lf.txt eol=lf', 'one\ntwo\n', ['one\r\ntwo\r\n', 'one\n']),
  converted('attribute -text', 'raw.txt', 'raw.txt -text', 'one\ntwo\n', ['one\r\ntwo\r\n']),
  converted('attribute ident', 'ident.c', 'ident.c ident', '$Id$\ncode\n', [
    '$Id: 0123456789 $\ncode\n',
    '$Id: not closed\ncode\n',
    '$Id: two words $\ncode\n',
    '$Id$ $Id: x $\ncode\n',
  ]),
  converted(
    'attribute working-tree-encoding',
    'wide.txt',
    'wide.txt text working-tree-encoding=UTF-16',
    utf16('wide\nlines\n', true, false),
    [
      utf16('wide\nlines\n', true, true),
      utf16('wide\r\nlines\r\n', true, false),
      utf16('other\n', true, false),
    ],
  ),
  converted(
    'attribute working-tree-encoding=UTF-16LE-BOM',
    'bom.txt',
    'bom.txt text working-tree-encoding=UTF-16LE-BOM',
    utf16('wide\n', true, false),
    [utf16('wide\r\n', true, false), utf16('other\n', true, false)],
  ),
  converted(
    'attribute working-tree-encoding of 8 bits',
    'eight.txt',
    'eight.txt working-tree-encoding=ISO-8859-1',
    'caf\xe9\n',
    ['caf\xe8\n', 'cafe\n'],
  ),
  converted('attribute by a macro', 'macro.txt', '[attr]ours text eol=lf\nmacro.txt ours', 'one\n', [
    'one\r\n',
    'two\n',
  ]),
  converted('attribute binary', 'image.bin', 'image.bin binary', 'one\n', ['one\r\n']),
];

/** A filter with these programs; "" means no program. */
function filtered(kind: string, clean: string, required: boolean, after: readonly Bytes[]): Variant {
  const name = kind.replaceAll(/\W+/g, '-');
  const conversion = converted(kind, `${name}.txt`, `${name}.txt filter=${name}`, 'some words\n', after);
  return {
    kind,
    run: (world) => {
      if (clean !== '') world.repo.tryGit('config', `filter.${name}.clean`, clean);
      if (required) world.repo.tryGit('config', `filter.${name}.required`, 'true');
      return conversion.run(world);
    },
  };
}

const upperCase = 'tr a-z A-Z';

const processFilter = join(__dirname, '..', 'process-filter.mjs');

const filters: readonly Variant[] = [
  {
    kind: 'process filter',
    run: (world) => {
      world.repo.tryGit('config', 'filter.process-filter.process', `node '${processFilter}'`);
      return filtered('process filter', '', false, ['SOME words\n', 'other words\n']).run(world);
    },
  },
  filtered('clean filter', upperCase, false, ['SOME words\n', 'other words\n']),
  filtered('clean filter, required', upperCase, true, ['SOME words\n', 'other words\n']),
  filtered('clean filter that is missing', 'no-such-program-here', false, ['SOME words\n', 'some words\n']),
  filtered('filter without a program', '', false, ['SOME words\n', 'some words\n']),
  filtered('clean filter that fails', 'false', false, ['SOME words\n', 'some words\n']),
  {
    kind: 'clean filter, required, that goes missing',
    run: (world) => {
      const { repo } = world;
      const way = filtered('gone', upperCase, true, ['SOME words\n', 'other words\n']);
      if (way.run(world) === false) return false;
      repo.tryGit('config', '--unset-all', 'filter.gone.clean');
      return true;
    },
  },
];

const places: readonly Variant[] = [
  {
    kind: 'attributes from the index',
    run: ({ repo }) => {
      if (repo.kind('.gitattributes') !== 'file') return false;
      if (repo.tryGit('add', '-f', '.gitattributes').code !== 0) return false;
      repo.remove('.gitattributes');
      return true;
    },
  },
  {
    kind: 'attributes of a directory',
    run: (world) => {
      const { repo, prng } = world;
      const path = `${world.directoryPrefix()}.gitattributes`;
      if (!world.creatable(path) || !['file', 'none'].includes(repo.kind(path))) return false;
      repo.write(path, attributesFile(prng));
      if (prng.chance(60)) repo.tryGit('add', '-f', '--sparse', '--', path);
      return true;
    },
  },
  {
    kind: "attributes from a conflict's sides",
    run: ({ repo, prng }) => {
      const isFile = repo.kind('.gitattributes') === 'file';
      if (!isFile && repo.kind('.gitattributes') !== 'none') return false;
      const sides = [1, 2, 3]
        .filter(() => prng.chance(70))
        .map((stage) => {
          const blob = repo.gitWithInput(attributesFile(prng), 'hash-object', '-w', '--stdin');
          return { stage, blob: blob.stdout.toString().trim() };
        });
      if (sides[0] === undefined || sides.some(({ blob }) => blob === '')) return false;
      const lines = sides.map(({ stage, blob }) => `100644 ${blob} ${stage}\t.gitattributes\n`);
      const before = `0 ${'0'.repeat(sides[0].blob.length)}\t.gitattributes\n`;
      if (repo.gitWithInput(before + lines.join(''), 'update-index', '--index-info').code !== 0) return false;
      if (isFile) repo.remove('.gitattributes');
      return true;
    },
  },
  {
    kind: 'core.attributesFile',
    run: ({ repo, prng }) => {
      repo.write('../global-attributes', attributesFile(prng));
      repo.tryGit('config', 'core.attributesFile', `${repo.root}/../global-attributes`);
    },
  },
  {
    kind: 'the default attributes file',
    run: ({ repo, prng }) => {
      repo.write('../home/.config/git/attributes', attributesFile(prng));
      return true;
    },
  },
  {
    kind: '.gitattributes a symlink',
    run: ({ repo }) => {
      if (!['file', 'none'].includes(repo.kind('.gitattributes'))) return false;
      if (repo.exists('.gitattributes')) repo.remove('.gitattributes');
      repo.write('../linked-attributes', '* text eol=crlf\n');
      repo.symlink('../linked-attributes', '.gitattributes');
      return true;
    },
  },
  {
    kind: '.gitattributes a directory',
    run: (world) => {
      const path = `${world.directoryPrefix()}.gitattributes`;
      if (!world.creatable(path) || world.repo.exists(path)) return false;
      world.repo.write(`${path}/a`, 'a\n');
      return true;
    },
  },
];

export const conversionOperations: Operation[] = [
  oneOf('convert', 7, conversions),
  oneOf('filter', 2, filters),
  oneOf('attributes elsewhere', 3, places),
];
