/** Deltas in the helper's format. Fields that a test does not set have defaults. */
import { DidChangeParams, ModelState, StatusEntry } from '../../../extension/protocol';

export const kRoot = '/w';
export const kWatching: ModelState = { state: 'watching', directories: 1 };

export function delta(fields: Partial<DidChangeParams>): DidChangeParams {
  const { baseVersion = 0 } = fields;
  return {
    root: kRoot,
    baseVersion,
    version: baseVersion + 1,
    upserted: [],
    removed: [],
    removedUntracked: [],
    ...fields,
  };
}

/** Parses a line "XY path" of `git status --porcelain`. */
export function entry(line: string): StatusEntry {
  const xy = line.slice(0, 2);
  const path = line.slice(3);
  if (xy === '??') return { kind: 'untracked', path };
  if (/^(DD|AU|UD|UA|DU|AA|UU)$/.test(xy)) {
    return { kind: 'unmerged', path, conflict: xy as 'UU' };
  }
  return { kind: 'changed', path, index: letter(xy[0]), worktree: letter(xy[1]) };
}

function letter(text: string | undefined): 'M' {
  return (text === ' ' ? '.' : text) as 'M';
}
