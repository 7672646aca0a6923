/** Read permissions: for seeds whose questions come from a user to whom file modes apply. */
import { statSync } from 'node:fs';
import type { World } from '../world';
import { type Operation, oneOf, type Variant } from './operation';

function take(kind: string, from: 'file' | 'directory', mode: number): Variant {
  return {
    kind,
    run: (world) => {
      const path = world.questionsHaveRights ? undefined : world.pick(from);
      if (path === undefined) return false;
      world.repo.chmod(path, mode);
      return true;
    },
  };
}

function giveBack(world: World, kind: 'file' | 'directory', needed: number): boolean {
  const { repo } = world;
  const closed = world.paths(kind).filter((path) => (statSync(repo.absolute(path)).mode & needed) !== needed);
  for (const path of closed) repo.chmod(path, 0o755);
  return closed.length > 0;
}

export const rightsOperations: Operation[] = [
  oneOf('take rights', 8, [
    take('a file that may not be read', 'file', 0),
    take('a directory that may not be read', 'directory', 0),
    take('a directory that may only be listed', 'directory', 0o444),
    take('a directory that may only be searched', 'directory', 0o111),
    {
      kind: 'rights given back',
      run: (world) => [giveBack(world, 'directory', 0o500), giveBack(world, 'file', 0o400)].includes(true),
    },
  ]),
];
