/** git commands that write the index. */
import { type Bytes, fromBuffer } from '../../../support/bytes';
import type { World } from '../world';
import type { Operation } from './operation';

/** Runs git with a path in the index; git may refuse. */
function onTracked(...before: Bytes[]): Operation['run'] {
  return (world) => {
    const path = world.pickTracked();
    if (path === undefined) return false;
    world.repo.tryGit('--literal-pathspecs', ...before, '--', path);
    return true;
  };
}

/** Runs git with a path on disk; git may refuse. */
function onDisk(...before: Bytes[]): Operation['run'] {
  return (world) => {
    const path = world.pick('any');
    if (path === undefined) return false;
    world.repo.tryGit('--literal-pathspecs', ...before, '--', path);
    return true;
  };
}

function git(...args: Bytes[]): Operation['run'] {
  return (world) => void world.repo.tryGit(...args);
}

function move(world: World): boolean {
  const from = world.pickTracked();
  if (from === undefined) return false;
  const to = world.newPath();
  if (!world.creatable(to)) return false;
  const slash = to.lastIndexOf('/');
  if (slash > 0 && !world.repo.exists(to.slice(0, slash))) world.repo.mkdir(to.slice(0, slash));
  world.repo.tryGit('mv', '--', from, to);
  if (world.prng.chance(60) && world.repo.kind(to) === 'file') world.repo.append(to, 'after git mv\n');
  if (world.prng.chance(50)) world.repo.tryGit('--literal-pathspecs', 'add', '--', to);
  return true;
}

/** Changes or deletes a file after it was staged: gives the second letter beside the first. */
function disturbStaged(world: World): boolean {
  const { repo, prng } = world;
  const staged = fromBuffer(
    repo.ask('diff', '--cached', '--name-only', '--diff-filter=d', '-z').stdout,
  ).split('\0');
  const here = staged.filter((path) => path !== '' && repo.kind(path) === 'file');
  if (here.length === 0) return false;
  const path = prng.pick(here);
  if (prng.chance(50)) repo.remove(path);
  else repo.append(path, 'after it was staged\n');
  return true;
}

const flags = ['--assume-unchanged', '--no-assume-unchanged', '--skip-worktree', '--no-skip-worktree'];

function setFlag(world: World): boolean {
  const path = world.pickTracked();
  if (path === undefined) return false;
  world.repo.tryGit('update-index', world.prng.pick(flags), '--', path);
  return true;
}

export const indexOperations: Operation[] = [
  { name: 'git add a path', weight: 8, run: onDisk('add') },
  { name: 'git add by force', weight: 2, run: onDisk('add', '-f') },
  { name: 'git add all', weight: 3, run: git('add', '-A') },
  { name: 'git add with intent', weight: 3, run: onDisk('add', '-N') },
  { name: 'git rm', weight: 3, run: onTracked('rm', '-q', '-f') },
  { name: 'git rm --cached', weight: 3, run: onTracked('rm', '-q', '--cached', '-f') },
  { name: 'git mv', weight: 5, run: move },
  { name: 'disturb what is staged', weight: 6, run: disturbStaged },
  { name: 'git reset a path', weight: 3, run: onTracked('reset', '-q') },
  { name: 'git checkout a path', weight: 3, run: onTracked('checkout', '-q') },
  { name: 'git reset', weight: 1, run: git('reset', '-q') },
  { name: 'git reset --hard', weight: 2, run: git('reset', '-q', '--hard') },
  { name: 'git clean', weight: 1, run: git('clean', '-qfd') },
  { name: 'git update-index flag', weight: 4, run: setFlag },
  { name: 'git update-index --chmod', weight: 1, run: onTracked('update-index', '--chmod=+x') },
  { name: 'git status refreshes', weight: 4, run: git('status', '-s') },
  {
    name: 'index version',
    weight: 1,
    run: (w) => void w.repo.tryGit('update-index', '--index-version', w.prng.pick(['2', '3', '4'])),
  },
  {
    name: 'split index',
    weight: 1,
    run: (w) => void w.repo.tryGit('update-index', w.prng.pick(['--split-index', '--no-split-index'])),
  },
];
