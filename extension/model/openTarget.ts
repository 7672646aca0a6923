/** Decides what a click on a row opens. */
import { ContentParams, RepoPath, StatusEntry } from '../protocol';
import { t } from '../l10n';
import { basename, toDisplay } from './repoPath';
import { GroupId, movedFrom, ResourceStatus, statusIn } from './status';

/** A git object, by its id. */
export type BlobSource = `blob:${string}`;
/** 'nothing': an empty text, for a missing side. */
export type Source = ContentParams['source'] | 'worktree' | 'nothing' | BlobSource;

export interface Side {
  source: Source;
  path: RepoPath;
}

export type OpenTarget =
  | { kind: 'diff'; left: Side; right: Side; title: string }
  | { kind: 'file'; file: Side; title: string }
  /** A submodule or a nested repository. */
  | { kind: 'folder'; path: RepoPath };

/** Undefined: the entry has no row in `group`. */
export function openTarget(entry: StatusEntry, group: GroupId): OpenTarget | undefined {
  const status = statusIn(entry, group);
  if (status === undefined) return undefined;
  const { path } = entry;
  if (path.endsWith('/') || (entry.kind !== 'untracked' && entry.submodule !== undefined)) {
    return { kind: 'folder', path: path.endsWith('/') ? path.slice(0, -1) : path };
  }
  const name = toDisplay(basename(path));
  const shape = kShapes[status];
  const title = `${name} (${shape.label})`;
  if (shape.left === undefined) return { kind: 'file', file: { source: shape.right, path }, title };
  if (shape.right === undefined) return { kind: 'file', file: { source: shape.left, path }, title };
  // An entry can be renamed in one column and modified in the other.
  const left = { source: shape.left, path: movedFrom(entry, group) ?? path };
  return { kind: 'diff', left, right: { source: shape.right, path }, title };
}

type Shape = { label: string } & (
  { left: Source; right: Source } | { left: Source; right?: undefined } | { left?: undefined; right: Source }
);

const kShapes: Readonly<Record<ResourceStatus, Shape>> = {
  indexModified: { label: t('Index'), left: 'HEAD', right: 'index' },
  indexTypeChanged: { label: t('Index'), left: 'HEAD', right: 'index' },
  indexRenamed: { label: t('Index'), left: 'HEAD', right: 'index' },
  indexCopied: { label: t('Index'), left: 'HEAD', right: 'index' },
  indexAdded: { label: t('Index'), right: 'index' },
  indexDeleted: { label: t('Deleted'), left: 'HEAD' },
  modified: { label: t('Working Tree'), left: 'index', right: 'worktree' },
  typeChanged: { label: t('Type changed'), left: 'index', right: 'worktree' },
  intentToRename: { label: t('Intent to rename'), left: 'index', right: 'worktree' },
  intentToCopy: { label: t('Intent to copy'), left: 'index', right: 'worktree' },
  intentToAdd: { label: t('Intent to add'), right: 'worktree' },
  deleted: { label: t('Deleted'), left: 'index' },
  untracked: { label: t('Untracked'), right: 'worktree' },
  bothModified: { label: t('Conflict'), right: 'worktree' },
  bothAdded: { label: t('Conflict'), right: 'worktree' },
  addedByUs: { label: t('Conflict'), right: 'worktree' },
  addedByThem: { label: t('Conflict'), right: 'worktree' },
  deletedByThem: { label: t('Conflict'), right: 'worktree' },
  deletedByUs: { label: t('Conflict'), right: 'worktree' },
  bothDeleted: { label: t('Conflict: Both Deleted'), left: 'stage1' },
};
