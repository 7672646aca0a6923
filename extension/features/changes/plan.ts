/**
 * Plans the paths of a command on rows. Rows say what a person chose. Entries are newer and say what exists now. To
 * stage and unstage, the entries come from the model's deltas; to discard, from a fresh query.
 */
import { t } from '../../l10n';
import { Left } from '../../model/left';
import { GroupId, isInnerChange, statusIn } from '../../model/status';
import { RepoPath, StatusEntry } from '../../protocol';

/** A row that a person chose. */
export interface Chosen {
  path: RepoPath;
  group: GroupId;
}

export interface StagePlan {
  paths: RepoPath[];
  /** Subset of `paths` that is deleted in the worktree. */
  deleted: RepoPath[];
  /** Unmerged subset of `paths`: staging marks them as resolved. */
  unmerged: RepoPath[];
  /** Paths that cannot be staged here, with the reason. */
  left: Left[];
}

const kNested = t('is a nested repository');
const kConflict = t('has conflicts');
const kInner = t('has changes of its own: commit them in the submodule');

export function planStage(entries: Iterable<StatusEntry>): StagePlan {
  const plan: StagePlan = { paths: [], deleted: [], unmerged: [], left: [] };
  for (const entry of entries) {
    const { path } = entry;
    if (path.endsWith('/')) plan.left.push({ path, why: kNested });
    else if (isInnerChange(entry)) plan.left.push({ path, why: kInner });
    else {
      plan.paths.push(path);
      if (entry.kind === 'unmerged') plan.unmerged.push(path);
      if (entry.kind !== 'changed') continue;
      if (entry.worktree === 'D') plan.deleted.push(path);
      // The old path of a rename that `add --intent-to-add` has begun.
      if (entry.worktree === 'R' && entry.from !== undefined) {
        plan.paths.push(entry.from);
        plan.deleted.push(entry.from);
      }
    }
  }
  return plan;
}

export interface DiscardPlan {
  /** Restored from the index. */
  restore: RepoPath[];
  /** Marked by `add --intent-to-add`, without content in git: they become untracked, and the files stay. */
  forget: RepoPath[];
  /** For `git submodule update`. */
  submodules: RepoPath[];
  /** Untracked files to delete. */
  remove: RepoPath[];
  left: Left[];
}

/** `current`: the entries of the worktree now. A path that changed since it was chosen is not discarded. */
export function planDiscard(chosen: Iterable<Chosen>, current: Iterable<StatusEntry>): DiscardPlan {
  const plan: DiscardPlan = { restore: [], forget: [], submodules: [], remove: [], left: [] };
  const byPath = new Map<RepoPath, StatusEntry[]>();
  for (const entry of current) byPath.set(entry.path, [...(byPath.get(entry.path) ?? []), entry]);
  for (const { path, group } of chosen) {
    const entries = byPath.get(path) ?? [];
    const entry = entries.find((each) => statusIn(each, group) !== undefined);
    if (entry !== undefined) planOne(plan, entry);
    else if (group === 'untracked') plan.left.push({ path, why: t('is no longer untracked') });
    else if (entries.some(({ kind }) => kind === 'unmerged')) plan.left.push({ path, why: kConflict });
    // Otherwise the worktree no longer has a change of this path.
  }
  return plan;
}

function planOne(plan: DiscardPlan, entry: StatusEntry): void {
  const { path } = entry;
  if (entry.kind === 'untracked') {
    if (path.endsWith('/')) plan.left.push({ path, why: kNested });
    else plan.remove.push(path);
  } else if (entry.kind === 'unmerged') {
    plan.left.push({ path, why: kConflict });
  } else if (isInnerChange(entry)) {
    plan.left.push({ path, why: kInner });
  } else if (entry.submodule !== undefined) {
    plan.submodules.push(path);
  } else if (entry.worktree === 'A' || entry.worktree === 'R' || entry.worktree === 'C') {
    plan.forget.push(path);
    if (entry.worktree === 'R' && entry.from !== undefined) plan.restore.push(entry.from);
  } else {
    plan.restore.push(path);
  }
}
