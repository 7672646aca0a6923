/** git arguments to create and delete worktrees, and the worktrees that can be deleted. */
import { posix } from 'node:path';
import { basename, isText } from '../../model/repoPath';
import { Ref } from '../refs/refs';
import { ListedWorktree } from './list';

/**
 * The checkout of a new worktree: a new branch, an existing branch, or a tag without a branch. If `from` (a full ref
 * name) is absent, the new branch starts at HEAD.
 */
export type WorktreeStart =
  | { kind: 'new'; name: string; from?: string }
  | { kind: 'branch'; name: string }
  /** A new branch of that name with that upstream. */
  | { kind: 'tracking'; name: string; upstream: Ref }
  | { kind: 'detached'; ref: Ref };

export function createWorktreeArguments(path: string, start: WorktreeStart): string[] {
  const add = ['worktree', 'add'];
  switch (start.kind) {
    case 'new':
      return [...add, '--no-track', '-b', start.name, '--', path, start.from ?? 'HEAD'];
    case 'branch':
      return [...add, '--', path, start.name];
    case 'tracking':
      return [...add, '--track', '-b', start.name, '--', path, start.upstream.full];
    case 'detached':
      return [...add, '--detach', '--', path, start.ref.full];
  }
}

/**
 * The suggested path of a new worktree: beside the repository, in a folder for all its worktrees. If the repository
 * is itself a linked worktree (`isLinked`), the new worktree is placed beside it.
 */
export function proposedWorktreePath(
  root: string,
  name: string,
  { isLinked }: { isLinked: boolean },
): string {
  const parent = isLinked ? posix.dirname(root) : `${posix.dirname(root)}/${basename(root)}.worktrees`;
  return `${parent}/${name.replace(/\//g, '-')}`;
}

/**
 * The worktrees that git can delete from `root`. Leaves out the main worktree, which git lists first, `root` itself,
 * and paths that are not text.
 */
export function deletableWorktrees(listed: readonly ListedWorktree[], root: string): ListedWorktree[] {
  return listed.slice(1).filter(({ path }) => path !== root && isText(path));
}

/** `force`: also deletes changed and untracked files. */
export function deleteWorktreeArguments(path: string, { force = false } = {}): string[] {
  return ['worktree', 'remove', ...(force ? ['--force'] : []), '--', path];
}
