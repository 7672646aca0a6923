/** Repositories inside the worktree: submodules and others. */
import { existsSync } from 'node:fs';
import { content } from '../names';
import type { World } from '../world';
import { given, type Operation, oneOf, type Variant } from './operation';

/** Places of nested repositories. Each name is text, because Node needs it for a working directory. */
const places = ['nested', 'd/nested', 'vendor/inner'];
const submodulePlaces = ['sub', 'vendor/sub'];

/** A free place for a nested repository; `undefined` if it is occupied. */
function vacantPlace(world: World, among = places): string | undefined {
  const place = world.prng.pick(among);
  return world.creatable(place) && !world.repo.exists(place) ? place : undefined;
}

function nested(kind: string, fill: (world: World, place: string) => void): Variant {
  return given(kind, vacantPlace, (world, place) => {
    world.repo.mkdir(place);
    fill(world, place);
  });
}

const nestedRepositories: readonly Variant[] = [
  nested('nested repository without commits', ({ repo, prng }, place) => {
    repo.at(place).tryGit('init', '-q');
    if (prng.chance(50)) repo.write(`${place}/inner`, 'inner\n');
  }),
  nested('nested repository with commits', ({ repo, prng }, place) => {
    const inner = repo.at(place);
    inner.tryGit('init', '-q');
    if (prng.chance(50)) repo.write(`${place}/inner`, 'inner\n');
    inner.tryGit('add', '-A');
    inner.tryGit('commit', '-q', '--allow-empty', '-m', 'nested');
    if (prng.chance(30)) repo.write(`${place}/more`, 'more\n');
  }),
  nested('nested bare repository', ({ repo }, place) => void repo.at(place).tryGit('init', '-q', '--bare')),
  nested('nested .git that is an empty directory', ({ repo }, place) => {
    repo.mkdir(`${place}/.git`);
    repo.write(`${place}/inner`, 'inner\n');
  }),
  nested('nested .git that is no gitfile', ({ repo, prng }, place) => {
    repo.write(`${place}/.git`, prng.pick(['nonsense\n', 'gitdir: ../nowhere\n', '']));
    repo.write(`${place}/inner`, 'inner\n');
  }),
  nested('nested repository below an ignored directory', (world, place) => {
    const { repo, prng } = world;
    const excludes = world.gitPath('info/exclude');
    if (excludes !== undefined) repo.write(excludes, `${place.split('/')[0]}/\n`);
    const inner = repo.at(place);
    inner.tryGit('init', '-q');
    if (prng.chance(50)) inner.tryGit('commit', '-q', '--allow-empty', '-m', 'nested');
    repo.write(`${place}/inner`, 'inner\n');
  }),
  nested('nested repository with a file of ours', ({ repo }, place) => {
    repo.write(`${place}/inner`, 'inner\n');
    repo.tryGit('add', '-f', `${place}/inner`);
    repo.at(place).tryGit('init', '-q');
    repo.write(`${place}/untracked`, 'untracked\n');
  }),
];

const checkedOut = ({ repo }: World): string[] =>
  submodulePlaces.filter((place) => repo.exists(`${place}/.git`));

function addSubmodule(world: World): boolean {
  const { repo } = world;
  const place = vacantPlace(world, submodulePlaces);
  if (place === undefined || !existsSync(repo.sandbox.path('library'))) return false;
  repo.tryGit('submodule', '--quiet', 'add', '-f', '../library', place);
  return true;
}

/** A submodule with its git directory inside, like those of git before 1.7.8. */
function addOldStyle(world: World): boolean {
  const { repo } = world;
  const place = vacantPlace(world, submodulePlaces);
  if (place === undefined || !existsSync(repo.sandbox.path('library'))) return false;
  // A variable that leads to our index would also affect the clone.
  if (repo.at('.').tryGit('clone', '-q', repo.sandbox.path('library'), place).code !== 0) return false;
  repo.tryGit('submodule', '--quiet', 'add', '-f', '../library', place);
  return true;
}

/** Acts in a submodule that is checked out. */
function inSubmodule(kind: string, change: (world: World, place: string) => void): Variant {
  const find = (world: World): string | undefined => {
    const here = checkedOut(world);
    return here.length === 0 ? undefined : world.prng.pick(here);
  };
  return given(kind, find, change);
}

const ignoreValues = ['none', 'untracked', 'dirty', 'all'];

