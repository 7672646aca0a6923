/** git commands that move HEAD or other refs. */
import { fromBuffer, toText, utf8 } from '../../../support/bytes';
import type { World } from '../world';
import { given, type Operation, oneOf, type Variant } from './operation';

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

function headBranch({ repo }: World): string | undefined {
  const said = repo.ask('symbolic-ref', '-q', '--short', 'HEAD');
  return said.code === 0 ? toText(fromBuffer(said.stdout).trim()) : undefined;
}

/** Moves the upstream or the branch; then usually makes the branch track the upstream. */
function upstream(kind: string, move: (world: World) => void): Variant {
  return {
    kind,
    run: (world) => {
      if (world.repo.ask('rev-parse', '-q', '--verify', 'HEAD').code !== 0) return false;
      move(world);
      if (world.prng.chance(75)) world.repo.tryGit('branch', '-q', '--set-upstream-to=origin/main');
      return true;
    },
  };
}

function followed(kind: string, follow: (world: World, branch: string) => void): Variant {
  return given(kind, headBranch, follow);
}

const remoteMain = 'refs/remotes/origin/main';

const upstreams: readonly Variant[] = [
  upstream('upstream moved back', ({ repo, prng }) => {
    repo.tryGit('update-ref', remoteMain, prng.pick(['HEAD', 'HEAD~1', 'HEAD~2']));
  }),
  upstream('upstream deleted', ({ repo }) => void repo.tryGit('update-ref', '-d', remoteMain)),
  upstream('upstream fetched', ({ repo }) => void repo.tryGit('fetch', '-q', 'origin')),
  upstream('upstream pushed', ({ repo }) => void repo.tryGit('push', '-q', '-f', 'origin', 'HEAD:main')),
  upstream('upstream one commit further', ({ repo }) => {
    repo.tryGit('commit', '-q', '--allow-empty', '-m', 'for the upstream');
    repo.tryGit('update-ref', remoteMain, 'HEAD');
    repo.tryGit('reset', '-q', '--soft', 'HEAD~1');
  }),
  upstream('upstream on another history', ({ repo }) => {
    repo.tryGit('commit', '-q', '--allow-empty', '-m', 'theirs');
    repo.tryGit('update-ref', remoteMain, 'HEAD');
    repo.tryGit('reset', '-q', '--soft', 'HEAD~1');
    repo.tryGit('commit', '-q', '--allow-empty', '-m', 'ours');
  }),
  followed('upstream a branch beside', ({ repo, prng }, branch) => {
    repo.tryGit('config', `branch.${branch}.remote`, '.');
    repo.tryGit(
      'config',
      `branch.${branch}.merge`,
      `refs/heads/${prng.pick(['side', 'main', 'nowhere', branch])}`,
    );
  }),
  followed('upstream outside of what is fetched', ({ repo }, branch) => {
    repo.tryGit('config', `branch.${branch}.remote`, 'origin');
    repo.tryGit('config', `branch.${branch}.merge`, 'refs/tags/nothing');
  }),
  followed('upstream of an unknown remote', ({ repo }, branch) => {
    repo.tryGit('config', `branch.${branch}.remote`, 'unknown');
    repo.tryGit('config', `branch.${branch}.merge`, 'refs/heads/main');
  }),
  followed('upstream unset', ({ repo }) => void repo.tryGit('branch', '-q', '--unset-upstream')),
  followed('branch with an odd name', ({ repo, prng }) => {
    repo.tryGit(
      'branch',
      '-q',
      '-M',
      utf8(prng.pick(['feature/x', 'ünï', 'with"quote', 'a#b', 'dots.lock.not'])),
    );
  }),
];

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
  oneOf('upstream', 7, upstreams),
  { name: 'gc', weight: 1, run: git('gc', '-q', '--prune=now') },
  { name: 'repack', weight: 1, run: git('repack', '-q', '-a', '-d') },
  { name: 'pack-refs', weight: 2, run: git('pack-refs', '--all', '--prune') },
];
