/** Files of a worktree by any name. Does not know `vscode`. */
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
  const absolute = join(root, path);
  const folder = absolute.slice(0, absolute.lastIndexOf('/'));
  try {
    const real = await realpath(toBytes(folder), { encoding: 'buffer' });
    return fromBytes(real) === folder && (await lstat(toBytes(absolute))).isFile();
  } catch {
    return false;
  }
}
