/** Pathspecs: each list of them in all nine modes, from the root and from below, by both sources. */
import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { fromBuffer } from '../../support/bytes';
import { Repository } from '../../support/repository';
import { type CaseContext, type CaseOptions, conformanceCase } from '../case';
import type { Source } from '../disagreement';
import { nineModes, question, type Question } from '../questions';

/** Many lines, so that a copy of them is found by similarity. */
const text = (name: string): string => Array.from({ length: 20 }, (_, i) => `${name} ${i}\n`).join('');

/** A worktree with something of each sort at several depths. */
function furnish({ repo }: Pick<CaseContext, 'repo'>): void {
  repo.write('.gitignore', '*.o\nign/\nbuild\n');
  repo.write('.gitattributes', '*.c lang=c kind\n*.h -kind\nsub/** area\n*.txt binary\nsub/keep.c !kind\n');
  for (const path of ['a.c', 'b.h', 'gone.c', 'notes.txt', 'Upper/Case.C', 'star*', 'set[1]/x', 'set1/x']) {
    repo.write(path, text(path));
  }
  for (const path of ['one.c', 'two.h', 'keep.c', 'from.c', 'deep/three.c', 'deep/four.txt', 'gone/x.c']) {
    repo.write(`sub/${path}`, text(path));
  }
  for (const path of ['other/x.c', 'other/moved.txt', 'other/copied.h', 'conflict', 'sub/conflict.c']) {
    repo.write(path, text(path));
  }
  repo.write('build/tracked', 'tracked though ignored\n');
  repo.git('add', '-A', '-f');
  repo.commit();
  conflict(repo);
  change(repo);
  addUntracked(repo);
}

function conflict(repo: Repository): void {
  repo.git('checkout', '-q', '-b', 'side');
  for (const path of ['conflict', 'sub/conflict.c']) repo.write(path, 'side\n');
  repo.git('rm', '-q', 'Upper/Case.C');
  repo.commit('side');
  repo.git('checkout', '-q', 'main');
  for (const path of ['conflict', 'sub/conflict.c', 'Upper/Case.C']) repo.write(path, 'main\n');
  repo.commit('main');
  repo.tryGit('merge', '-q', 'side');
}

function change(repo: Repository): void {
  for (const path of ['a.c', 'sub/one.c', 'sub/deep/four.txt', 'build/tracked']) repo.append(path, 'more\n');
  for (const path of ['b.h', 'sub/two.h']) {
    repo.append(path, 'staged\n');
    repo.git('add', path);
  }
  repo.remove('gone.c');
  repo.remove('sub/gone');
  repo.git('mv', 'sub/from.c', 'other/to.c');
  repo.git('mv', 'other/moved.txt', 'sub/moved.txt');
  repo.write('sub/like.h', `${text('other/copied.h')}more\n`);
  repo.append('other/copied.h', 'changed\n');
  repo.git('add', 'sub/like.h', 'other/copied.h');
  repo.write('sub/intended.c', text('set1/x'));
  repo.git('add', '-N', 'sub/intended.c');
  repo.remove('set1/x');
}

function addUntracked(repo: Repository): void {
  const files = [
    ...['u.c', 'sub/u.txt', 'new/a.c', 'new/b/c.c', 'new/b/d.txt', 'new/o.o', 'new/b/p.o', 'NEW/A.c'],
    ...['only/x.o', 'only/y/z.o', 'sub/fresh/z.c', 'sub/fresh/in/z.h', 'sub/w.o', 'sub/only/v.o'],
    ...['ign/f', 'ign/deep/g.c', 'build/out/x.c', 'sub/build/y.c', 'sub/ign/z', 'new/build/q', 'set2/y'],
    ...['mixed/ign/a', 'mixed/f.o', 'mixed/sub/f', 'new/.gitattributes', 'a-c', 'sub-a', 'gone/x', 'su/b'],
  ];
  for (const path of files) repo.write(path, path.endsWith('attributes') ? 'b kind\nb/* kind\n' : path);
  for (const path of ['empty', 'sub/empty/er', 'new/empty']) repo.mkdir(path);
  for (const path of ['nested', 'new/nested', 'ign/nested', 'sub/nested']) {
    repo.write(`${path}/file`, '');
    repo.at(path).git('init', '-q');
  }
  repo.symlink('sub', 'link');
  repo.symlink('nowhere', 'new/link');
}

