/** Operations of an editor, a build or a person on files. */
import { isUtf8, toText } from '../../../support/bytes';
import { content, sameSize } from '../names';
import type { World } from '../world';
import type { Operation } from './operation';

/** A random file on disk that may be opened. */
function existingFile(world: World): string | undefined {
  return world.pick('file');
}

function edit(world: World, change: (path: string) => void): boolean {
  const path = existingFile(world);
  if (path === undefined) return false;
  change(path);
  return true;
}

/** A path where nothing exists and a file can be created. */
function vacantPath(world: World): string | undefined {
  for (let tries = 0; tries < 5; tries++) {
    const path = world.newPath();
    if (world.creatable(path) && !world.repo.exists(path)) return path;
  }
  return undefined;
}

/**
 * True if the kernel reports a new hard link at `path`. It reports no link in an ignored directory or outside
 * of the worktree. It also does not report later writes through that link.
 */
function isTold(world: World, path: string): boolean {
  const directory = path.slice(0, path.lastIndexOf('/') + 1);
  if (directory === '') return true;
  return world.repo.ask('--literal-pathspecs', 'check-ignore', '-q', '--', directory).code === 1;
}

function create(world: World): boolean {
  const path = vacantPath(world);
  if (path === undefined) return false;
  world.repo.write(path, content(world.prng));
  return true;
}

function symlink(world: World): boolean {
  const path = vacantPath(world);
  if (path === undefined) return false;
  const target = world.prng.pick(['a', 'd', '../a', 'nowhere', '.', '/dev/null']);
  world.repo.symlink(target, path);
  return true;
}

function renameFile(world: World): boolean {
  const from = existingFile(world);
  const to = vacantPath(world);
  if (from === undefined || to === undefined) return false;
  world.repo.rename(from, to);
  return true;
}

/** Replaces a file by a symlink, a directory or a special file, and the reverse. */
function replaceByOtherType(world: World): boolean {
  const path = world.pick('any');
  if (path === undefined) return false;
  const { repo, prng } = world;
  const was = repo.kind(path);
  repo.remove(path);
  const becomes = prng.pick(['file', 'directory', 'symlink'].filter((kind) => kind !== was));
  if (becomes === 'file') repo.write(path, content(prng));
  else if (becomes === 'symlink') repo.symlink(prng.pick(['a', 'd', 'nowhere']), path);
  else repo.write(`${path}/${prng.pick(['a', 'inner', 'main.o'])}`, content(prng));
  if (prng.chance(50)) repo.tryGit('--literal-pathspecs', 'add', '--', path);
  return true;
}

/** Copies a file. git finds a copy only if the source changed too. */
function copy(world: World): boolean {
  const from = existingFile(world);
  const to = vacantPath(world);
  if (from === undefined || to === undefined) return false;
  const { repo, prng } = world;
  repo.write(to, repo.read(from));
  repo.append(from, 'the source of a copy\n');
  if (prng.chance(70)) repo.config('status.renames', 'copies');
  if (prng.chance(30)) repo.append(to, 'a copy\n');
  repo.tryGit('--literal-pathspecs', 'add', '--', from, to);
  return true;
}

/** Neither file nor link: git ignores it. */
function specialFile(world: World): boolean {
  const path = vacantPath(world);
  if (path === undefined || !isUtf8(path)) return false;
  const slash = path.lastIndexOf('/');
  if (slash > 0 && !world.repo.exists(path.slice(0, slash))) world.repo.mkdir(path.slice(0, slash));
  world.repo.sandbox.exec('mkfifo', '--', `${world.repo.root}/${toText(path)}`);
  return true;
}

const longAgo = 1_500_000_000;

export const fileOperations: Operation[] = [
  { name: 'create a file', weight: 10, run: create },
  { name: 'overwrite', weight: 6, run: (w) => edit(w, (path) => w.repo.write(path, content(w.prng))) },
  {
    name: 'edit in place, same size',
    weight: 7,
    run: (w) => edit(w, (path) => w.repo.write(path, sameSize(w.prng, w.repo.read(path)))),
  },
  { name: 'append', weight: 5, run: (w) => edit(w, (path) => w.repo.append(path, 'one more line\n')) },
  {
    name: 'truncate',
    weight: 2,
    run: (w) => edit(w, (path) => w.repo.truncate(path, w.prng.below(w.repo.read(path).length + 1))),
  },
  {
    name: 'save atomically',
    weight: 4,
    run: (w) =>
      edit(w, (path) =>
        w.repo.writeAtomically(path, w.prng.chance(30) ? w.repo.read(path) : content(w.prng)),
      ),
  },
  {
    name: 'chmod',
    weight: 3,
    run: (w) => edit(w, (path) => w.repo.chmod(path, w.prng.pick([0o644, 0o755, 0o700]))),
  },
  { name: 'delete a file', weight: 6, run: (w) => edit(w, (path) => w.repo.remove(path)) },
  { name: 'rename a file', weight: 5, run: renameFile },
  {
    name: 'touch with an old time',
    weight: 2,
    run: (w) => edit(w, (path) => w.repo.touch(path, { seconds: longAgo })),
  },
  {
    name: 'edit and set an old time',
    weight: 2,
    run: (w) =>
      edit(w, (path) => {
        w.repo.write(path, sameSize(w.prng, w.repo.read(path)));
        w.repo.touch(path, { seconds: longAgo });
      }),
  },
  { name: 'copy a file', weight: 4, run: copy },
  { name: 'symlink', weight: 2, run: symlink },
  { name: 'special file', weight: 1, run: specialFile },
  { name: 'replace by another type', weight: 4, run: replaceByOtherType },
  {
    name: 'hard link',
    weight: 1,
    run: (w) => {
      const to = vacantPath(w);
      return to !== undefined && isTold(w, to) && edit(w, (path) => w.repo.link(path, to));
    },
  },
];
