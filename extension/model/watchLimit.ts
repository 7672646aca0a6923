/** Worktrees for which the system grants too few inotify watches. */
import { ModelState } from '../protocol';

export interface WatchLimit {
  /** For fs.inotify.max_user_watches. */
  needed: number;
  /** Raises it, in a terminal. */
  command: string;
}

/** What suffices for all of them; undefined where nothing is short. */
export function watchLimit(states: Iterable<ModelState>): WatchLimit | undefined {
  let most: WatchLimit | undefined;
  for (const state of states) {
    if (state.state !== 'polling' || state.needed <= (most?.needed ?? 0)) continue;
    most = { needed: state.needed, command: state.command };
  }
  return most;
}
