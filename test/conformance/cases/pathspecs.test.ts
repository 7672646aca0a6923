/** Pathspecs: each list in all nine modes, from the root and from a subdirectory, by both sources. */
import type { CaseOptions } from '../case';
import { question } from '../questions';
import { checkLists, inNineModes, lists, pathspecCase, text } from './pathspecs';

/** Lists of pathspecs that begin in missing directories. */
const mayEndEarly = new Set([
  'ignored paths',
  'ignored directories on the way to where git begins',
  'nested repositories and symbolic links',
]);

describe('pathspecs', () => {
  for (const [title, pathspecs] of Object.entries(lists)) {
    // git may warn about a missing directory, and then answers itself.
    const options: CaseOptions = mayEndEarly.has(title) ? { delegates: 'maybe' } : {};
    pathspecCase(
      title,
      (context) => {
        checkLists(context, pathspecs);
        checkLists(context, pathspecs, 'sub');
      },
      options,
    );
  }

  pathspecCase('from an untracked directory', (context) => {
    const asked = [
      ['.'],
      ['*'],
      ['a.c'],
      ['..'],
      ['../sub'],
      [':/'],
      [':(icase)A.C'],
      [':!*.c'],
      ['z.c', 'b'],
    ];
    for (const directory of ['new', 'sub/fresh']) checkLists(context, asked, directory);
  });

  pathspecCase('absolute paths and ways up', (context) => {
    const { root } = context.repo;
    const absolute = [['/sub'], [''], ['/new/b/'], ['/sub/../new'], ['/*.c']].map(([path]) => [
      `${root}${path}`,
    ]);
    checkLists(context, [...absolute, [`:!${root}/sub`], [`${root}/a.c`, 'sub/one.c']]);
    checkLists(
      context,
      [['../a.c'], ['../new/b'], ['../sub/deep'], ['../*.c'], ['..'], ['deep/../../new'], [`${root}/new/`]],
      'sub',
    );
  });

  pathspecCase('every format', ({ checkAll }) => {
    const formats = [
      [],
      ['--long'],
      ['-s'],
      ['-sb'],
      ['-sz'],
      ['--porcelain'],
      ['--porcelain', '-z', '-b'],
      ['--porcelain=v2'],
    ];
    const asked = formats.flatMap((format) =>
      [['sub'], ['../new'], ['*.c'], [':/other', ':!:x'], ['.']].map((list) =>
        question(...format, '--', ...list),
      ),
    );
    checkAll(asked);
    checkAll(asked, 'sub');
    checkAll([question('-s', 'sub', '--ignored'), question('sub', '-s', '--no-renames', 'other')]);
  });

  pathspecCase('renames and copies as they are asked for', ({ repo, checkAll }) => {
    const ways = [['--no-renames'], ['--find-renames=100%'], ['-M30%'], []];
    const asked = ways.flatMap((way) =>
      [['sub'], ['other'], ['sub', 'other'], ['.', ':!sub/from.c'], ['*.c'], ['set1', 'sub/intended.c']].map(
        (list) => question('--porcelain=v2', '-z', ...way, '--', ...list),
      ),
    );
    checkAll(asked);
    repo.config('status.renames', 'copies');
    checkAll(asked);
    repo.config('status.renameLimit', '1');
    checkAll(asked);
  });

  const variables = [
    'GIT_LITERAL_PATHSPECS',
    'GIT_GLOB_PATHSPECS',
    'GIT_NOGLOB_PATHSPECS',
    'GIT_ICASE_PATHSPECS',
  ];
  pathspecCase('settings from the environment', ({ checkAll }) => {
    const asked = [
      ['star*'],
      ['*.C'],
      ['SUB'],
      [':(glob)sub/*'],
      [':(literal)star*'],
      [':!sub'],
      ['new/*'],
      ['NEW'],
    ];
    for (const [i, name] of variables.entries()) {
      for (const env of [
        { [name]: '1' },
        { [name]: 'off' },
        { [name]: '1', [variables[3 - i] ?? '']: 'true' },
      ]) {
        checkAll(asked.flatMap((list) => inNineModes(list, env).slice(4, 8)));
      }
    }
  });

  pathspecCase('while the worktree changes', (context) => {
    const { repo } = context;
    const asked = [['sub'], ['new/b'], ['new/'], ['ign/deep/'], ['*.c'], [':(attr:kind)'], ['gone.c', 'u.c']];
    const check = (): void => checkLists(context, asked);
    check();
    repo.write('new/b/late.c', '');
    repo.write('sub/fresh/late', '');
    repo.remove('ign/deep/g.c');
    check();
    repo.remove('new/b');
    repo.write('gone.c', text('gone.c'));
    repo.write('.gitattributes', '*.txt kind\nign kind\n');
    check();
    repo.git('add', 'new/a.c');
    repo.write('.gitignore', 'new\n*.c\n');
    check();
    repo.write('sub/fresh/.gitattributes', '* kind\n');
    repo.git('reset', '-q');
    check();
  });

  pathspecCase('while the directory of what only HEAD has cannot be seen', (context) => {
    const { repo } = context;
    repo.git('rm', '-q', '-r', 'sub/gone');
    const asked = [[':(attr:kind)a'], [':(attr:!kind)a']];
    checkLists(context, asked);
    repo.symlink('gone', 'sub/gone');
    checkLists(context, asked);
    repo.git('add', 'sub/gone');
    checkLists(context, asked);
  });

  pathspecCase('while attributes change where all is ignored', (context) => {
    const { repo } = context;
    const asked = [[':(attr:kind)ign'], [':(attr:!kind)ign'], ['ign', ':(exclude,attr:kind)ign']];
    const check = (): void => checkLists(context, asked);
    check();
    repo.write('ign/deep/.gitattributes', '* kind\n');
    check();
    repo.write('ign/.gitattributes', '* kind\n[attr]mine text\n');
    repo.write('ign/deep/.gitattributes', '* -kind\n');
    check();
    for (const name of ['ign/.gitattributes', 'ign/deep/.gitattributes']) repo.remove(name);
    check();
  });
});
