/** Repositories inside the worktree: submodules and others. */
import { existsSync } from 'node:fs';
import { content } from '../names';
import type { World } from '../world';
import type { Operation } from './operation';

/** The places of nested repositories; each name is text, as a working directory has to be. */
const places = ['nested', 'd/nested', 'vendor/inner'];
const submodulePlaces = ['sub', 'vendor/sub'];

function nest(world: World): boolean {
  const { repo, prng } = world;
  const place = prng.pick(places);
  if (!world.creatable(place) || repo.exists(place)) return false;
  repo.mkdir(place);
  const nested = repo.at(place);
  nested.git('init', '-q', ...(prng.chance(15) ? ['--bare'] : []));
  if (prng.chance(50)) nested.tryGit('commit', '-q', '--allow-empty', '-m', 'nested');
  if (prng.chance(50)) nested.write('inner', 'inner\n');
  return true;
}

function addSubmodule(world: World): boolean {
  const { repo, prng } = world;
  const place = prng.pick(submodulePlaces);
  if (!existsSync(repo.sandbox.path('library')) || !world.creatable(place) || repo.exists(place))
    return false;
  repo.tryGit('submodule', '--quiet', 'add', '-f', '../library', place);
  return true;
}

/** Does something in a submodule that is checked out. */
function changeSubmodule(world: World): boolean {
  const { repo, prng } = world;
  const here = submodulePlaces.filter((place) => repo.exists(`${place}/.git`));
  if (here.length === 0) return false;
  const place = prng.pick(here);
  const inner = repo.at(place);
  switch (prng.below(8)) {
    case 0:
      inner.write('untracked', content(prng));
      break;
    case 1:
      inner.write('file', content(prng));
      break;
    case 2:
    case 6:
    case 7:
      inner.tryGit('commit', '-q', '--allow-empty', '-am', 'in the submodule');
      break;
    case 3:
      inner.tryGit('reset', '-q', '--hard');
      break;
    case 4:
      repo.tryGit('submodule', '--quiet', 'deinit', '-f', place);
      break;
    default:
      repo.tryGit('config', `submodule.${place}.ignore`, prng.pick(['none', 'untracked', 'dirty', 'all']));
  }
  return true;
}

function updateSubmodules(world: World): boolean {
  if (!world.repo.exists('.gitmodules')) return false;
  world.repo.tryGit('submodule', '--quiet', 'update', '--init');
  return true;
}

export const nestedOperations: Operation[] = [
  { name: 'nest a repository', weight: 2, run: nest },
  { name: 'add a submodule', weight: 1, run: addSubmodule },
  { name: 'change a submodule', weight: 14, run: changeSubmodule },
  { name: 'update submodules', weight: 1, run: updateSubmodules },
];
