/** The versions of a conflict, how to accept a side, and which conflicts are still those that a person saw. */
import { t } from '../../l10n';
import { Left } from '../../model/left';
import { Source } from '../../model/openTarget';
import { RepoPath, StatusEntry } from '../../protocol';
import { ConflictSide } from './markers';

export type Conflict = Extract<StatusEntry, { kind: 'unmerged' }>['conflict'];

export interface ConflictPath {
  path: RepoPath;
  conflict: Conflict;
}

interface Parts {
  base: boolean;
  current: boolean;
  incoming: boolean;
}

/** The versions that git has of each conflict (git-status(1), "unmerged"). */
const kParts: Readonly<Record<Conflict, Parts>> = {
  DD: { base: true, current: false, incoming: false },
  AU: { base: false, current: true, incoming: false },
  UD: { base: true, current: true, incoming: false },
  UA: { base: false, current: false, incoming: true },
  DU: { base: true, current: false, incoming: true },
  AA: { base: false, current: true, incoming: true },
  UU: { base: true, current: true, incoming: true },
};

/** The three texts for a merge view; undefined: one of the sides is a deletion. */
export function mergeSources(
  conflict: Conflict,
): { base: Source; current: Source; incoming: Source } | undefined {
  const { base, current, incoming } = kParts[conflict];
  if (!current || !incoming) return undefined;
  return { base: base ? 'stage1' : 'nothing', current: 'stage2', incoming: 'stage3' };
}

/**
 * Ways to accept a side:
 *  - 'text': one side, or both, replace the markers in the file.
 *  - 'remove': the side has no file.
 *  - 'stage2', 'stage3': the content of this index stage is written.
 *  - 'neither': both sides were requested, but they cannot be combined.
 */
export type Acceptance = 'text' | 'remove' | 'stage2' | 'stage3' | 'neither';

export function acceptance(conflict: Conflict, side: ConflictSide, hasMarkers: boolean): Acceptance {
  const { current, incoming } = kParts[conflict];
  if (current && incoming && hasMarkers) return 'text';
  if (side === 'both') return 'neither';
  if (side === 'current') return current ? 'stage2' : 'remove';
  return incoming ? 'stage3' : 'remove';
}

/** The side that deleted a file which the other side changed; undefined: another conflict. */
export function deletedBy(conflict: Conflict): 'us' | 'them' | undefined {
  if (conflict === 'UD') return 'them';
  return conflict === 'DU' ? 'us' : undefined;
}

/**
 * A decision is valid only for the conflict that the person saw. If `current` does not have the same conflict letters
 * for a path, this path is skipped.
 */
export function stillStanding(
  decided: readonly ConflictPath[],
  current: Iterable<StatusEntry>,
): { standing: ConflictPath[]; left: Left[] } {
  const now = new Map<RepoPath, Conflict>();
  for (const entry of current) if (entry.kind === 'unmerged') now.set(entry.path, entry.conflict);
  const standing: ConflictPath[] = [];
  const left: Left[] = [];
  for (const each of decided) {
    const { path } = each;
    if (now.get(path) === each.conflict) standing.push(each);
    else
      left.push({
        path,
        why: now.has(path) ? t('has a different conflict now') : t('no longer has a conflict'),
      });
  }
  return { standing, left };
}
