/** Ignore rules in every form that git reads, and their targets. */
import type { Bytes } from '../../../support/bytes';
import { ignoreFile } from '../names';
import type { World } from '../world';
import { given, type Operation, oneOf, type Variant } from './operation';

/** A place for a new `.gitignore`: missing, or a file. */
function vacantIgnoreFile(world: World): Bytes | undefined {
  const path = `${world.directoryPrefix()}.gitignore`;
  if (!world.creatable(path)) return undefined;
  const kind = world.repo.kind(path);
  if (kind === 'file' || kind === 'symlink') world.repo.remove(path);
  return kind === 'directory' ? undefined : path;
}

function withIgnoreFile(kind: string, make: (world: World, path: Bytes) => void): Variant {
  return given(kind, vacantIgnoreFile, make);
}

const written = (kind: string, text: (world: World) => Bytes): Variant =>
  withIgnoreFile(kind, (world, path) => world.repo.write(path, text(world)));

const forms: readonly Variant[] = [
  withIgnoreFile('.gitignore a symlink', ({ repo }, path) => {
    repo.write('../linked-ignore', '*.o\na\n');
    repo.symlink(`${repo.root}/../linked-ignore`, path);
  }),
  withIgnoreFile('.gitignore a directory', ({ repo }, path) => repo.write(`${path}/a`, '*\n')),
  withIgnoreFile('.gitignore unreadable', ({ repo }, path) => {
    repo.write(path, '*.o\n');
    repo.chmod(path, 0);
  }),
  written('.gitignore with CRLF', ({ prng }) => ignoreFile(prng).replaceAll(/\r?\n/g, '\r\n')),
  written('.gitignore with a BOM', ({ prng }) => `\xef\xbb\xbf${ignoreFile(prng)}`),
  written('.gitignore with trailing spaces', ({ prng }) =>
    prng.pick(['a  \n', 'a\\ \n', 'trailing \n', 'trailing\\ \n', '*.o \\ \n', 'a\t\n', 'd/  \n']),
  ),
  written('.gitignore with escapes', ({ prng }) =>
    prng.pick([
      '\\a\n',
      'a\\\n',
      '\\*\n',
      'star\\*\n',
      '\\[set]\n',
      'back\\\\slash\n',
      '\\!bang\n',
      '[\\]a]\n',
    ]),
  ),
  written('negation below an excluded parent', ({ prng }) =>
    prng.pick([
      'd/\n!d/a\n',
      'src\n!src/main.c\n',
      '/build/*\n!/build/d\n',
      '*\n!*/\n!*.c\n',
      'vendor\n!vendor\n',
    ]),
  ),
  written('.gitignore with NUL', () => 'a\0b\n*.o\0\nx.txt\n'),
  written('many patterns', ({ prng }) => {
    const count = prng.pick([300, 300, 3000, 10_000]);
    const lines = Array.from(
      { length: count },
      (_, i) => `${i % 7 === 0 ? '!' : ''}name-${i}${i % 3 ? '' : '*.o'}`,
    );
    return `${lines.join('\n')}\n*.tmp\nA\n`;
  }),
];

function commitIgnoreFile(world: World, text: Bytes): boolean {
  const { repo } = world;
  if (repo.kind('.gitignore') === 'directory') return false;
  if (repo.exists('.gitignore')) repo.remove('.gitignore');
  repo.write('.gitignore', text);
  return repo.tryGit('add', '-f', '.gitignore').code === 0;
}

const situations: readonly Variant[] = [
  {
    kind: 'skip-worktree .gitignore',
    run: (world) => {
      if (!commitIgnoreFile(world, '*.o\n*.log\nbuild\n')) return false;
      if (world.repo.tryGit('update-index', '--skip-worktree', '.gitignore').code !== 0) return false;
      world.repo.remove('.gitignore');
      return true;
    },
  },
  {
    kind: 'tracked below an ignored directory',
    run: (world) => {
      const { repo } = world;
      if (!world.creatable('build/a') || !['file', 'none'].includes(repo.kind('build/a'))) return false;
      repo.write('build/a', 'tracked and ignored\n');
      if (!commitIgnoreFile(world, 'build/\n*.o\n')) return false;
      repo.tryGit('add', '-f', 'build/a');
      if (world.prng.chance(50)) repo.append('build/a', 'changed\n');
      if (repo.kind('build/main.o') === 'none') repo.write('build/main.o', 'ignored\n');
      return true;
    },
  },
  {
    kind: 'directory of ignored files only',
    run: (world) => {
      const { repo } = world;
      if (repo.exists('only') || !commitIgnoreFile(world, '*.o\n*.tmp\n')) return false;
      repo.write('only/one.o', '');
      repo.write('only/deep/two.tmp', '');
      if (world.prng.chance(30)) repo.mkdir('only/empty');
      return true;
    },
  },
  {
    kind: 'empty directories',
    run: ({ repo, prng }) => {
      const path = prng.pick(['hollow/a/b', 'd/hollow', 'build/hollow']);
      if (repo.kind('d') !== 'directory') return false;
      const ancestors = path.split('/').map((_, i, names) => names.slice(0, i + 1).join('/'));
      if (!ancestors.every((name) => ['none', 'directory'].includes(repo.kind(name)))) return false;
      repo.mkdir(path);
      return true;
    },
  },
];

const configured: readonly Variant[] = [
  {
    kind: 'core.excludesFile below home',
    run: ({ repo, prng }) => {
      repo.write('../home/ignore', ignoreFile(prng));
      repo.tryGit('config', 'core.excludesFile', '~/ignore');
    },
  },
  {
    kind: 'core.excludesFile missing',
    run: ({ repo }) => void repo.tryGit('config', 'core.excludesFile', '../nowhere/ignore'),
  },
  {
    kind: 'core.excludesFile inside the worktree',
    run: ({ repo, prng }) => {
      if (repo.exists('README') && repo.kind('README') !== 'file') return false;
      repo.write('README', ignoreFile(prng));
      repo.tryGit('config', 'core.excludesFile', `${repo.root}/README`);
      return true;
    },
  },
  {
    kind: 'the default excludes file',
    run: ({ repo, prng }) => {
      repo.tryGit('config', '--unset-all', 'core.excludesFile');
      repo.write('../home/.config/git/ignore', ignoreFile(prng));
    },
  },
];

export const ignoreOperations: Operation[] = [
  oneOf('a form of .gitignore', 6, forms),
  oneOf('something ignored', 4, situations),
  oneOf('core.excludesFile', 2, configured),
];
