/** Compares the status of a worktree in the model with the status by git. */
import { t } from '../../l10n';
import { toDisplay } from '../../model/repoPath';
import { entriesEqual } from '../../model/Repository';
import { entryKey, RepoPath, StatusEntry } from '../../protocol';

export interface Difference {
  path: RepoPath;
  /** The letters of a line of git status; undefined: no entry. */
  ours: string | undefined;
  git: string | undefined;
}

/** The differences, sorted by path. */
export function compareStatus(ours: Iterable<StatusEntry>, git: Iterable<StatusEntry>): Difference[] {
  const left = new Map<string, StatusEntry>();
  for (const entry of ours) left.set(entryKey(entry), entry);
  const differences: Difference[] = [];
  for (const entry of git) {
    const key = entryKey(entry);
    const own = left.get(key);
    left.delete(key);
    if (entriesEqual(own, entry)) continue;
    differences.push({ path: entry.path, ours: own && lineOf(own), git: lineOf(entry) });
  }
  for (const own of left.values()) differences.push({ path: own.path, ours: lineOf(own), git: undefined });
  return differences.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

function lineOf(entry: StatusEntry): string {
  switch (entry.kind) {
    case 'untracked':
      return '??';
    case 'unmerged':
      return [entry.conflict, entry.submodule].filter((word) => word !== undefined).join(' ');
    case 'changed': {
      const { index, worktree, submodule, from, score } = entry;
      const moved = from === undefined ? undefined : t('from {0} ({1}%)', toDisplay(from), score ?? 0);
      return [index + worktree, submodule, moved].filter((word) => word !== undefined).join(' ');
    }
  }
}
