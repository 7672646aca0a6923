/**
 * Maps a line of `git status` to the user's view: its group, and what happened to the file. Names and texts are those
 * of VS Code's own Git, which users know.
 */
import { t } from '../l10n';
import { RepoPath, StatusEntry, StatusLetter } from '../protocol';

/** Sorted like the groups in the view. */
export const groupIds = ['merge', 'index', 'workingTree', 'untracked'] as const;
export type GroupId = (typeof groupIds)[number];

/** Position of untracked files in the view: among the changes, in their own group, or hidden. */
export type UntrackedMode = 'mixed' | 'separate' | 'hidden';

const kNoUntracked = {
  merge: ['merge'],
  index: ['index'],
  workingTree: ['workingTree'],
  untracked: [],
} as const;
const kGroupsOf: Readonly<Record<UntrackedMode, Readonly<Record<GroupId, readonly GroupId[]>>>> = {
  mixed: { ...kNoUntracked, workingTree: ['workingTree', 'untracked'] },
  separate: { ...kNoUntracked, untracked: ['untracked'] },
  hidden: kNoUntracked,
};

/** The groups that a group of the view contains. */
export function groupsWithin(shown: GroupId, mode: UntrackedMode): readonly GroupId[] {
  return kGroupsOf[mode][shown];
}

export type ResourceStatus =
  | 'indexModified'
  | 'indexAdded'
  | 'indexDeleted'
  | 'indexRenamed'
  | 'indexCopied'
  | 'indexTypeChanged'
  | 'modified'
  | 'deleted'
  | 'typeChanged'
  | 'intentToAdd'
  | 'intentToRename'
  | 'intentToCopy'
  | 'untracked'
  | 'bothDeleted'
  | 'addedByUs'
  | 'deletedByThem'
  | 'addedByThem'
  | 'deletedByUs'
  | 'bothAdded'
  | 'bothModified';

const kIndexStatus: Readonly<Partial<Record<StatusLetter, ResourceStatus>>> = {
  M: 'indexModified',
  A: 'indexAdded',
  D: 'indexDeleted',
  R: 'indexRenamed',
  C: 'indexCopied',
  T: 'indexTypeChanged',
};

/** Index against worktree. 'A' comes from `git add --intent-to-add`. R and C can come only from it. */
const kWorktreeStatus: Readonly<Partial<Record<StatusLetter, ResourceStatus>>> = {
  M: 'modified',
  A: 'intentToAdd',
  D: 'deleted',
  R: 'intentToRename',
  C: 'intentToCopy',
  T: 'typeChanged',
};

const kConflictStatus = {
  DD: 'bothDeleted',
  AU: 'addedByUs',
  UD: 'deletedByThem',
  UA: 'addedByThem',
  DU: 'deletedByUs',
  AA: 'bothAdded',
  UU: 'bothModified',
} as const satisfies Record<string, ResourceStatus>;

/** The entry's status in `group`; undefined: no row there. */
export function statusIn(entry: StatusEntry, group: GroupId): ResourceStatus | undefined {
  switch (entry.kind) {
    case 'untracked':
      return group === 'untracked' ? 'untracked' : undefined;
    case 'unmerged':
      return group === 'merge' ? kConflictStatus[entry.conflict] : undefined;
    case 'changed':
      if (group === 'index') return kIndexStatus[entry.index];
      return group === 'workingTree' ? kWorktreeStatus[entry.worktree] : undefined;
  }
}

export function groupsOf(entry: StatusEntry): GroupId[] {
  return groupIds.filter((group) => statusIn(entry, group) !== undefined);
}

/** Which of a path's rows sets the badge: index < untracked < working tree < merge. */
const kBadgePrecedence: readonly GroupId[] = ['merge', 'workingTree', 'untracked', 'index'];

export function badgeStatus(entries: readonly StatusEntry[]): ResourceStatus | undefined {
  for (const group of kBadgePrecedence) {
    for (const entry of entries) {
      const status = statusIn(entry, group);
      if (status !== undefined) return status;
    }
  }
  return undefined;
}

const kText: Readonly<Record<ResourceStatus, string>> = {
  indexModified: t('Index Modified'),
  indexAdded: t('Index Added'),
  indexDeleted: t('Index Deleted'),
  indexRenamed: t('Index Renamed'),
  indexCopied: t('Index Copied'),
  indexTypeChanged: t('Index Type Changed'),
  modified: t('Modified'),
  deleted: t('Deleted'),
  typeChanged: t('Type Changed'),
  intentToAdd: t('Intent to Add'),
  intentToRename: t('Intent to Rename'),
  intentToCopy: t('Intent to Copy'),
  untracked: t('Untracked'),
  bothDeleted: t('Conflict: Both Deleted'),
  addedByUs: t('Conflict: Added By Us'),
  deletedByThem: t('Conflict: Deleted By Them'),
  addedByThem: t('Conflict: Added By Them'),
  deletedByUs: t('Conflict: Deleted By Us'),
  bothAdded: t('Conflict: Both Added'),
  bothModified: t('Conflict: Both Modified'),
};

export function statusText(status: ResourceStatus): string {
  return kText[status];
}

const kStruckThrough: ReadonlySet<ResourceStatus> = new Set<ResourceStatus>([
  'indexDeleted',
  'deleted',
  'bothDeleted',
  'deletedByThem',
  'deletedByUs',
]);

const kGone: ReadonlySet<ResourceStatus> = new Set(['deleted', 'indexDeleted', 'bothDeleted']);

/** The row's change deletes the file. */
export function isGone(status: ResourceStatus): boolean {
  return kGone.has(status);
}

export function isStruckThrough(status: ResourceStatus): boolean {
  return kStruckThrough.has(status);
}

const kMoves: ReadonlySet<ResourceStatus> = new Set<ResourceStatus>([
  'indexRenamed',
  'indexCopied',
  'intentToRename',
  'intentToCopy',
]);

/** The other path that the entry's row in `group` is compared with; undefined: none. */
export function movedFrom(entry: StatusEntry, group: GroupId): RepoPath | undefined {
  const status = statusIn(entry, group);
  return entry.kind === 'changed' && status !== undefined && kMoves.has(status) ? entry.from : undefined;
}

/** The path in HEAD of the file that is staged at `path`. */
export function pathInHead(entries: readonly StatusEntry[], path: RepoPath): RepoPath {
  return entries.map((entry) => movedFrom(entry, 'index'))[0] ?? path;
}

/** True for a submodule at its recorded commit whose files differ. */
export function isInnerChange(entry: StatusEntry): boolean {
  return entry.kind === 'changed' && entry.worktree === 'M' && entry.submodule?.[1] === '.';
}
