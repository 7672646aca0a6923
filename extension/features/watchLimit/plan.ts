/** Worktrees that need more inotify watches than the system grants. */
import { ModelState } from '../../protocol';

export interface WatchLimit {
  /** Value for fs.inotify.max_user_watches. */
  needed: number;
  /** Terminal command that raises the limit. */
  command: string;
}

/** The limit that suffices for all worktrees; undefined: no worktree lacks watches. */
export function watchLimit(states: Iterable<ModelState>): WatchLimit | undefined {
  let most: WatchLimit | undefined;
  for (const state of states) {
    if (state.state !== 'polling' || state.needed <= (most?.needed ?? 0)) continue;
    most = { needed: state.needed, command: state.command };
  }
  return most;
}
