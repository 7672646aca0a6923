/**
 * Operations of the writers: the concurrent ones of the random suite, and some for storms only. Excluded is
 * any operation that can lose an object which another writer is about to name. gc and repack keep all
 * objects. They run one at a time: several of them lose objects to each other. A multi-pack-index is
 * excluded, too: it may name a pack that a repack removes, and then git does not find the other objects
 * either.
 */
import { mkdirSync, rmdirSync } from 'node:fs';
import type { Bytes } from '../support/bytes';
import { content, ignoreFile } from '../conformance/random/names';
import { directoryOperations } from '../conformance/random/operations/directories';
import { fileOperations } from '../conformance/random/operations/files';
import { historyOperations } from '../conformance/random/operations/history';
import { indexOperations } from '../conformance/random/operations';
import type { Operation } from '../conformance/random/operations/operation';
import type { World } from '../conformance/random/world';

const kUnfit: ReadonlySet<string> = new Set(['gc', 'repack', 'upstream', 'orphan']);
/** Number of files that one operation makes, edits or removes. */
const kMany = 120;

function manyPaths(world: World): Bytes[] {
  const prefix = `${world.directoryPrefix()}many${world.prng.below(4)}`;
  return Array.from({ length: kMany }, (_, i) => `${prefix}/${i % 7}/file${i}`);
}

function makeMany(world: World): boolean {
  for (const path of manyPaths(world)) world.repo.write(path, content(world.prng));
  return true;
}

function removeMany(world: World): boolean {
  const path = world.pick('directory');
  if (path === undefined) return false;
  const siblings = world.paths('file').filter((file) => file.startsWith(`${path}/`));
  for (const file of siblings) world.repo.remove(file);
  return siblings.length > 0;
}

function appendMany(world: World): boolean {
  for (const path of world.prng.sample(world.paths('file'), kMany / 2)) world.repo.append(path, 'a storm\n');
  return true;
}

/** Renames twice away and back, with an edit under each name. */
function renameBackAndForth(world: World): boolean {
  const { repo, prng } = world;
  const path = world.pick('directory');
  if (path === undefined) return false;
  const other = `${path}-${prng.below(1000)}`;
  for (let i = 0; i < 2; i++) {
    repo.rename(path, other);
    repo.write(`${other}/away`, content(prng));
    repo.rename(other, path);
    repo.write(`${path}/back`, content(prng));
  }
  return true;
}

/** Creates and removes many names: the server must keep no state of them. */
function passingFiles(world: World): boolean {
  const prefix = world.directoryPrefix();
  for (let i = 0; i < kMany; i++) {
    const path = `${prefix}passing${world.prng.below(1_000_000)}`;
    world.repo.write(path, '');
    world.repo.remove(path);
  }
  return true;
}

function editIgnore(world: World): boolean {
  world.repo.write(`${world.directoryPrefix()}.gitignore`, ignoreFile(world.prng));
  return true;
}

function git(...args: string[]): Operation['run'] {
  return (world) => void world.repo.tryGit(...args);
}

function alone(...args: string[]): Operation['run'] {
  return ({ repo }) => {
    const mark = repo.sandbox.path('packing');
    try {
      mkdirSync(mark);
    } catch {
      return false;
    }
    try {
      repo.tryGit(...args);
    } finally {
      rmdirSync(mark);
    }
    return true;
  };
}

function onBranch(...args: string[]): Operation['run'] {
  return (world) =>
    void world.repo.tryGit(...args, world.prng.pick(['main', 'side', 'other', 'HEAD~1', 'base']));
}

const stormOperations: readonly Operation[] = [
  { name: 'make many files', weight: 2, run: makeMany },
  { name: 'remove many files', weight: 2, run: removeMany },
  { name: 'append to many files', weight: 2, run: appendMany },
  { name: 'rename back and forth', weight: 3, run: renameBackAndForth },
  { name: 'passing files', weight: 2, run: passingFiles },
  { name: 'edit .gitignore', weight: 5, run: editIgnore },
  { name: 'merge', weight: 3, run: onBranch('merge', '-q', '--no-edit') },
  { name: 'rebase', weight: 2, run: onBranch('rebase', '-q') },
  { name: 'cherry-pick', weight: 2, run: onBranch('cherry-pick', '--allow-empty') },
  { name: 'revert', weight: 1, run: git('revert', '--no-edit', 'HEAD') },
  { name: 'continue a rebase', weight: 1, run: git('rebase', '--skip') },
  { name: 'abort', weight: 3, run: (w) => void w.repo.tryGit(w.prng.pick(['merge', 'rebase']), '--abort') },
  { name: 'abort a pick', weight: 1, run: git('cherry-pick', '--abort') },
  { name: 'repack, keeping all', weight: 1, run: alone('repack', '-q', '-a', '-d', '-k', '-b') },
  { name: 'repack, loosening', weight: 1, run: alone('repack', '-q', '-A', '-d') },
  { name: 'gc, keeping all', weight: 1, run: alone('gc', '-q', '--prune=never') },
  { name: 'write a multi-pack-index', weight: 1, run: alone('multi-pack-index', 'write') },
  { name: 'write a commit-graph', weight: 1, run: git('commit-graph', 'write', '--reachable') },
];

export const operations: readonly Operation[] = [
  ...[...fileOperations, ...directoryOperations, ...indexOperations, ...historyOperations].filter(
    ({ name }) => !kUnfit.has(name),
  ),
  ...stormOperations,
];
