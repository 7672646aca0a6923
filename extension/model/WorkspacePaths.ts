/**
 * The two names of a file: where it really is, which identifies it to the helper, and where the user opened it,
 * which is what every URI of the editor says. They differ below a workspace folder that is reached by a symlink.
 */
import { realpath } from 'node:fs/promises';
import { join, relativeTo } from './repoPath';

export interface WorkspaceFolder {
  opened: string;
  real: string;
}

/** One that cannot be resolved is reported by the helper, which finds no repository there. */
export async function resolveFolder(opened: string): Promise<WorkspaceFolder> {
  return { opened, real: await realpath(opened).catch(() => opened) };
}

export class WorkspacePaths {
  constructor(readonly folders: readonly WorkspaceFolder[]) {}

  /** Whether a real path is one of the folders, or below one. */
  contains(real: string): boolean {
    return this.folders.some((folder) => relativeTo(folder.real, real) !== undefined);
  }

  /** The real path of a path that the user sees. */
  toReal(opened: string): string {
    const folder = longest(this.folders, (candidate) => candidate.opened, opened);
    return folder === undefined ? opened : join(folder.real, relativeTo(folder.opened, opened) ?? '');
  }

  /**
   * Every name by which the user can see a real path: one for each workspace folder that leads there, longest
   * folder first, or else the real path itself. Never empty.
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

/** The item whose path contains `path`, the deepest where several do. */
export function longest<T>(items: Iterable<T>, pathOf: (item: T) => string, path: string): T | undefined {
  let best: T | undefined;
  for (const item of items) {
    if (relativeTo(pathOf(item), path) === undefined) continue;
    if (best === undefined || pathOf(item).length > pathOf(best).length) best = item;
  }
  return best;
}
