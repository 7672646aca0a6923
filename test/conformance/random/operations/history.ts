/** git commands that move HEAD or other refs. */
import type { World } from '../world';
import type { Operation } from './operation';

function commit(world: World): undefined {
  if (world.prng.chance(60)) world.repo.tryGit('add', '-A');
  world.repo.tryGit('commit', '-q', '-m', 'a commit');
}

function git(...args: string[]): Operation['run'] {
  return (world) => void world.repo.tryGit(...args);
}

function checkout(world: World): undefined {
  const branch = world.prng.pick(['main', 'side', 'other', 'HEAD~1']);
  world.repo.tryGit('checkout', '-q', ...(world.prng.chance(30) ? ['-f'] : []), branch);
}

function upstream(world: World): undefined {
  const { repo, prng } = world;
  const way = prng.below(6);
  if (way === 0)
    repo.tryGit('update-ref', 'refs/remotes/origin/main', prng.pick(['HEAD', 'HEAD~1', 'HEAD~2']));
  if (way === 1) repo.tryGit('update-ref', '-d', 'refs/remotes/origin/main');
  if (way === 2) repo.tryGit('fetch', '-q', 'origin');
  if (way === 3) repo.tryGit('push', '-q', '-f', 'origin', 'HEAD:main');
  if (way >= 4) {
    // The upstream is ahead of the branch by one.
    repo.tryGit('commit', '-q', '--allow-empty', '-m', 'for the upstream');
    repo.tryGit('update-ref', 'refs/remotes/origin/main', 'HEAD');
    repo.tryGit('reset', '-q', '--soft', 'HEAD~1');
  }
  if (prng.chance(75)) repo.tryGit('branch', '-q', '--set-upstream-to=origin/main');
}

export const historyOperations: Operation[] = [
  { name: 'commit', weight: 9, run: commit },
  { name: 'amend', weight: 1, run: git('commit', '-q', '--amend', '-m', 'amended') },
  {
    name: 'new branch',
    weight: 2,
    run: (w) => void w.repo.tryGit('checkout', '-q', '-B', w.prng.pick(['side', 'other'])),
  },
  { name: 'checkout', weight: 4, run: checkout },
  { name: 'detach', weight: 1, run: git('checkout', '-q', '--detach') },
  {
    name: 'orphan',
    weight: 1,
    run: (w) => void w.repo.tryGit('checkout', '-q', '--orphan', `orphan-${w.prng.below(1000)}`),
  },
  {
    name: 'reset to parent',
    weight: 2,
    run: (w) => void w.repo.tryGit('reset', '-q', w.prng.pick(['--soft', '--mixed', '--hard']), 'HEAD~1'),
  },
  {
    name: 'stash',
    weight: 2,
    run: (w) => void w.repo.tryGit('stash', 'push', '-q', ...(w.prng.chance(50) ? ['-u'] : [])),
  },
  { name: 'stash pop', weight: 2, run: git('stash', 'pop', '-q') },
  { name: 'upstream', weight: 5, run: upstream },
  { name: 'gc', weight: 1, run: git('gc', '-q', '--prune=now') },
  { name: 'repack', weight: 1, run: git('repack', '-q', '-a', '-d') },
  { name: 'pack-refs', weight: 2, run: git('pack-refs', '--all', '--prune') },
];
