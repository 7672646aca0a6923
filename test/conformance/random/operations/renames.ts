/** Renames and copies of every similarity, staged and by intent-to-add. */
import type { Bytes } from '../../../support/bytes';
import type { World } from '../world';
import { type Operation, oneOf } from './operation';

/** Unique lines, so that the share of kept lines decides the similarity. */
function lines(world: World, count: number): Bytes[] {
  const seed = world.prng.below(1_000_000);
  return Array.from({ length: count }, (_, i) => `${seed} unique ${'x'.repeat(i % 60)} ${i}\n`);
}

/** Text with about `percent` percent of its lines unchanged. */
function edited(world: World, text: readonly Bytes[], percent: number): Bytes {
  return text.map((line, i) => (world.prng.chance(percent) ? line : `other ${i} ${line.length}\n`)).join('');
}

interface Pair {
  from: Bytes;
  to: Bytes;
  text: Bytes[];
}

/** A committed file and a free path for its new name; undefined if the commit fails. */
function committedPair(world: World, prefix = ''): Pair | undefined {
  const { repo, prng } = world;
  const from = `old-${prng.below(20)}.c`;
  const to = `${prefix}${prefix === '' ? `new-${prng.below(20)}.c` : from}`;
  if (repo.exists(from) || repo.exists(to) || !world.creatable(to)) return undefined;
  const text = lines(world, prng.pick([3, 20, 20, 150]));
  repo.write(from, text.join(''));
  if (repo.tryGit('add', '-f', from).code !== 0) return undefined;
  if (repo.tryGit('commit', '-q', '-m', 'before a rename').code !== 0) return undefined;
  return repo.exists(from) ? { from, to, text } : undefined;
}

const similarities = [20, 45, 50, 55, 60, 75, 90, 100];

function renamed(prefix: Bytes, after: (world: World, pair: Pair) => void): Operation['run'] {
  return (world) => {
    const pair = committedPair(world, prefix);
    if (!pair) return false;
    world.repo.remove(pair.from);
    world.repo.write(pair.to, edited(world, pair.text, world.prng.pick(similarities)));
    after(world, pair);
    return true;
  };
}

const stage = ({ repo }: World, { from, to }: Pair): void =>
  void repo.tryGit('add', '-A', '-f', '--', from, to);

export const renameOperations: Operation[] = [
  oneOf('a rename', 6, [
    { kind: 'rename by similarity', run: renamed('', stage) },
    { kind: 'rename by base name', run: renamed('moved/', stage) },
    {
      kind: 'rename by intent to add',
      run: renamed('', ({ repo }, { to }) => void repo.tryGit('add', '-N', '-f', '--', to)),
    },
    {
      kind: 'copy by intent to add',
      run: (world) => {
        const pair = committedPair(world);
        if (!pair) return false;
        const { repo } = world;
        repo.write(pair.to, edited(world, pair.text, 90));
        repo.append(pair.from, 'the source changes too\n');
        repo.tryGit('config', 'status.renames', 'copies');
        repo.tryGit('add', '-N', '-f', '--', pair.to);
        return true;
      },
    },
    {
      kind: 'old name of another type',
      run: renamed('', (world, pair) => {
        world.repo.symlink('nowhere', pair.from);
        stage(world, pair);
      }),
    },
    {
      kind: 'old name with other content',
      run: renamed('', (world, pair) => {
        world.repo.write(pair.from, lines(world, 20).join(''));
        stage(world, pair);
      }),
    },
    {
      kind: 'several sources for a rename',
      run: (world) => {
        const pair = committedPair(world);
        if (!pair) return false;
        const { repo } = world;
        for (const twin of ['twin-1', 'twin-2'])
          if (!repo.exists(twin)) repo.write(twin, edited(world, pair.text, 95));
        repo.tryGit('add', '-A', '-f', '.');
        if (repo.tryGit('commit', '-q', '-m', 'twins').code !== 0) return false;
        for (const old of [pair.from, 'twin-1', 'twin-2']) if (repo.exists(old)) repo.remove(old);
        repo.write(pair.to, edited(world, pair.text, 90));
        repo.write('moved-twin', edited(world, pair.text, 80));
        repo.tryGit('add', '-A', '-f', '.');
        return true;
      },
    },
    {
      kind: 'renames past the limit',
      run: (world) => {
        const { repo, prng } = world;
        const many = Array.from({ length: 4 }, (_, i) => ({ path: `many-${i}`, text: lines(world, 12) }));
        if (many.some(({ path }) => repo.exists(path) || repo.exists(`to-${path}`))) return false;
        many.forEach(({ path, text }) => repo.write(path, text.join('')));
        repo.tryGit('add', '-f', '--', ...many.map(({ path }) => path));
        if (repo.tryGit('commit', '-q', '-m', 'many').code !== 0) return false;
        for (const { path, text } of many) {
          if (repo.exists(path)) repo.remove(path);
          repo.write(`to-${path}`, edited(world, text, 85));
        }
        repo.tryGit('add', '-A', '-f', '.');
        repo.tryGit('config', 'diff.renameLimit', prng.pick(['1', '2', '3', '4']));
        return true;
      },
    },
  ]),
];
