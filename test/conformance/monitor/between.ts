/** Events between two questions of a git with our monitor, in a repository of fill(). */
import { writeFileSync } from 'node:fs';
import { atLeast } from '../../support/oracle';
import { run } from '../../support/run';
import type { World } from './world';

/** Two commits; the first is the branch `before`. git believes that every file is unchanged. */
export function fill(world: World): void {
  const { repo } = world;
  for (const path of ['a/b/c', 'a/d', 'e', 'f/g']) repo.write(path, `${path}\n`);
  repo.write('.gitignore', 'ignored\n');
  repo.commit();
  repo.git('branch', 'before');
  repo.write('e', 'changed\n');
  repo.write('a/b/new', 'new\n');
  repo.commit();
  // The first answer is "everything"; the second lists names that the third need not repeat.
  for (let i = 0; i < 3; i++) world.check();
}

/** Fails if git's answer is wrong after `act`, or after a later edit. */
export function isRightAfter(name: string, act: (world: World) => void, world: World): void {
  if (name.startsWith('sparse-checkout') && !atLeast(2, 27)) return;
  world.repo.write('a/d', 'edited\n');
  world.repo.write('a/b/u', '');
  world.check();
  act(world);
  world.check();
  world.repo.write('a/b/c', 'edited after\n');
  world.check();
  world.check('-uall');
}

/** Actions of git on an index between two questions, or events of files meanwhile. */
export const between: Readonly<Record<string, (world: World) => void>> = {
  'reset --mixed': ({ repo }) => repo.git('reset', '-q', 'before'),
  'reset --hard': ({ repo }) => repo.git('reset', '-q', '--hard', 'before'),
  'reset of paths': ({ repo }) => repo.git('reset', '-q', 'before', '--', 'e', 'a'),
  checkout: ({ repo }) => repo.git('checkout', '-q', 'before'),
  'checkout of paths': ({ repo }) => repo.git('checkout', '-q', 'before', '--', 'e'),
  stash: ({ repo }) => repo.git('stash', '-q', '-u'),
  'stash pop': ({ repo }) => {
    repo.git('stash', '-q', '-u');
    repo.git('stash', 'pop', '-q');
  },
  merge: ({ repo }) => {
    repo.git('stash', '-q', '-u');
    repo.git('checkout', '-q', '-b', 'side', 'before');
    repo.write('f/g', 'side\n');
    repo.commit();
    repo.git('merge', '-q', '-m', 'm', 'main');
  },
  rebase: ({ repo }) => {
    repo.git('stash', '-q', '-u');
    repo.git('checkout', '-q', '-b', 'side', 'before');
    repo.write('f/g', 'side\n');
    repo.commit();
    repo.git('rebase', '-q', 'main');
  },
  'add -p': ({ repo }) => void repo.gitWithInput('y\nn\n', 'add', '-p'),
  'sparse-checkout': ({ repo }) => {
    repo.git('stash', '-q', '-u');
    repo.git('sparse-checkout', 'set', 'f');
  },
  'sparse-checkout and back': ({ repo }) => {
    repo.git('stash', '-q', '-u');
    repo.git('sparse-checkout', 'set', 'f');
    repo.git('sparse-checkout', 'disable');
  },
  'update-index --cacheinfo': ({ repo }) => {
    const [blob = ''] = repo.git('rev-parse', 'before:e').split('\n');
    repo.git('update-index', '--cacheinfo', `100644,${blob},e`);
  },
  'update-index --really-refresh': ({ repo }) => void repo.tryGit('update-index', '--really-refresh'),
  'update-index --fsmonitor-valid': ({ repo }) => repo.git('update-index', '--fsmonitor-valid', 'a/d'),
  'read-tree': ({ repo }) => repo.git('read-tree', 'before'),
  'read-tree -m': ({ repo }) => repo.git('read-tree', '-m', 'before'),
  'read-tree --empty': ({ repo }) => repo.git('read-tree', '--empty'),
  'rm --cached': ({ repo }) => repo.git('rm', '-q', '--cached', 'e'),
  'a commit of everything': ({ repo }) => repo.git('commit', '-q', '-a', '-m', 'all'),
  'a directory that went away and came back': ({ repo }) => {
    repo.rename('a', '../away');
    repo.write('../away/b/c', 'changed meanwhile\n');
    repo.write('../away/b/untracked', '');
    repo.rename('../away', 'a');
  },
  'another directory in the place of one': (of) => {
    of.repo.write('n/m/untracked', '');
    of.repo.write('n/ignored', '');
    for (let i = 0; i < 3; i++) of.check();
    of.repo.mkdir('../other/m');
    of.repo.write('../other/ignored', '');
    of.repo.rename('n', '../away');
    of.repo.rename('../other', 'n');
  },
  // git's own monitor reports the last edit as clean.
  'a move, a commit and an edit two levels below': ({ repo }) => {
    repo.rename('a', 'z');
    repo.commit();
    repo.tryGit('status');
    repo.write('z/b/c', 'edited\n');
  },
  'a repository that comes into being': (of) => {
    const nested = `${of.repo.root}/nested`;
    of.repo.write('nested/file', '');
    of.check();
    run('git', ['init', '-q', nested], { cwd: of.repo.root, env: of.sandbox.env });
  },
  'a name that git refuses': ({ repo }) => repo.write('a/git~1', ''),
  'an index that another program wrote': ({ repo, sandbox }) => {
    // A copy of the earlier index: its tokens, marks and stat data are stale.
    const copy = run('cat', ['.git/index'], { cwd: repo.root, env: sandbox.env }).stdout;
    repo.write('f/g', 'changed\n');
    repo.write('f/untracked', '');
    repo.tryGit('status');
    writeFileSync(`${repo.root}/.git/index`, copy);
  },
};
