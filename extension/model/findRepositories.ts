/**
 * Finds folders with a `.git` by reading directories, without a process: nested repositories, submodules, linked
 * worktrees. Whether git accepts a repository is known only when it is opened.
 */
import { Dirent } from 'node:fs';
import { lstat, readdir, readFile, stat } from 'node:fs/promises';
import { fromBytes, join, relativeTo, toBytes } from './repoPath';
import { DiscoverResult, WorktreeRoot } from '../protocol';

/**
 * Repositories at most `depth` levels below `folder`, and folders that cannot be read. `folder` is a real path, and
 * is not in the result. Does not follow symbolic links. Skips `.git` and `node_modules`. Reads one folder at a time.
 */
export async function findRepositories(folder: string, depth: number): Promise<DiscoverResult> {
  const found: DiscoverResult = { roots: [], problems: [] };
  const look = async (path: string, level: number): Promise<void> => {
    let listing: Dirent<Buffer>[];
    try {
      listing = await readdir(toBytes(path), { encoding: 'buffer', withFileTypes: true });
    } catch (error) {
      // For `folder` itself, the caller's question to git reports the error.
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

/** The nearest folder with a `.git`, from `folder` upwards. `top` contains `folder`, and is not tested itself. */
export async function nearestRepository(folder: string, top: string): Promise<WorktreeRoot | undefined> {
  for (let path = folder; path !== top && relativeTo(top, path) !== undefined;) {
    if (await isRepository(path)) return path;
    path = path.slice(0, path.lastIndexOf('/'));
  }
  return undefined;
}

/** Time for replacing or removing a repository to finish. The editor reports a `.git` that appears later. */
export const kGoneMs = 2_000;

const kDotGit = Buffer.from('.git');

const isMissing = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');

/**
 * True if the git directory has a HEAD. `.git` is the git directory, or a file that names it. Follows links, like
 * git. True also if an error prevents the check: git then reports the reason.
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

/** The git directory that the file `dotGit` of a submodule or a linked worktree names. */
async function namedGitDir(root: string, dotGit: string): Promise<string> {
  const text = fromBytes(await readFile(toBytes(dotGit)));
  const [, named = ''] = /^gitdir: (.*?)[\r\n]*$/s.exec(text) ?? [];
  return named.startsWith('/') ? named : join(root, named);
}
