/** Sparse checkouts that change, and gitlinks inside and outside of their cones. */
import type { World } from '../world';
import { given, type Operation, oneOf, type Variant } from './operation';

const cones = ['src', 'd', 'vendor', 'out'];

/** Repositories that the index gets as gitlinks. Each is in a directory that cones include or exclude. */
export const gitlinkPlaces = ['src/inner', 'd/inner', 'vendor/inner', 'out/inner', 'out/deep/inner'];

/** Makes a repository with one commit at the free path `place`. */
export function nestAt({ repo }: World, place: string): void {
  repo.mkdir(place);
  const inner = repo.at(place);
  inner.tryGit('init', '-q');
  repo.write(`${place}/file`, 'inner\n');
  inner.tryGit('add', '-A');
  inner.tryGit('commit', '-q', '-m', 'inner');
}

function vacant(world: World): string | undefined {
  const place = world.prng.pick(gitlinkPlaces);
  return world.creatable(place) && !world.repo.exists(place) ? place : undefined;
}

function present(world: World): string | undefined {
  const here = gitlinkPlaces.filter((place) => world.repo.exists(`${place}/.git`));
  return here.length === 0 ? undefined : world.prng.pick(here);
}

function sparse(kind: string, ...args: string[]): Variant {
  return { kind, run: ({ repo }) => void repo.tryGit('sparse-checkout', ...args) };
}

const checkouts: readonly Variant[] = [
  {
    kind: 'sparse checkout: other cones',
    run: ({ repo, prng }) => {
      const format = prng.pick(['--sparse-index', '--no-sparse-index']);
      repo.tryGit('sparse-checkout', 'set', '--cone', format, ...prng.sample(cones, 1 + prng.below(2)));
      return true;
    },
  },
  sparse('sparse checkout: reapplied', 'reapply'),
  {
    // In a rebuilt index, missing files outside of the checkout have no size: git compares contents when they
    // appear.
    kind: 'sparse checkout: its index is made anew',
    run: ({ repo }) => {
      if (repo.kind('.git/index') !== 'file') return false;
      repo.remove('.git/index');
      repo.tryGit('read-tree', 'HEAD');
      return repo.tryGit('sparse-checkout', 'reapply').code === 0;
    },
  },
  sparse('sparse checkout: disabled', 'disable'),
];

const gitlinks: readonly Variant[] = [
  given('gitlink: made', vacant, (world, place) => {
    const { repo, prng } = world;
    nestAt(world, place);
    repo.tryGit('add', ...(prng.chance(70) ? ['--sparse'] : []), '-f', '--', place);
    if (prng.chance(50)) repo.tryGit('commit', '-q', '-m', 'with a gitlink');
  }),
  given('gitlink: untracked file', present, ({ repo }, place) => repo.write(`${place}/untracked`, '')),
  given('gitlink: file modified', present, ({ repo }, place) => repo.append(`${place}/file`, 'more\n')),
  given('gitlink: new commit', present, ({ repo }, place) => {
    repo.at(place).tryGit('commit', '-q', '--allow-empty', '-am', 'again');
  }),
  given('gitlink: removed', present, ({ repo }, place) => repo.remove(place)),
];

export const sparseOperations: Operation[] = [
  oneOf('change the sparse checkout', 2, checkouts),
  oneOf('change a gitlink', 6, gitlinks),
];
