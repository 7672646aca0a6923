/** Options other than porcelain v2: on rich repositories, from the root and from a subdirectory. */
import { type CaseContext, conformanceCase } from '../case';
import { type Question, question } from '../questions';

function combine(...choices: readonly string[][]): string[][] {
  return choices.reduce<string[][]>(
    (all, choice) =>
      all.flatMap((words) => choice.map((word) => [...words, ...word.split(' ').filter(Boolean)])),
    [[]],
  );
}

const formats: Question[] = combine(
  ['--porcelain=v1', '--porcelain=v2', '--short'],
  ['', '-z'],
  ['', '-b'],
  ['', '--no-renames', '--find-renames=90', '--show-stash', '--no-ahead-behind'],
).map((words) => question(...words));

const submoduleOptions = combine(
  ['--porcelain=v1', '--porcelain=v2 -z'],
  [
    '--ignore-submodules',
    '--ignore-submodules=none',
    '--ignore-submodules=untracked',
    '--ignore-submodules=dirty',
  ],
).map((words) => question(...words));

const others: Question[] = [
  [],
  ['--long'],
  ['-v'],
  ['-uall', '--ignored'],
  ['-uno'],
  ['--show-stash'],
  ['--column'],
  ['--porcelain=v2', '--', 'd'],
  ['--porcelain=v2', '-z', 'd/*.c'],
  ['-s', ':(top)a', ':(exclude)d'],
  ['-s', '--', 'no-such-path'],
  ['--porcelain', '-z', '--ignored=matching', '-uall', '--', ':(icase)D'],
  ['--porcelain=v3'],
  ['--untracked-files=sometimes'],
  ['--ignored=perhaps'],
  ['--ignore-submodules=perhaps'],
  ['--no-such-option'],
].map((words) => question(...words));

function furnish({ repo, sandbox }: CaseContext): void {
  repo.git('init', '-q', '../library');
  repo.at('../library').commit();
  const text = Array.from({ length: 30 }, (_, i) => `line ${i}\n`).join('');
  for (const path of ['a', 'd/x.c', 'd/y.c', 'd/e/z', 'top']) repo.write(path, `${path}\n${text}`);
  repo.write('.gitignore', '*.o\n');
  repo.git('submodule', '--quiet', 'add', '../library', 'd/sub');
  repo.commit('first');
  repo.git('init', '-q', '--bare', '../origin');
  repo.git('remote', 'add', 'origin', sandbox.path('origin'));
  repo.git('push', '-q', '-u', 'origin', 'main');
  repo.write('top', 'stashed\n');
  repo.git('stash', 'push', '-q');
  repo.commit('second');
  repo.git('mv', 'd/x.c', 'd/e/renamed.c');
  repo.append('d/e/renamed.c', 'and edited\n');
  repo.git('add', '-A');
  repo.append('d/y.c', 'changed\n');
  repo.write('d/new', '');
  repo.write('d/with space', '');
  repo.write('d/caf\xe9 "quoted"\n', '');
  repo.write('out/a.o', '');
  repo.write('d/a.o', '');
  repo.write('d/sub/new', '');
}

describe('formats', () => {
  const maybe = { delegates: 'maybe' } as const;

  conformanceCase(
    'every format and option, from the root',
    (context) => {
      furnish(context);
      context.checkAll([...formats, ...submoduleOptions]);
    },
    maybe,
  );

  conformanceCase(
    'every format and option, from a subdirectory',
    (context) => {
      furnish(context);
      context.checkAll([...formats, ...submoduleOptions], 'd');
      context.repo.config('core.quotePath', 'false');
      context.checkAll(formats.slice(0, 20), 'd/e');
      context.repo.config('status.relativePaths', 'false');
      context.checkAll(formats.slice(0, 20), 'd/e');
    },
    maybe,
  );

  conformanceCase(
    'the long format; what git itself serves: columns, pathspecs, bad options',
    (context) => {
      furnish(context);
      context.checkAll(others);
      context.checkAll(others, 'd');
    },
    maybe,
  );

  conformanceCase(
    'configured formats',
    (context) => {
      furnish(context);
      for (const [name, value] of [
        ['status.short', 'true'],
        ['status.branch', 'true'],
        ['status.showStash', 'true'],
        ['status.showUntrackedFiles', 'all'],
        ['color.status', 'always'],
        ['status.displayCommentPrefix', 'true'],
      ] as const) {
        context.repo.config(name, value);
        context.checkAll(
          [question(), question('-s'), question('--porcelain'), question('--porcelain=v2')],
          'd',
        );
      }
    },
    maybe,
  );

  conformanceCase(
    'during a conflict',
    ({ repo, checkAll }) => {
      repo.write('a', 'base\n');
      repo.commit();
      repo.git('checkout', '-q', '-b', 'side');
      repo.write('a', 'side\n');
      repo.commit();
      repo.git('checkout', '-q', 'main');
      repo.write('a', 'main\n');
      repo.commit();
      repo.tryGit('merge', 'side');
      checkAll([...formats, question(), question('--long')]);
    },
    maybe,
  );
});