const lists: Record<string, string[][]> = {
  'the directory itself and those around it': [
    ...[['.'], ['./'], [':/'], [':'], ['sub'], ['sub/'], ['sub/.'], ['sub//deep'], ['./sub/../a.c'], ['..']],
  ],
  'tracked paths': [
    ...[
      ['a.c'],
      ['a.c/'],
      ['sub/one.c'],
      ['one.c'],
      ['deep'],
      ['sub/deep/'],
      ['conflict'],
      ['sub/conflict.c'],
    ],
    ...[
      ['gone.c'],
      ['sub/gone'],
      ['gone/'],
      ['Upper'],
      ['build'],
      ['build/tracked'],
      ['nothing'],
      ['sub/no/x'],
    ],
  ],
  'both ends of a rename or copy, one of them, none': [
    ...[['other'], ['sub'], ['sub/from.c'], ['other/to.c'], ['sub/from.c', 'other/to.c'], ['sub', 'other']],
    ...[['sub/like.h'], ['sub/like.h', 'other/copied.h'], ['sub/intended.c', 'set1'], ['sub/intended.c']],
  ],
  'untracked directories': [
    ...[['new'], ['new/'], ['new/b'], ['new/b/'], ['new/b/c.c'], ['new/b/c.c/'], ['new/a.c'], ['new/no']],
    ...[['new', 'new/b/c.c'], ['new/b/c.c', 'new/a.c'], ['sub/fresh'], ['sub/fresh/'], ['sub/fresh/in']],
    ...[['fresh/in/'], ['empty'], ['empty/'], ['sub/empty/er'], ['su'], ['set2'], ['gone'], ['new/link']],
  ],
  'ignored paths': [
    ...[['ign'], ['ign/'], ['ign/f'], ['ign/deep'], ['ign/deep/'], ['ign/deep/g.c'], ['ign/no'], ['only']],
    ...[
      ['only/x.o'],
      ['only/y/'],
      ['only/y/z.o'],
      ['new/o.o'],
      ['new/build'],
      ['new/build/q'],
      ['build/out'],
    ],
    ...[
      ['build/out/x.c'],
      ['sub/ign/'],
      ['sub/build/y.c'],
      ['sub/w.o'],
      ['mixed'],
      ['mixed/ign'],
      ['mixed/sub'],
    ],
  ],
  'nested repositories and symbolic links': [
    ...[
      ['nested'],
      ['nested/'],
      ['nested/file'],
      ['nested/.git'],
      ['new/nested'],
      ['new/nested/file'],
      ['link'],
    ],
    ...[
      ['new/nested/'],
      ['ign/nested'],
      ['ign/nested/file'],
      ['sub/nested/'],
      ['nested/*'],
      ['link/'],
      ['.git'],
    ],
    ...[['link/one.c'], ['link/u.txt'], ['link/deep'], ['new/link/x'], ['.git/config'], ['sub/nested/f*']],
  ],
  globs: [
    ...[
      ['*'],
      ['*.c'],
      ['*.o'],
      ['**'],
      ['**/*.c'],
      ['s*'],
      ['s*/'],
      ['su?'],
      ['sub*'],
      ['new?'],
      ['ne*/c.c'],
    ],
    ...[
      ['new/*'],
      ['new/*.c'],
      ['new/b/*.txt'],
      ['*/b'],
      ['*/b/'],
      ['ign/*'],
      ['ign*'],
      ['ig?'],
      ['*f'],
      ['n*d'],
    ],
  ],
  'globs with brackets and backslashes': [
    ...[
      ['[a-b].?'],
      ['sub/[ot]*'],
      ['star*'],
      ['star\\*'],
      ['set[1]'],
      ['set[1]/x'],
      ['set\\[1]'],
      ['new/[!a]*'],
    ],
    ...[
      ['only/*'],
      ['only/?'],
      ['*/z*'],
      ['build/*'],
      ['mixed/*'],
      ['sub/f*/in'],
      ['sub/fresh/*.c'],
      ['em*'],
    ],
  ],
  'magic literal and glob': [
    ...[[':(literal)star*'], [':(literal)*.c'], [':(literal)set[1]'], [':(glob)*.c'], [':(glob)**/*.c']],
    ...[
      [':(glob)sub/*'],
      [':(glob)*'],
      [':(glob)new/*'],
      [':(glob)new/**'],
      [':(glob)**/b/*'],
      [':(glob)n*'],
    ],
    ...[[':(glob)new/**/c.c'], [':(glob)ign/**'], [':(glob)*/build'], [':(glob)sub/**/z.?'], [':(glob)ne?']],
  ],
  'magic icase and top': [
    ...[
      [':(icase)SUB'],
      [':(icase)new/a.c'],
      [':(icase)UPPER/*.c'],
      [':(icase)*.C'],
      [':(icase)NEW/B/'],
      [':/sub'],
    ],
    ...[
      [':(icase)ign/F'],
      [':(top)new'],
      [':/*.c'],
      [':(top,icase)SUB/DEEP'],
      [':(icase)one.C'],
      [':/./sub'],
    ],
    ...[[':(icase)fresh/Z.c'], [':(top,glob)*.c'], [':(icase,glob)N*/a.c'], [':(top)'], [':(icase)ONLY/x.o']],
  ],
  'magic exclude': [
    ...[
      [':!sub'],
      [':^*.c'],
      ['.', ':!*.c'],
      ['new', ':!new/b'],
      ['new', ':!new/b/c.c'],
      [':!new/b/d.txt'],
      [':!.'],
    ],
    ...[
      ['sub', ':(exclude)sub/fresh'],
      [':!ign'],
      [':!*.o'],
      ['ign', ':!ign/deep'],
      ['*', ':!new/*.c'],
      [':!'],
    ],
    ...[
      [':!only/x.o'],
      [':!only'],
      ['only', ':!only/y'],
      [':!nested'],
      ['*.c', ':(exclude,top)new', ':!ign'],
    ],
    ...[
      [':!new', 'new/b'],
      ['sub', 'other', ':!other/to.c'],
      [':(exclude,icase)SUB', ':/'],
      [':(exclude,glob)*'],
    ],
  ],
  'magic attr': [
    ...[
      [':(attr:kind)'],
      [':(attr:-kind)'],
      [':(attr:!kind)'],
      [':(attr:lang=c)'],
      [':(attr:kind lang=c)*.c'],
    ],
    ...[[':(attr:area)'], [':(attr:area)sub'], [':(attr:lang)'], [':(attr:binary)'], [':(attr:-text)sub']],
    ...[
      [':(attr:kind)new'],
      [':(attr:!kind)new'],
      [':(attr:kind)new/b'],
      [':(exclude,attr:kind)'],
      [':(attr: )'],
    ],
    ...[
      ['new', ':(exclude,attr:kind)'],
      [':(attr:lang=c,top,icase)SUB'],
      [':(attr:!area)ign'],
      [':(attr:lang=c)u.c'],
    ],
  ],
  'many at once': [
    ...[
      ['a.c', 'sub/one.c'],
      ['sub/deep', 'new/b', ':/ign'],
      ['new/b/c.c', ':(glob)new/*.c', '*.h'],
      ['a', 'b'],
    ],
    ...[
      ['new?', 'new/b/c.c'],
      ['ne*', 'new/b/c.c'],
      ['n*', ':(literal)new', 'new/nested/file'],
      ['only', 'only/x'],
    ],
    ...[
      ['mixed/f.o', 'mixed/sub'],
      ['sub', 'sub/fresh/in/z.h'],
      ['sub/fresh/', 'sub/u.txt'],
      ['-z', '--', 'a.c'],
    ],
  ],
};

