/** Misleading stat data: times of any kind, and writes within the index's own second. */
import { fromBuffer } from '../../../support/bytes';
import { otherOrder, sameSize } from '../names';
import type { World } from '../world';
import { type Operation, oneOf } from './operation';

const past = 1_500_000_000;
const future = 4_000_000_000;

function onTrackedFile(run: (world: World, path: string) => void): Operation['run'] {
  return (world) => {
    const path = world.pickTracked();
    if (path === undefined || world.repo.kind(path) !== 'file') return false;
    run(world, path);
    return true;
  };
}

function touchIndex(world: World, seconds: number): boolean {
  const path = world.gitPath('index');
  if (path === undefined || !world.repo.exists(path)) return false;
  world.repo.touch(path, { seconds });
  return true;
}

export const statOperations: Operation[] = [
  oneOf('mislead the stat data', 6, [
    {
      kind: 'edit of the same size right after git add',
      run: onTrackedFile(({ repo, prng }, path) => {
        repo.tryGit('--literal-pathspecs', 'add', '-f', '--', path);
        repo.write(path, sameSize(prng, repo.read(path)));
      }),
    },
    {
      kind: 'same content, other inode',
      run: onTrackedFile(({ repo }, path) => repo.writeAtomically(path, repo.read(path))),
    },
    {
      kind: 'time in the future',
      run: onTrackedFile(({ repo }, path) => repo.touch(path, { seconds: future })),
    },
    {
      kind: 'time in the future, then added',
      run: onTrackedFile(({ repo, prng }, path) => {
        repo.touch(path, { seconds: future });
        repo.tryGit('--literal-pathspecs', 'add', '-f', '--', path);
        if (prng.chance(60)) repo.write(path, sameSize(prng, repo.read(path)));
      }),
    },
    {
      // Keeps the lines: rename detection reads the file as if it was its blob (native/DIFFERENCES.md).
      kind: 'edit that keeps size and time',
      run: (world) => {
        const { repo } = world;
        const path = world.pickTracked();
        if (path === undefined || repo.kind(path) !== 'file') return false;
        const edited = otherOrder(repo.read(path));
        if (edited === undefined) return false;
        repo.touch(path, { seconds: past });
        repo.tryGit('--literal-pathspecs', 'add', '-f', '--', path);
        repo.write(path, edited);
        repo.touch(path, { seconds: past });
        return true;
      },
    },
    { kind: 'index from the past', run: (world) => touchIndex(world, past) },
    { kind: 'index from the future', run: (world) => touchIndex(world, future) },
    {
      kind: 'skip-worktree and on disk',
      run: onTrackedFile(({ repo }, path) => {
        repo.tryGit('update-index', '--skip-worktree', '--', path);
        repo.append(path, 'although it is skipped\n');
      }),
    },
    {
      kind: 'assume-unchanged and changed',
      run: onTrackedFile(({ repo, prng }, path) => {
        repo.tryGit('update-index', '--assume-unchanged', '--', path);
        if (prng.chance(70)) repo.append(path, 'although it is assumed unchanged\n');
        else repo.remove(path);
      }),
    },
    {
      kind: 'index without a checksum',
      run: (world) => {
        const { repo } = world;
        const path = world.gitPath('index');
        if (path === undefined || repo.kind(path) !== 'file') return false;
        const bytes = repo.read(path);
        const size = fromBuffer(repo.ask('rev-parse', '--show-object-format').stdout).startsWith('sha256')
          ? 32
          : 20;
        repo.write(path, bytes.slice(0, bytes.length - size) + '\0'.repeat(size));
        return true;
      },
    },
  ]),
];
