/** The context value of a row. It decides which entries of the row's menu are shown. */
import { StatusEntry } from '../protocol';
import { openTarget } from './openTarget';
import { GroupId, isGone, isInnerChange, ResourceStatus, statusIn } from './status';

/**
 * Words for the `when` clauses of package.json, separated by spaces. The first word is the row's status, 'submodule',
 * or 'repository' for an untracked nested repository. Further words, where they apply:
 *  - 'file': the worktree has a file to open; 'folder': it has a folder.
 *  - 'head': HEAD has a version of the file.
 *  - 'changes': a comparison or another version can be shown.
 *  - 'inside': only files inside a submodule changed. This repository can neither stage nor discard them.
 */
export function rowContext(entry: StatusEntry, group: GroupId): string {
  const status = statusIn(entry, group);
  const target = openTarget(entry, group);
  if (status === undefined || target === undefined) return '';
  if (target.kind === 'folder') {
    if (entry.kind === 'untracked') return 'repository folder';
    const words = ['submodule', ...(hasFile(entry, status) ? ['folder'] : [])];
    return [...words, ...(group === 'workingTree' && isInnerChange(entry) ? ['inside'] : [])].join(' ');
  }
  const shown = target.kind === 'diff' || target.file.source !== 'worktree';
  const words = [hasFile(entry, status) && 'file', isInHead(entry, status) && 'head', shown && 'changes'];
  return [status, ...words.filter((word) => word !== false)].join(' ');
}

/** A staged file can be deleted in the worktree. */
function hasFile(entry: StatusEntry, status: ResourceStatus): boolean {
  return !isGone(status) && !(entry.kind === 'changed' && entry.worktree === 'D');
}

const kNotInHead: ReadonlySet<ResourceStatus> = new Set([
  'indexAdded',
  'intentToAdd',
  'untracked',
  'bothDeleted',
  'addedByThem',
  'deletedByUs',
]);

function isInHead(entry: StatusEntry, status: ResourceStatus): boolean {
  return !kNotInHead.has(status) && !(entry.kind === 'changed' && entry.index === 'A');
}