function inNineModes(pathspecs: readonly string[], env?: Record<string, string>): Question[] {
  return nineModes.map(({ args }) => ({ ...question(...args, '--', ...pathspecs), ...(env && { env }) }));
}

/** Lists of pathspecs that begin in directories which are not there. */
const mayEndEarly = new Set(['ignored paths', 'nested repositories and symbolic links']);

function pathspecCase(title: string, ask: (context: CaseContext) => void, options?: CaseOptions): void {
  conformanceCase(
    title,
    (context) => {
      furnish(context);
      context.check(/^u UU /, /^u UD /, /^2 R\. /, /^1 \.D /, /^2 \.R /, /^! ign\/$/, /^\? new\/$/);
      ask(context);
    },
    options,
  );
}

/** The resident is asked each question, a scan, which costs more, three modes of each list in turn. */
function checkLists(
  { repo, subject }: CaseContext,
  pathspecs: readonly (readonly string[])[],
  directory = '.',
): void {
  const asked = pathspecs.flatMap((list, number) =>
    inNineModes(list).map((each, i) => {
      const sources: Source[] = i % 3 === number % 3 ? ['resident', 'scan'] : ['resident'];
      return { question: each, sources };
    }),
  );
  subject.compare(asked, `${repo.root}/${directory}`);
}

