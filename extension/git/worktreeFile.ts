/** Reads, checks and deletes files of a worktree. Their names may be any bytes. Does not know `vscode`. */
import { Stats } from 'node:fs';
import { lstat, readFile, realpath, unlink } from 'node:fs/promises';
import { fromBytes, join, toBytes } from '../model/repoPath';
import { RepoPath } from '../protocol';

/** Undefined if the file is missing or cannot be read. */
export async function readWorktreeFile(root: string, path: RepoPath): Promise<Buffer | undefined> {
  try {
    return await readFile(toBytes(join(root, path)));
  } catch {
    return undefined;
  }
}

/** True if the path is a regular file, and no folder of it is a symbolic link. Only such a file is git's to change. */
export async function isWorktreeFile(root: string, path: RepoPath): Promise<boolean> {
  return (await stats(root, path))?.isFile() === true;
}

/** Like `isWorktreeFile`, but also true for a symbolic link: git tracks links too. */
export async function isWorktreeFileOrLink(root: string, path: RepoPath): Promise<boolean> {
  const found = await stats(root, path);
  return found?.isFile() === true || found?.isSymbolicLink() === true;
}

/** Undefined if the path is missing, or one of its folders is a symbolic link. */
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

/** Deletes permanently, without the trash. Deletes a symbolic link, not its target. */
export async function unlinkFile(root: string, path: RepoPath): Promise<void> {
  await unlink(toBytes(join(root, path)));
}
