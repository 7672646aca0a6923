/** What git is told about submodules. */
import { RepoPath, StatusEntry } from '../protocol';

export function isSubmodule(entry: StatusEntry): boolean {
  return entry.kind !== 'untracked' && entry.submodule !== undefined;
}

/** Its commit is not the one that the index records. */
export function hasOtherCommit(entry: StatusEntry): boolean {
  return entry.kind === 'changed' && entry.submodule?.startsWith('SC') === true;
}

/** Without `paths` all that are initialized, or with `init` all that there are. They are names, whatever is in them. */
export function submoduleArguments({
  init,
  paths = [],
}: {
  init: boolean;
  paths?: readonly RepoPath[] | undefined;
}): string[] {
  return [
    '--literal-pathspecs',
    'submodule',
    'update',
    '--quiet',
    ...(init ? ['--init'] : []),
    '--',
    ...paths,
  ];
}
