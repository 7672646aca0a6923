/** Worktrees that need more watches than the system grants. */
import { ModelState, WatchShortage } from '../../protocol';

/** The shortage whose remedy suffices for all worktrees; undefined: no worktree lacks watches. */
export function watchLimit(states: Iterable<ModelState>): WatchShortage | undefined {
  let most: WatchShortage | undefined;
  for (const state of states) {
    if (state.state !== 'polling' || state.shortage === undefined) continue;
    if (state.shortage.needed > (most?.needed ?? 0)) most = state.shortage;
  }
  return most;
}