describe('pathspecs', () => {
  for (const [title, pathspecs] of Object.entries(lists)) {
    // git may warn of a way that ends early, and is then asked.
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
      [['../a.c'], ['../new/b'], ['../sub/deep'], ['../*.c'], ['../.'], ['deep/../../new'], [`${root}/new/`]],
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

  conformanceCase('an unborn branch', ({ repo, checkAll }) => {
    repo.write('a.c', '');
    repo.write('sub/b.c', '');
    repo.git('add', '-A');
    repo.write('sub/c.c', '');
    repo.write('sub/new/d.c', '');
    repo.git('add', '-N', 'sub/c.c');
    checkAll([['sub'], ['*.c'], [':!sub/b.c'], ['sub/new/'], ['x']].flatMap((list) => inNineModes(list)));
  });

  // Which git matches against whole sparse directories where it keeps them.
  conformanceCase(
    'a sparse index',
    (context) => {
      const { repo } = context;
      for (const path of ['in/a.c', 'out/b.c', 'out/deep/c.c', 'x.c']) repo.write(path, path);
      repo.commit();
      repo.write('out/b.c', 'another\n');
      repo.commit();
      repo.git('sparse-checkout', 'set', '--cone', '--sparse-index', 'in');
      repo.git('reset', '-q', '--soft', 'HEAD~1');
      context.check(/^1 M\. .* out\/b\.c$/);
      checkLists(context, [
        ['out'],
        ['out/'],
        ['*.c'],
        ['out/*.c'],
        ['in'],
        [':!out'],
        [':(attr:!x)out'],
        ['out/deep'],
      ]);
    },
    { delegates: 'maybe' },
  );

  conformanceCase(
    'a sparse checkout, of which the long format tells how much is there',
    ({ repo, checkAll }) => {
      for (const path of ['in/a.c', 'out/b.c', 'out/deep/c.c', 'x.c']) repo.write(path, path);
      repo.commit();
      repo.git('sparse-checkout', 'set', '--cone', 'in');
      repo.write('out/b.c', 'present though outside\n');
      checkAll([['in'], ['out'], ['x.c'], ['*.c'], [':!out']].map((list) => question('--', ...list)));
    },
  );

  const libraryCase = (title: string, body: (context: CaseContext) => void): void =>
    conformanceCase(
      title,
      (context) => {
        const library = Repository.init(context.sandbox, 'library');
        library.write('file', '');
        library.commit();
        for (const path of ['module', 'sub/module']) {
          context.repo.git('submodule', '--quiet', 'add', '../library', path);
        }
        context.repo.commit();
        body(context);
      },
      { delegates: 'maybe' },
    );

  libraryCase('submodules, by their name and by something in them', (context) => {
    const { repo, check, checkAll } = context;
    const asked = [
      ['module'],
      ['module/'],
      ['module/file'],
      ['module/*'],
      ['mod*'],
      ['sub'],
      ['sub/module/'],
    ];
    const more = [[':(icase)MODULE/'], [':!module'], [':!module/'], ['.gitmodules'], ['*e'], ['module/.git']];
    const checkEach = (): void => checkLists(context, [...asked, ...more]);
    checkEach();
    repo.write('module/new', '');
    repo.write('sub/module/file', 'changed\n');
    repo.at('module').git('commit', '-q', '--allow-empty', '-m', 'more');
    check(/^1 \.M SC\.U .* module$/, /^1 \.M S\.M\. .* sub\/module$/);
    checkEach();
    repo.git('add', 'module');
    checkEach();
    checkAll([question('--porcelain=v2', '--ignore-submodules=all', '--', 'module', 'sub')]);
  });

  libraryCase('what lies outside does not fail the answer', ({ repo, checkAll }) => {
    repo.write('sub/new', '');
    repo.write('.git/modules/module/index', 'no index\n');
    assert.notEqual(repo.ask('status').code, 0, 'git answers: the case does not reach its state');
    checkAll([['sub'], ['.gitmodules', 'sub/new']].flatMap((list) => inNineModes(list)));
    checkAll([question('--porcelain=v2', '--', 'module')]);
  });

  conformanceCase(
    'what is handed to git goes whole',
    (context) => {
      furnish(context);
      const { repo, sandbox, subject } = context;
      repo.symlink('.', '../way');
      const handed = [
        ...[
          ['a.c', ''],
          ['..'],
          ['../..', 'a.c'],
          ['/'],
          [`${sandbox.root}/way/sub`],
          [':(prefix:0)sub'],
          [':(nope)a'],
        ],
        ...[
          ['a.c', ':(top'],
          [':(glob,literal)a'],
          [':%a', 'sub'],
          [':(attr:)'],
          [':(attr:-)'],
          [':(attr:a=.)'],
        ],
        ...[[':(attr:a,attr:b)'], [':(attr:a=\\)'], [':(attr:a b/)', 'sub']],
      ];
      for (const source of ['scan', 'resident'] as const) {
        for (const pathspecs of handed) {
          const asked = question('--porcelain=v2', '-uall', '--ignored', '--', ...pathspecs);
          const before = readFileSync(sandbox.spyLog).length;
          subject.compare([{ question: asked, sources: [source] }]);
          const calls = fromBuffer(readFileSync(sandbox.spyLog).subarray(before)).split('\n');
          const whole = `status ${asked.args.join(' ')}`;
          assert.ok(calls.includes(whole), `${source}: ${whole} is not among\n${calls.join('\n')}`);
        }
      }
      const env = { GIT_ICASE_PATHSPECS: 'perhaps' };
      context.checkAll([
        { ...question('-s', '--', 'SUB'), env },
        { ...question('-s'), env },
      ]);
    },
    { delegates: 'maybe' },
  );
});
