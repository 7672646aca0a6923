/** Files of a worktree by any name. Does not know `vscode`. */
import { readFile } from 'node:fs/promises';
import { join, toBytes } from '../model/repoPath';
import { RepoPath } from '../protocol';

/** Undefined where there is no such file, or it cannot be read. */
export async function readWorktreeFile(root: string, path: RepoPath): Promise<Buffer | undefined> {
  try {
    return await readFile(toBytes(join(root, path)));
  } catch {
    return undefined;
  }
}
