/** Which folder a folder's row of the tree view stands for: its commands are given the rows below it, and not the folder. */
import { RepoPath } from '../protocol';

/**
 * What the row may stand for, the deepest first; empty where the paths share no folder, or those that they share have more
 * rows, as where several folders are selected. `isCompact`: a folder in which another one stands alone has no row of its
 * own, so that the row is that of the deepest folder which has them all.
 */
export function foldersOfRow(
  paths: readonly RepoPath[],
  isCompact: boolean,
  rowsBelow: (folder: RepoPath) => number,
): RepoPath[] {
  const [first, ...others] = paths.map(foldersAbove);
  const shared = others.reduce(common, first ?? []);
  const folders = shared.map((_, i) => shared.slice(0, i + 1).join('/')).reverse();
  const candidates = isCompact ? folders.slice(0, 1) : folders;
  return candidates.filter((folder) => rowsBelow(folder) <= paths.length);
}

/** The names of the folders above it. A '/' at its end, as a repository within has, is no folder above. */
function foldersAbove(path: RepoPath): string[] {
  return path.replace(/\/$/, '').split('/').slice(0, -1);
}

function common(a: readonly string[], b: readonly string[]): string[] {
  const end = a.findIndex((name, i) => name !== b[i]);
  return a.slice(0, end < 0 ? a.length : end);
}
