/** What git is asked for to make and delete worktrees, and which there are to choose from. */
import { posix } from 'node:path';
import { Ref } from './refs';
import { basename, isText } from './repoPath';
import { ListedWorktree } from './worktreeList';

/** What is checked out there: a branch that is there, or a new one from HEAD or another ref's full name; a tag without one. */
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
 * Where a new one is proposed: beside the repository, in a folder for all of its worktrees; a linked one has it beside
 * itself. `isLinked`: the repository is one.
 */
export function proposedWorktreePath(
  root: string,
  name: string,
  { isLinked }: { isLinked: boolean },
): string {
  const parent = isLinked ? posix.dirname(root) : `${posix.dirname(root)}/${basename(root)}.worktrees`;
  return `${parent}/${name.replace(/\//g, '-')}`;
}

/** Those that git can delete from `root`: neither the main one, which git lists first, nor that one itself. */
export function deletableWorktrees(listed: readonly ListedWorktree[], root: string): ListedWorktree[] {
  return listed.slice(1).filter(({ path }) => path !== root && isText(path));
}

/** With `force` also what is changed or untracked in it. */
export function deleteWorktreeArguments(path: string, { force = false } = {}): string[] {
  return ['worktree', 'remove', ...(force ? ['--force'] : []), '--', path];
}
