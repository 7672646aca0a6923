/** Decides what to blame for a file, what a line shows, and whether ours is shown beside the built-in's. */
import { t } from '../../l10n';
import { isText } from '../../model/repoPath';
import { pathInHead } from '../../model/status';
import { RepoPath, StatusEntry } from '../../protocol';
import { BlameCommit } from './incremental';

/** Longer files are not blamed: git would need minutes, and each edit would be compared for seconds. */
export const kMaxLines = 100_000;
export const kMaxBytes = 16 << 20;

/** The knowledge about one line. */
export type LineBlame =
  /** Nothing is to be shown. */
  | { kind: 'none' }
  /** git has not answered for this line yet. */
  | { kind: 'waiting' }
  | { kind: 'uncommitted' }
  | { kind: 'commit'; commit: BlameCommit }
  | { kind: 'tooLarge' }
  | { kind: 'failed'; reason: string };

export type FilePlan = { kind: 'none' } | { kind: 'uncommitted' } | { kind: 'blame'; path: RepoPath };

/** `entries`: those of the file. `head`: the commit of HEAD. */
export function planBlame(
  path: RepoPath,
  entries: readonly StatusEntry[],
  head: string | undefined,
): FilePlan {
  if (path === '' || path === '.git' || path.startsWith('.git/') || !isText(path)) return { kind: 'none' };
  const isNew = entries.some((entry) => entry.kind === 'changed' && entry.index === 'A');
  if (isNew) return { kind: 'uncommitted' };
  // Unstaged deletions aside, an untracked file has no tracked entry.
  if (entries.some(({ kind }) => kind === 'untracked')) return { kind: 'none' };
  if (head === undefined) return { kind: 'none' };
  const inHead = pathInHead(entries, path);
  return isText(inHead) ? { kind: 'blame', path: inHead } : { kind: 'none' };
}

export interface Visibility {
  /** Our setting, if somebody set it. */
  own: boolean | undefined;
  byDefault: boolean;
  /** The same setting of VS Code's own Git, if somebody set it. */
  builtIn: boolean | undefined;
  /** VS Code's own Git shows its blame for this file. */
  isInBuiltIn: boolean;
}

/** The user's word about ours counts first. Without it, blame never appears twice. */
export function isVisible({ own, byDefault, builtIn, isInBuiltIn }: Visibility): boolean {
  if (own !== undefined) return own;
  return !isInBuiltIn && (builtIn ?? byDefault);
}

/** The text for a line without a commit; undefined: none. */
export function textWithoutCommit(line: LineBlame): string | undefined {
  switch (line.kind) {
    case 'uncommitted':
      return t('Not Committed Yet');
    case 'tooLarge':
      return t('No blame: over {0} lines', kMaxLines.toLocaleString('en'));
    case 'failed':
      return t('No blame: git failed');
    case 'none':
    case 'waiting':
    case 'commit':
      return undefined;
  }
}
