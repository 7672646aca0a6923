/** Files of a worktree by any name. Does not know `vscode`. */
import { Stats } from 'node:fs';
import { lstat, readFile, realpath } from 'node:fs/promises';
import { fromBytes, join, toBytes } from '../model/repoPath';
import { RepoPath } from '../protocol';

/** Undefined where there is no such file, or it cannot be read. */
export async function readWorktreeFile(root: string, path: RepoPath): Promise<Buffer | undefined> {
  try {
    return await readFile(toBytes(join(root, path)));
  } catch {
    return undefined;
  }
}

/** Whether a file stands there, and not somewhere else behind a symbolic link: only that one is git's to change. */
export async function isWorktreeFile(root: string, path: RepoPath): Promise<boolean> {
  return (await stats(root, path))?.isFile() === true;
}

/** The same of a file or a symbolic link, which is git's too. */
export async function isWorktreeFileOrLink(root: string, path: RepoPath): Promise<boolean> {
  const found = await stats(root, path);
  return found?.isFile() === true || found?.isSymbolicLink() === true;
}

/** Undefined where nothing stands there, or one of its folders is a symbolic link. */
async function stats(root: string, path: RepoPath): Promise<Stats | undefined> {
  const absolute = join(root, path);
  const folder = absolute.slice(0, absolute.lastIndexOf('/'));
  try {
    const real = await realpath(toBytes(folder), { encoding: 'buffer' });
    return fromBytes(real) === folder ? await lstat(toBytes(absolute)) : undefined;
  } catch {
    return undefined;
  }
}
