/**
 * What the helper is told of a window: where no event tells what happens in a worktree, it looks where files are open
 * first, and seldom while nobody looks.
 */
import { AttendParams, RepoPath } from '../protocol';
import { longest } from './WorkspacePaths';
import { relativeTo } from './repoPath';

/** So many of the open files are told of each worktree. */
const kMostOpen = 32;

export interface Window {
  focused: boolean;
  /** Real paths, those that are seen first. */
  open: readonly string[];
}

/** What is told of each of these worktrees. An open file counts for the innermost that holds it. */
export function attentionOf(roots: readonly string[], window: Window): AttendParams[] {
  const open = new Map<string, Set<RepoPath>>(roots.map((root) => [root, new Set()]));
  for (const path of window.open) {
    const root = longest(roots, (candidate) => candidate, path);
    const relative = root === undefined ? undefined : relativeTo(root, path);
    if (root !== undefined && relative !== undefined) open.get(root)?.add(relative);
  }
  return [...open].map(([root, paths]) => ({
    root,
    seen: window.focused,
    open: [...paths].slice(0, kMostOpen),
  }));
}
