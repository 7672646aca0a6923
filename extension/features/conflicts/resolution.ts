/** Asks before files with conflicts are staged, which marks them as resolved. */
import { window } from 'vscode';
import { CommandContext } from '../../commands/context';
import { isMeant } from '../../commands/tell';
import { isWorktreeFileOrLink } from '../../git/worktreeFile';
import { t } from '../../l10n';
import { basename, toDisplay } from '../../model/repoPath';
import { Repository } from '../../model/Repository';
import { RepoPath, StatusEntry } from '../../protocol';
import { stillMarked } from './git';
import { ConflictPath, deletedBy } from './plan';

/** The user's answers about conflicts to mark as resolved. Conflicts that need no question are in neither list. */
export interface Resolution {
  /** Delete the file. */
  remove: ConflictPath[];
  /** Stage the file as it is: with its markers, or although one side deleted it. */
  keep: ConflictPath[];
}

/** Asks about deletions and markers. Undefined if the user decided not to stage, or if git failed. */
export async function askResolution(
  { git }: CommandContext,
  repository: Repository,
  entries: readonly StatusEntry[],
): Promise<Resolution | undefined> {
  const resolution: Resolution = { remove: [], keep: [] };
  const texts: ConflictPath[] = [];
  for (const entry of entries) {
    if (entry.kind !== 'unmerged') continue;
    const by = deletedBy(entry.conflict);
    // The user has deleted the file already.
    if (by !== undefined && !(await isWorktreeFileOrLink(repository.root, entry.path))) continue;
    if (by === undefined) {
      texts.push(entry);
      continue;
    }
    const answer = await askDeletion(entry.path, by);
    if (answer === undefined) return undefined;
    resolution[answer].push(entry);
  }
  if (texts.length === 0) return resolution;
  const title = t('Staging changes');
  const marked = await git.exclusively(repository, { title }, (run) =>
    stillMarked(
      run,
      repository.root,
      texts.map(({ path }) => path),
    ),
  );
  if (marked === undefined || !(await areMarkersMeant(marked))) return undefined;
  const isMarked = new Set(marked);
  resolution.keep.push(...texts.filter(({ path }) => isMarked.has(path)));
  return resolution;
}

async function askDeletion(path: RepoPath, by: 'us' | 'them'): Promise<keyof Resolution | undefined> {
  const name = toDisplay(basename(path));
  const [message, keep] =
    by === 'them'
      ? [t('File "{0}" was deleted by them and modified by us.', name), t('Keep Our Version')]
      : [t('File "{0}" was deleted by us and modified by them.', name), t('Keep Their Version')];
  const remove = t('Delete File');
  const question = t('{0}\n\nWhat would you like to do?', message);
  const answer = await window.showInformationMessage(question, { modal: true }, keep, remove);
  if (answer === undefined) return undefined;
  return answer === remove ? 'remove' : 'keep';
}

async function areMarkersMeant(marked: readonly RepoPath[]): Promise<boolean> {
  const [first, ...others] = marked;
  if (first === undefined) return true;
  const message =
    others.length === 0
      ? t("Are you sure you want to stage '{0}' with merge conflicts?", toDisplay(basename(first)))
      : t('Are you sure you want to stage {0} files with merge conflicts?', marked.length);
  return isMeant(message, t('Stage Anyway'));
}
