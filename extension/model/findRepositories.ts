/**
 * Folders that hold a `.git`, found by looking, without a process: nested repositories, submodules, linked worktrees.
 * Whether git accepts one is known when it is opened.
 */
import { Dirent } from 'node:fs';
import { lstat, readdir, readFile, stat } from 'node:fs/promises';
import { fromBytes, join, relativeTo, toBytes } from './repoPath';
import { DiscoverResult, WorktreeRoot } from '../protocol';

/**
 * What lies at most `depth` levels below `folder`, a real path, and what of it cannot be looked into. `folder` itself is
 * not among it. Follows no symbolic link, enters neither `.git` nor `node_modules`. One folder at a time.
 */
export async function findRepositories(folder: string, depth: number): Promise<DiscoverResult> {
  const found: DiscoverResult = { roots: [], problems: [] };
  const look = async (path: string, level: number): Promise<void> => {
    let listing: Dirent<Buffer>[];
    try {
      listing = await readdir(toBytes(path), { encoding: 'buffer', withFileTypes: true });
    } catch (error) {
      // The folder itself is told by whoever asks git about it.
      if (!isMissing(error) && level > 0) found.problems.push({ path, message: (error as Error).message });
      return;
    }
    if (level > 0 && listing.some(({ name }) => name.equals(kDotGit)) && (await isRepository(path)))
      found.roots.push(path);
    if (level === depth) return;
    for (const entry of listing) {
      if (!entry.isDirectory()) continue;
      const name = fromBytes(entry.name);
      if (name !== '.git' && name !== 'node_modules') await look(join(path, name), level + 1);
    }
  };
  if (depth > 0) await look(folder, 0);
  found.roots.sort();
  return found;
}

/** The nearest folder with a `.git` from `folder` up to, but without, `top`, which contains it. */
export async function nearestRepository(folder: string, top: string): Promise<WorktreeRoot | undefined> {
  for (let path = folder; path !== top && relativeTo(top, path) !== undefined;) {
    if (await isRepository(path)) return path;
    path = path.slice(0, path.lastIndexOf('/'));
  }
  return undefined;
}

/**
 * Whoever makes a repository anew, or is in the middle of removing one, has done so by then. The editor tells of a `.git`
 * that comes later.
 */
export const kGoneMs = 2_000;

const kDotGit = Buffer.from('.git');

const isMissing = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');

/**
 * The git directory, in place or where a file says that it is, is more than an empty shell. Links are followed, as git
 * does. Of what may not be looked at, git is to say why.
 */
export async function isRepository(root: string): Promise<boolean> {
  const dotGit = join(root, '.git');
  try {
    const what = await stat(toBytes(dotGit));
    const gitDir = what.isFile() ? await namedGitDir(root, dotGit) : dotGit;
    await lstat(toBytes(join(gitDir, 'HEAD')));
    return true;
  } catch (error) {
    return !isMissing(error);
  }
}

/** What the file `dotGit` of a submodule or a linked worktree names. */
async function namedGitDir(root: string, dotGit: string): Promise<string> {
  const text = fromBytes(await readFile(toBytes(dotGit)));
  const [, named = ''] = /^gitdir: (.*?)[\r\n]*$/s.exec(text) ?? [];
  return named.startsWith('/') ? named : join(root, named);
}
