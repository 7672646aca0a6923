/** What git is told about submodules. */
import { RepoPath, StatusEntry } from '../protocol';

export function isSubmodule(entry: StatusEntry): boolean {
  return entry.kind !== 'untracked' && entry.submodule !== undefined;
}

export interface SubmoduleOptions {
  /** Those that are not there yet are cloned. */
  init: boolean;
  /** Theirs are updated too, and theirs again. */
  recursive: boolean;
}

/**
 * Whether updating checks out another commit than the one that is there. Of the submodules within it is only told that
 * something differs (`M`), which may be their commit.
 */
export function leavesCommit(entry: StatusEntry, { recursive }: SubmoduleOptions): boolean {
  if (entry.kind !== 'changed' || entry.submodule === undefined) return false;
  return entry.submodule.startsWith('SC') || (recursive && entry.submodule[2] === 'M');
}

/** Without `paths` all that are initialized, or with `init` all that there are. They are names, whatever is in them. */
export function submoduleArguments({
  init,
  recursive,
  paths = [],
}: SubmoduleOptions & { paths?: readonly RepoPath[] | undefined }): string[] {
  return [
    '--literal-pathspecs',
    'submodule',
    'update',
    '--quiet',
    ...(init ? ['--init'] : []),
    ...(recursive ? ['--recursive'] : []),
    '--',
    ...paths,
  ];
}
