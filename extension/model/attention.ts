/**
 * Polling hints for the helper, from the state of a window. In a worktree without file events, the helper polls the
 * directories of open files first. It polls less often while nobody looks at the window.
 */
import { AttendParams, RepoPath } from '../protocol';
import { longest } from './WorkspacePaths';
import { relativeTo } from './repoPath';

/** Maximum number of open files that are sent per worktree. */
const kMaxOpen = 32;

export interface Window {
  focused: boolean;
  /** Real paths, visible files first. */
  open: readonly string[];
}

/** The hints for each worktree. An open file counts for the innermost worktree that contains it. */
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
    open: [...paths].slice(0, kMaxOpen),
  }));
}
