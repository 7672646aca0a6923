/** Sources of conflicts: real merges, and stages like those of any tool. */
import { content } from '../names';
import type { World } from '../world';
import { type Operation, oneOf } from './operation';

interface Quarrel {
  kind: string;
  ours(world: World): void;
  theirs(world: World): void;
}

function replaceQuarrel({ repo }: World, by: (path: string) => void): void {
  if (repo.exists('quarrel')) repo.remove('quarrel');
  by('quarrel');
}

const quarrels: readonly Quarrel[] = [
  {
    kind: 'quarrel over content',
    ours: ({ repo, prng }) => repo.write('quarrel', `ours ${prng.below(100)}\n`),
    theirs: ({ repo }) => repo.write('quarrel', 'theirs\n'),
  },
  {
    kind: 'quarrel over an addition',
    ours: ({ repo, prng }) => repo.write(`new ${prng.below(3)}`, 'ours\n'),
    theirs: ({ repo }) => [0, 1, 2].forEach((i) => repo.write(`new ${i}`, 'theirs\n')),
  },
  {
    kind: 'quarrel over our deletion',
    ours: ({ repo }) => repo.remove('quarrel'),
    theirs: ({ repo }) => repo.append('quarrel', 'theirs\n'),
  },
  {
    kind: 'quarrel over their deletion',
    ours: ({ repo }) => repo.append('quarrel', 'ours\n'),
    theirs: ({ repo }) => repo.remove('quarrel'),
  },
  {
    kind: 'quarrel over a name',
    ours: ({ repo }) => repo.rename('quarrel', 'our name'),
    theirs: ({ repo }) => repo.rename('quarrel', 'their name'),
  },
  {
    kind: 'quarrel over a type',
    ours: (world) => replaceQuarrel(world, (path) => world.repo.symlink('a', path)),
    theirs: ({ repo }) => repo.append('quarrel', 'theirs\n'),
  },
  {
    kind: 'quarrel over a mode',
    ours: ({ repo }) => {
      repo.write('new 0', 'ours\n');
      repo.chmod('new 0', 0o755);
    },
    theirs: ({ repo }) => repo.write('new 0', 'theirs\n'),
  },
  {
    kind: 'quarrel over a directory',
    ours: (world) => replaceQuarrel(world, (path) => world.repo.write(`${path}/inside`, 'ours\n')),
    theirs: ({ repo }) => repo.append('quarrel', 'theirs\n'),
  },
  {
    kind: 'quarrel of a directory with a file',
    ours: ({ repo }) => repo.write('new 1', 'ours\n'),
    theirs: ({ repo }) => repo.write('new 1/inside', 'theirs\n'),
  },
  {
    kind: 'quarrel over a rename and an edit',
    ours: ({ repo }) => repo.rename('quarrel', 'our name'),
    theirs: ({ repo, prng }) =>
      prng.chance(50) ? repo.write('quarrel', 'theirs\n') : repo.remove('quarrel'),
  },
];

const places = ['our name', 'their name', 'new 0', 'new 1', 'new 2'];

function conflict(world: World, { ours, theirs }: Quarrel): boolean {
  const { repo, prng } = world;
  if (repo.kind('quarrel') === 'directory') return false;
  repo.tryGit('reset', '-q', '--hard');
  for (const path of places) if (repo.exists(path)) repo.remove(path);
  if (repo.exists('quarrel')) repo.remove('quarrel');
  repo.write('quarrel', content(prng) + 'a line\nb line\nc line\n');
  repo.tryGit('add', '-A');
  repo.tryGit('add', '-f', 'quarrel');
  if (repo.tryGit('commit', '-q', '-m', 'before').code !== 0) return true;
  if (repo.tryGit('checkout', '-q', '-B', 'quarrel-side').code !== 0) return true;
  // A sparse checkout may have left the file out.
  if (repo.kind('quarrel') !== 'file') return true;
  theirs(world);
  repo.tryGit('add', '-A', '-f', '.');
  repo.tryGit('commit', '-q', '-m', 'theirs');
  if (repo.tryGit('checkout', '-q', '-B', 'quarrel-main', 'HEAD~1').code !== 0) return true;
  if (repo.kind('quarrel') !== 'file') return true;
  for (const path of places) if (repo.exists(path)) return true;
  ours(world);
  repo.tryGit('add', '-A', '-f', '.');
  repo.tryGit('commit', '-q', '-m', 'ours');
  repo.tryGit(prng.pick(['merge', 'merge', 'merge', 'rebase', 'cherry-pick']), 'quarrel-side');
  return true;
}

/** Stages of random types and modes at one path, like in a merge tool's index. */
function writeStages(world: World): boolean {
  const { repo, prng } = world;
  const path = prng.pick(['staged-by-hand', 'd/staged-by-hand', 'a']);
  const blob = repo.gitWithInput(`stage ${prng.below(5)}\n`, 'hash-object', '-w', '--stdin');
  const head = repo.ask('rev-parse', '-q', '--verify', 'HEAD');
  if (blob.code !== 0) return false;
  const id = blob.stdout.toString('latin1').trim();
  const commit = head.code === 0 ? head.stdout.toString('latin1').trim() : id;
  const stages = prng.sample([1, 2, 3], 1 + prng.below(3));
  const zeros = '0'.repeat(id.length);
  const info = stages.map((stage) => {
    const mode = prng.pick(['100644', '100644', '100755', '120000', '160000']);
    return `${mode} ${mode === '160000' ? commit : id} ${stage}\t${path}\n`;
  });
  repo.gitWithInput([`0 ${zeros}\t${path}\n`, ...info].join(''), 'update-index', '--index-info');
  if (prng.chance(50) && world.creatable(path) && !repo.exists(path)) repo.write(path, 'on disk\n');
  return true;
}

function endConflict(world: World): undefined {
  const { repo, prng } = world;
  const way = prng.pick(['merge', 'rebase', 'cherry-pick']);
  if (prng.chance(50)) repo.tryGit(way, '--abort');
  else if (repo.tryGit('add', '-A').code === 0) repo.tryGit(way, '--continue');
}

export const quarrelOperations: Operation[] = [
  oneOf(
    'conflict',
    7,
    quarrels.map((quarrel) => ({ kind: quarrel.kind, run: (world) => conflict(world, quarrel) })),
  ),
  { name: 'stages by hand', weight: 2, run: writeStages },
  { name: 'end a conflict', weight: 2, run: endConflict },
];
