/** The initial repository of a seed. */
import { fromBuffer } from '../../support/bytes';
import { atLeast } from '../../support/oracle';
import { Repository } from '../../support/repository';
import type { Sandbox } from '../../support/sandbox';
import { attributesFile, content, ignoreFile } from './names';
import { gitlinkPlaces, nestAt } from './operations/sparse';
import { places } from './places';
import type { Prng } from './prng';
import { World } from './world';

export interface Shape {
  repo: Repository;
  /** Special features; counted among the kinds of states. */
  traits: string[];
}

interface Feature {
  kind: string;
  /** Percentage of seeds with this feature. */
  percent: number;
  apply(world: World): void;
}

function fill(world: World): void {
  const { repo, prng } = world;
  for (let i = 0; i < 4 + prng.below(18); i++) {
    const path = world.newPath();
    if (world.creatable(path) && !repo.exists(path)) repo.write(path, content(prng));
  }
}

function makeLibrary(sandbox: Sandbox, format: readonly string[]): void {
  const library = Repository.init(sandbox, 'library', ...format);
  library.write('file', 'library\n');
  library.commit();
}

/** A file system monitor that reports that everything may have changed. */
const monitor = `#!/bin/sh
[ "$1" = 2 ] && printf 'token\\0'
printf '/\\0'
`;

const features: readonly Feature[] = [
  {
    kind: 'upstream',
    percent: 30,
    apply: ({ repo }) => {
      if (repo.ask('config', 'remote.origin.url').code === 0) return;
      const format = fromBuffer(repo.ask('rev-parse', '--show-object-format').stdout).trim();
      repo.tryGit('init', '-q', '--bare', `--object-format=${format}`, `${repo.root}/../origin`);
      repo.tryGit('remote', 'add', 'origin', '../origin');
      repo.tryGit('push', '-q', '-u', 'origin', 'HEAD:main');
    },
  },
  {
    kind: 'untracked cache',
    percent: 8,
    apply: ({ repo }) => void repo.tryGit('update-index', '--untracked-cache'),
  },
  { kind: 'split index', percent: 8, apply: ({ repo }) => void repo.tryGit('update-index', '--split-index') },
  {
    kind: 'fsmonitor extension',
    percent: 6,
    apply: ({ repo, prng }) => {
      repo.write('../monitor', monitor);
      repo.chmod('../monitor', 0o755);
      repo.tryGit('config', 'core.fsmonitor', `${repo.root}/../monitor`);
      if (prng.chance(50)) repo.tryGit('config', 'core.fsmonitorHookVersion', prng.pick(['1', '2']));
      repo.tryGit('update-index', '--fsmonitor');
    },
  },
  {
    kind: 'sparse checkout by cones',
    percent: 5,
    apply: ({ repo }) => void repo.tryGit('sparse-checkout', 'set', '--cone', 'src'),
  },
  {
    kind: 'sparse index',
    percent: 5,
    apply: ({ repo, prng }) => {
      const cones = prng.pick([['src'], ['src', 'd'], ['vendor']]);
      repo.tryGit('sparse-checkout', 'set', '--cone', '--sparse-index', ...cones);
    },
  },
  {
    kind: 'gitlinks in and out of cones',
    percent: 8,
    apply: (world) => {
      const { repo, prng } = world;
      for (const place of prng.sample(gitlinkPlaces, 2)) {
        if (!world.creatable(place) || repo.exists(place)) continue;
        nestAt(world, place);
        repo.tryGit('add', '-f', '--', place);
      }
      if (prng.chance(60)) repo.tryGit('commit', '-q', '-m', 'with gitlinks');
      const format = prng.pick(['--sparse-index', '--no-sparse-index']);
      repo.tryGit('sparse-checkout', 'set', '--cone', format, prng.pick(['src', 'vendor']));
    },
  },
  {
    kind: 'sparse checkout by patterns',
    percent: 5,
    apply: ({ repo }) => void repo.tryGit('sparse-checkout', 'set', '--no-cone', '/*', '!*.c', '!/d/'),
  },
  {
    kind: 'stash',
    percent: 8,
    apply: ({ repo, prng }) => {
      repo.write('stashed', 'stashed\n');
      repo.tryGit('add', '-f', 'stashed');
      repo.tryGit('stash', 'push', '-q');
      if (prng.chance(30)) {
        repo.write('stashed', 'again\n');
        repo.tryGit('stash', 'push', '-q', '-u');
      }
    },
  },
  {
    kind: 'packed refs and objects',
    percent: 8,
    apply: ({ repo }) => {
      repo.tryGit('pack-refs', '--all');
      repo.tryGit('repack', '-q', '-a', '-d');
    },
  },
];

const submodule: Feature = {
  kind: 'submodule',
  percent: 75,
  apply: ({ repo, prng }) => {
    repo.tryGit('submodule', '--quiet', 'add', '-f', '../library', 'sub');
    if (prng.chance(70)) repo.tryGit('commit', '-q', '-m', 'with a submodule');
  },
};

export const unprivilegedKind = 'asked without rights';
const reftableKind = 'reftables';

/** Kinds that not every git can make. */
export function shapeKindsOfOracle(): string[] {
  return knowsReftables() ? [reftableKind] : [];
}

function knowsReftables(): boolean {
  return atLeast(2, 45);
}

/**
 * Options of `git init`. Repositories beside it, such as a clone or a submodule, may store their refs
 * differently.
 */
function drawFormat(sandbox: Sandbox, prng: Prng, traits: string[]): string[] {
  const options: string[] = [];
  if (prng.chance(10) && atLeast(2, 29)) {
    options.push('--object-format=sha256');
    traits.push('sha256');
  }
  if (knowsReftables() && prng.chance(30)) {
    options.push('--ref-format=reftable');
    traits.push(reftableKind);
    if (prng.chance(60)) sandbox.setVariable('GIT_DEFAULT_REF_FORMAT', 'reftable');
  }
  return options;
}

export const shapeKinds: readonly string[] = [
  unprivilegedKind,
  'sha256',
  submodule.kind,
  ...places.map(({ kind }) => kind),
  ...features.map(({ kind }) => kind),
];

export function buildShape(sandbox: Sandbox, prng: Prng): Shape {
  const traits: string[] = [];
  const format = drawFormat(sandbox, prng, traits);
  const library = prng.chance(45);
  if (library) makeLibrary(sandbox, format);
  const place = prng.weighted(places);
  traits.push(place.kind);
  const repo = place.make(sandbox, format);
  const world = new World(repo, prng);
  repo.config('index.version', prng.pick(['2', '2', '3', '4']));
  if (prng.chance(40) && repo.kind('.gitignore') === 'none') repo.write('.gitignore', ignoreFile(prng));
  fill(world);
  if (prng.chance(15)) repo.write('.gitattributes', attributesFile(prng));
  if (prng.chance(10)) repo.config('core.autocrlf', prng.pick(['true', 'input']));
  if (prng.chance(10)) return { repo, traits };
  repo.tryGit('add', '-A');
  repo.tryGit('commit', '-q', '--allow-empty', '-m', 'first');
  for (const feature of [...(library ? [submodule] : []), ...features]) {
    if (!prng.chance(feature.percent)) continue;
    feature.apply(world);
    traits.push(feature.kind);
  }
  return { repo, traits };
}
