/** Operations on whole directories. */
import type { Bytes } from '../../../support/bytes';
import { content, directoryName, fileName } from '../names';
import type { World } from '../world';
import type { Operation } from './operation';

function vacantDirectory(world: World): Bytes | undefined {
  const path = world.directoryPrefix() + directoryName(world.prng);
  return world.creatable(path) && !world.repo.exists(path) ? path : undefined;
}

function makeTree(world: World): boolean {
  const path = vacantDirectory(world);
  if (path === undefined) return false;
  const { repo, prng } = world;
  for (let i = 0; i < 1 + prng.below(5); i++) {
    const middle = prng.chance(50) ? `${directoryName(prng)}/` : '';
    const file = `${path}/${middle}${fileName(prng)}`;
    if (world.creatable(file) && !repo.exists(file)) repo.write(file, content(prng));
  }
  return true;
}

function inside(path: Bytes, directory: Bytes): boolean {
  return path === directory || path.startsWith(`${directory}/`);
}

function renameDirectory(world: World): boolean {
  const from = world.pick('directory');
  const to = vacantDirectory(world);
  if (from === undefined || to === undefined || inside(to, from)) return false;
  world.repo.rename(from, to);
  // A watch under the directory's old name would miss an edit in it.
  const moved = world.paths('file').filter((path) => inside(path, to));
  if (moved.length > 0 && world.prng.chance(50))
    world.repo.append(world.prng.pick(moved), 'after the move\n');
  return true;
}

function swapDirectories(world: World): boolean {
  const [one, other] = world.prng.sample(world.paths('directory'), 2);
  if (one === undefined || other === undefined || inside(one, other) || inside(other, one)) return false;
  world.repo.rename(one, '../swapped');
  world.repo.rename(other, one);
  world.repo.rename('../swapped', other);
  return true;
}

function moveOut(world: World): boolean {
  const path = world.pick('directory');
  if (path === undefined || world.repo.exists('../outside')) return false;
  world.repo.rename(path, '../outside');
  return true;
}

function moveIn(world: World): boolean {
  const path = vacantDirectory(world);
  if (path === undefined || !world.repo.exists('../outside')) return false;
  world.repo.rename('../outside', path);
  return true;
}

export const directoryOperations: Operation[] = [
  { name: 'make a tree', weight: 4, run: makeTree },
  {
    name: 'make an empty directory',
    weight: 2,
    run: (w) => {
      const path = vacantDirectory(w);
      if (path === undefined) return false;
      w.repo.mkdir(path);
      return true;
    },
  },
  {
    name: 'remove a tree',
    weight: 2,
    run: (w) => {
      const path = w.pick('directory');
      if (path === undefined) return false;
      w.repo.remove(path);
      return true;
    },
  },
  { name: 'rename a directory', weight: 4, run: renameDirectory },
  { name: 'swap two directories', weight: 2, run: swapDirectories },
  { name: 'move a directory out', weight: 2, run: moveOut },
  { name: 'move a directory in', weight: 2, run: moveIn },
];
