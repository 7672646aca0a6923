/** The worktree for pathspec questions, and the way to ask lists of them. */
import type { Repository } from '../../support/repository';
import { type CaseContext, type CaseOptions, conformanceCase } from '../case';
import type { Source } from '../disagreement';
import { nineModes, question, type Question } from '../questions';

/** Many lines, so that git finds a copy by similarity. */
export const text = (name: string): string => Array.from({ length: 20 }, (_, i) => `${name} ${i}\n`).join('');

/** A worktree with files of all kinds at several depths. */
export function furnish({ repo }: Pick<CaseContext, 'repo'>): void {
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

export const lists: Record<string, string[][]> = {
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
    ['ign/deep/g.c/'],
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
  'ignored directories on the way to where git begins': [
    ...[
      ['ign/deep/no', ':!*.o'],
      ['ign/deep/no', ':!zz'],
      ['ign/deep/no', ':!ign/f*'],
      ['ign/no/x', ':!*'],
    ],
    ...[
      ['ign/deep/g.c', ':!*.h'],
      ['only/y/no', ':!*.c'],
      ['sub/ign/no', ':!z*'],
      ['mixed/ign/no', ':!*.c'],
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

export function inNineModes(pathspecs: readonly string[], env?: Record<string, string>): Question[] {
  return nineModes.map(({ args }) => ({ ...question(...args, '--', ...pathspecs), ...(env && { env }) }));
}

export function pathspecCase(
  title: string,
  ask: (context: CaseContext) => void,
  options?: CaseOptions,
): void {
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

/** Asks the resident each question. A scan is slower: it gets three modes of each list, in turn. */
export function checkLists(
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
