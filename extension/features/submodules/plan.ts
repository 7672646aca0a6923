/** git arguments for submodules. */
import { RepoPath, StatusEntry } from '../../protocol';

export function isSubmodule(entry: StatusEntry): boolean {
  return entry.kind !== 'untracked' && entry.submodule !== undefined;
}

export interface SubmoduleOptions {
  /** Clones missing submodules. */
  init: boolean;
  /** Also updates nested submodules, at any depth. */
  recursive: boolean;
}

/**
 * True if an update checks out another commit than the present one. For nested submodules, git reports only that
 * something differs (`M`): it may be their commit.
 */
export function leavesCommit(entry: StatusEntry, { recursive }: SubmoduleOptions): boolean {
  if (entry.kind !== 'changed' || entry.submodule === undefined) return false;
  return entry.submodule.startsWith('SC') || (recursive && entry.submodule[2] === 'M');
}

/** Without `paths`: all initialized submodules, or with `init` all submodules. Paths are literal, not patterns. */
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
