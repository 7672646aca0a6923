/**
 * Finds the folder of a folder's row in the tree view. Its commands receive the rows below the folder, not the
 * folder.
 */
import { RepoPath } from '../protocol';

/**
 * The possible folders of the row, the deepest first. Empty if the paths share no folder. Empty also if all shared
 * folders have more rows, for example when several folders are selected.
 *
 * `isCompact`: a folder whose only child is a folder has no row of its own. The row is then that of the deepest
 * folder that contains all paths.
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

/** The names of the folders above the path. The trailing '/' of a nested repository adds no folder. */
function foldersAbove(path: RepoPath): string[] {
  return path.replace(/\/$/, '').split('/').slice(0, -1);
}

function common(a: readonly string[], b: readonly string[]): string[] {
  const end = a.findIndex((name, i) => name !== b[i]);
  return a.slice(0, end < 0 ? a.length : end);
}
