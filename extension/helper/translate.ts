/** Converts the addon's deltas to the protocol's messages. */
import type { DidChangeParams, WorktreeRoot } from '../protocol';
import type { Delta } from './native';

export function toDidChange(root: WorktreeRoot, delta: Delta): DidChangeParams {
  const params: DidChangeParams & Pick<Delta, 'unwatchedFiles'> = { root, ...delta };
  // Only this process watches these files.
  delete params.unwatchedFiles;
  return params;
}
