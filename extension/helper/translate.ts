/** Converts the addon's deltas to the protocol's messages. */
import type { DidChangeParams, ModelState, WorktreeRoot } from '../protocol';
import type { Delta, NativeState } from './native';

export function toDidChange(root: WorktreeRoot, delta: Delta): DidChangeParams {
  const { state, ...rest } = delta;
  // Only this process watches these files.
  delete rest.unwatchedFiles;
  return { root, ...rest, ...(state !== undefined && { state: toModelState(state) }) };
}

function toModelState(state: NativeState): ModelState {
  if (state.state !== 'polling') return state;
  return { ...state, command: `sudo sysctl -w fs.inotify.max_user_watches=${state.needed}` };
}
