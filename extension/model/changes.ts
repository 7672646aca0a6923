/**
 * Which paths a command on rows is about. Rows say what a person chose; what stands there is told by entries, which are
 * newer: of the model's deltas to stage and unstage, of a question of this moment to discard.
 */
import { RepoPath, StatusEntry } from '../protocol';
import { t } from '../l10n';
import { GroupId, statusIn } from './status';

/** A row. */
export interface Chosen {
  path: RepoPath;
  group: GroupId;
}

export interface StagePlan {
  paths: RepoPath[];
  /** Those of them that are gone from the worktree. */
  deleted: RepoPath[];
  /** Unmerged: staging them marks them resolved. */
  unmerged: RepoPath[];
  /** Nothing of them can be staged here. */
  left: Left[];
}

export interface Left {
  path: RepoPath;
  why: string;
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
      // The other half of a rename that `add --intent-to-add` has begun.
      if (entry.worktree === 'R' && entry.from !== undefined) {
        plan.paths.push(entry.from);
        plan.deleted.push(entry.from);
      }
    }
  }
  return plan;
}

export interface DiscardPlan {
  /** Written again as the index has them. */
  restore: RepoPath[];
  /** Only marked to be added, so that git has no content of them: they become untracked, and the files stay. */
  forget: RepoPath[];
  /** For `git submodule update`. */
  submodules: RepoPath[];
  /** Untracked, to be deleted. */
  remove: RepoPath[];
  left: Left[];
}

/** `current` is what stands in the worktree now; what is no more as it was chosen is left. */
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
    // Else the worktree has no change of it any more.
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

/** A submodule whose commit is the recorded one, and whose files differ. */
export function isInnerChange(entry: StatusEntry): boolean {
  return entry.kind === 'changed' && entry.worktree === 'M' && entry.submodule?.[1] === '.';
}
