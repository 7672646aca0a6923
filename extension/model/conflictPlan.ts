/** What a conflict is made of, what takes one of its sides, and whether it still stands when that is done. */
import { t } from '../l10n';
import { RepoPath, StatusEntry } from '../protocol';
import { Left } from './changes';
import { ConflictSide } from './conflictMarkers';
import { Source } from './openTarget';

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

/** Which versions git has (git-status(1), "unmerged"). */
const kParts: Readonly<Record<Conflict, Parts>> = {
  DD: { base: true, current: false, incoming: false },
  AU: { base: false, current: true, incoming: false },
  UD: { base: true, current: true, incoming: false },
  UA: { base: false, current: false, incoming: true },
  DU: { base: true, current: false, incoming: true },
  AA: { base: false, current: true, incoming: true },
  UU: { base: true, current: true, incoming: true },
};

/** What a merge of three texts is shown from; undefined where one of the two sides is a deletion. */
export function mergeSources(
  conflict: Conflict,
): { base: Source; current: Source; incoming: Source } | undefined {
  const { base, current, incoming } = kParts[conflict];
  if (!current || !incoming) return undefined;
  return { base: base ? 'stage1' : 'nothing', current: 'stage2', incoming: 'stage3' };
}

/**
 * 'text': the markers in the file give way. 'remove': the side has no file. A stage is that of the index whose content
 * is written. 'neither': there is only one side, and both were asked for.
 */
export type Acceptance = 'text' | 'remove' | 'stage2' | 'stage3' | 'neither';

export function acceptance(conflict: Conflict, side: ConflictSide, hasMarkers: boolean): Acceptance {
  const { current, incoming } = kParts[conflict];
  if (current && incoming && hasMarkers) return 'text';
  if (side === 'both') return 'neither';
  if (side === 'current') return current ? 'stage2' : 'remove';
  return incoming ? 'stage3' : 'remove';
}

/** Who deleted a file that the other side changed; undefined where that is not the conflict. */
export function deletedBy(conflict: Conflict): 'us' | 'them' | undefined {
  if (conflict === 'UD') return 'them';
  return conflict === 'DU' ? 'us' : undefined;
}

/**
 * A decision is about the conflict that a person saw: `current`, of this moment, has it with the same letters, or the path
 * is left alone.
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
