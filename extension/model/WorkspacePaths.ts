/**
 * Maps between the two paths of a file. The real path identifies the file to the helper. The opened path is the path
 * by which the user opened it; all URIs of the editor have it. The two differ below a workspace folder that is
 * reached by a symlink.
 */
import { realpath } from 'node:fs/promises';
import { join, relativeTo } from './repoPath';

export interface WorkspaceFolder {
  opened: string;
  real: string;
}

/** A folder that cannot be resolved keeps its path: the helper reports that it finds no repository there. */
export async function resolveFolder(opened: string): Promise<WorkspaceFolder> {
  return { opened, real: await realpath(opened).catch(() => opened) };
}

export class WorkspacePaths {
  constructor(readonly folders: readonly WorkspaceFolder[]) {}

  /** True if a real path is a workspace folder, or below one. */
  contains(real: string): boolean {
    return this.folders.some((folder) => relativeTo(folder.real, real) !== undefined);
  }

  /** The real path of a path that the user sees. */
  toReal(opened: string): string {
    const folder = longest(this.folders, (candidate) => candidate.opened, opened);
    return folder === undefined ? opened : join(folder.real, relativeTo(folder.opened, opened) ?? '');
  }

  /**
   * Every path by which the user can see a real path: one for each workspace folder that leads there, the longest
   * folder first. Without such a folder: the real path itself. Never empty.
   */
  toOpened(real: string): [string, ...string[]] {
    const names = new Set<string>();
    const leading = this.folders.filter((folder) => relativeTo(folder.real, real) !== undefined);
    leading.sort((a, b) => b.real.length - a.real.length);
    for (const folder of leading) names.add(join(folder.opened, relativeTo(folder.real, real) ?? ''));
    const [first, ...others] = names;
    return first === undefined ? [real] : [first, ...others];
  }
}

/** The item whose path contains `path`; of several, the deepest. */
export function longest<T>(items: Iterable<T>, pathOf: (item: T) => string, path: string): T | undefined {
  let best: T | undefined;
  for (const item of items) {
    if (relativeTo(pathOf(item), path) === undefined) continue;
    if (best === undefined || pathOf(item).length > pathOf(best).length) best = item;
  }
  return best;
}
