/** Which entries of a row's menu can work on it. */
import { StatusEntry } from '../protocol';
import { isInnerChange } from './changes';
import { openTarget } from './openTarget';
import { GroupId, ResourceStatus, statusIn } from './status';

/**
 * The words that the `when` clauses of package.json ask for, with spaces between. The first is the row's status, or
 * 'submodule', or 'repository' for an untracked nested repository. Then, where they hold:
 * - 'file': the worktree has a file to open; 'folder': it has a folder.
 * - 'head': HEAD has a version of the file.
 * - 'changes': there is a comparison or another version to show.
 * - 'inside': a submodule has changes in its files only, which this repository can neither stage nor discard.
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

const kGone: ReadonlySet<ResourceStatus> = new Set(['deleted', 'indexDeleted', 'bothDeleted']);

/** A file that is staged can be gone from the worktree. */
function hasFile(entry: StatusEntry, status: ResourceStatus): boolean {
  return !kGone.has(status) && !(entry.kind === 'changed' && entry.worktree === 'D');
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