/** Each of two branches moves the submodule to a commit that the other lacks. */
function conflictOver(world: World, place: string): void {
  const { repo } = world;
  const inner = repo.at(place);
  repo.tryGit('reset', '-q', '--hard');
  repo.tryGit('add', '-A');
  repo.tryGit('commit', '-q', '-m', 'before a conflict over a submodule');
  const base = repo.ask('rev-parse', 'HEAD').stdout.toString('latin1').trim();
  const start = inner.ask('rev-parse', 'HEAD').stdout.toString('latin1').trim();
  for (const side of ['side', 'main']) {
    if (repo.tryGit('checkout', '-q', '-B', `submodule-${side}`, base).code !== 0) return;
    inner.tryGit('checkout', '-q', '--detach', start);
    inner.tryGit('commit', '-q', '--allow-empty', '-m', side);
    repo.tryGit('add', '--', place);
    repo.tryGit('commit', '-q', '-m', side);
  }
  repo.tryGit('merge', '-q', 'submodule-side');
}

const changes: readonly Variant[] = [
  inSubmodule('submodule: untracked file', ({ repo, prng }, place) =>
    repo.write(`${place}/untracked`, content(prng)),
  ),
  inSubmodule('submodule: file modified', ({ repo, prng }, place) =>
    repo.write(`${place}/file`, content(prng)),
  ),
  inSubmodule('submodule: file staged', ({ repo }, place) => {
    repo.write(`${place}/staged`, 'staged\n');
    repo.at(place).tryGit('add', 'staged');
  }),
  inSubmodule('submodule: new commit', ({ repo }, place) => {
    repo.at(place).tryGit('commit', '-q', '--allow-empty', '-am', 'in the submodule');
  }),
  inSubmodule('submodule: new commit staged', ({ repo }, place) => {
    repo.at(place).tryGit('commit', '-q', '--allow-empty', '-am', 'in the submodule');
    repo.tryGit('add', '--', place);
  }),
  inSubmodule('submodule: reset', ({ repo }, place) => void repo.at(place).tryGit('reset', '-q', '--hard')),
  inSubmodule('submodule: deinitialized', ({ repo }, place) => {
    repo.tryGit('submodule', '--quiet', 'deinit', '-f', place);
  }),
  inSubmodule('submodule: ignore in config', ({ repo, prng }, place) => {
    repo.tryGit('config', `submodule.${place}.ignore`, prng.pick(ignoreValues));
  }),
  inSubmodule('submodule: ignore in .gitmodules', ({ repo, prng }, place) => {
    repo.tryGit('config', '-f', '.gitmodules', `submodule.${place}.ignore`, prng.pick(ignoreValues));
  }),
  inSubmodule('submodule: directory missing', ({ repo }, place) => repo.remove(place)),
  inSubmodule('submodule: directory empty', ({ repo }, place) => {
    repo.remove(place);
    repo.mkdir(place);
  }),
  inSubmodule('submodule: moved', ({ repo }, place) => void repo.tryGit('mv', place, 'moved-sub')),
  inSubmodule('submodule: git directory absorbed', ({ repo }, place) => {
    repo.tryGit('submodule', '--quiet', 'absorbgitdirs', place);
  }),
  inSubmodule('submodule: detached', ({ repo }, place) => {
    repo.at(place).tryGit('checkout', '-q', '--detach');
  }),
  inSubmodule('submodule: nested in another', ({ repo }, place) => {
    const inner = repo.at(place);
    inner.tryGit('submodule', '--quiet', 'add', '-f', repo.sandbox.path('library'), 'inner');
    if (repo.exists(`${place}/inner/file`)) repo.append(`${place}/inner/file`, 'deep\n');
  }),
  inSubmodule('submodule: untracked files hidden by its config', ({ repo }, place) => {
    repo.at(place).tryGit('config', 'status.showUntrackedFiles', 'no');
    repo.write(`${place}/hidden`, 'hidden\n');
  }),
  inSubmodule('submodule: an ignored file', ({ repo }, place) => {
    // It may be a directory: other operations make such variants.
    if (repo.exists(`${place}/.gitignore`)) repo.remove(`${place}/.gitignore`);
    repo.write(`${place}/.gitignore`, '*.o\n.gitignore\n');
    repo.write(`${place}/main.o`, 'ignored\n');
  }),
  inSubmodule('submodule: conflict', conflictOver),
];

function updateSubmodules(world: World): boolean {
  if (!world.repo.exists('.gitmodules')) return false;
  world.repo.tryGit('submodule', '--quiet', 'update', '--init', '--recursive');
  return true;
}

function disturbGitmodules({ repo, prng }: World): boolean {
  if (repo.kind('.gitmodules') !== 'file') return false;
  if (prng.chance(50)) repo.remove('.gitmodules');
  else repo.tryGit('checkout', '-q', '--', '.gitmodules');
  return true;
}

export const nestedOperations: Operation[] = [
  oneOf('nest a repository', 4, nestedRepositories),
  { name: 'add a submodule', weight: 2, run: addSubmodule },
  { name: 'add a submodule of the old style', weight: 1, run: addOldStyle },
  oneOf('change a submodule', 40, changes),
  { name: 'update submodules', weight: 2, run: updateSubmodules },
  { name: 'disturb .gitmodules', weight: 1, run: disturbGitmodules },
];
