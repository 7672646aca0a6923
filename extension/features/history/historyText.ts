/** The texts of the view File History. */
import { t } from '../../l10n';
import { shortId } from '../../model/oid';
import { basename, toDisplay } from '../../model/repoPath';
import { StatusEntry } from '../../protocol';
import { ageText } from '../refs/age';
import { HistoryCommit, Subject } from './plan';

/** A subject without its start. */
export type Target = Pick<Subject, 'root' | 'path' | 'kind' | 'lines'>;

/** The name beside the view's title. */
export function nameOf({ root, path, kind, lines }: Target): string {
  const name = toDisplay(basename(path === '' ? root : path));
  if (kind === 'folder') return `${name}/`;
  if (lines === undefined) return name;
  const first = lines.start + 1;
  return lines.end > first ? `${name}:${first}-${lines.end}` : `${name}:${first}`;
}

export function subjectText({ subject }: Pick<HistoryCommit, 'subject'>): string {
  return subject === '' ? t('(no message)') : toDisplay(subject);
}

export function descriptionText({ author, date }: HistoryCommit, language: string): string {
  return `${toDisplay(author)} • ${ageText(date, language)}`;
}

/** For screen readers. */
export function spokenText(commit: HistoryCommit, language: string): string {
  const age = ageText(commit.date, language);
  return t(
    '{0}, by {1}, {2}, commit {3}',
    subjectText(commit),
    toDisplay(commit.author),
    age,
    shortId(commit.oid),
  );
}

/** Why the history of a file is empty. */
export function emptyText(target: Target, entries: readonly StatusEntry[]): string {
  const name = nameOf(target);
  const isUntracked = entries.length > 0 && entries.every(({ kind }) => kind === 'untracked');
  if (isUntracked) return t('"{0}" is untracked. No commit has it.', name);
  const isAdded = entries.some(
    (entry) => entry.kind === 'changed' && (entry.index === 'A' || entry.worktree === 'A'),
  );
  return isAdded ? t('"{0}" is not committed yet.', name) : t('No commit changes "{0}".', name);
}
