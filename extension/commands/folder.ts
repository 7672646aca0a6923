/** The folder of the tree view that a command acts on. */
import { window, workspace } from 'vscode';
import { configOf } from '../config';
import { t } from '../l10n';
import { toDisplay } from '../model/repoPath';
import { Repository } from '../model/Repository';
import { Located } from '../model/RepositoryRegistry';
import { groupIds, groupsWithin } from '../model/status';
import { RepoPath } from '../protocol';
import { maxRowsOf } from '../scm/GroupRows';
import { CommandContext, CommandHandler } from './context';
import { foldersOfRow } from './folderRow';
import { byRepository, Chosen, selectedRows } from './rows';

/** Makes a handler for a folder. VS Code passes the rows below the folder. */
export function onFolder(
  action: (context: CommandContext, folder: Located, rows: readonly Chosen[]) => unknown,
): CommandHandler {
  return async (context, ...args) => {
    const [first, ...others] = byRepository(selectedRows(args));
    if (first === undefined) return;
    const [repository, rows] = first;
    const path = await chooseFolder(repository, others.length > 0 ? [] : rows);
    if (path !== undefined) await action(context, { repository, path }, rows);
  };
}

async function chooseFolder(repository: Repository, rows: readonly Chosen[]): Promise<RepoPath | undefined> {
  // A setting of VS Code's own Source Control view.
  const isCompact = workspace.getConfiguration('scm').get('compactFolders') !== false;
  const paths = rows.map(({ entry }) => entry.path);
  const folders = foldersOfRow(paths, isCompact, (folder) => rowsBelow(repository, rows, folder));
  if (folders.length === 0) {
    void window.showInformationMessage(t('Select only one folder.'));
    return undefined;
  }
  if (folders.length === 1) return folders[0];
  const items = folders.map((path) => ({ label: toDisplay(path), path }));
  return (await window.showQuickPick(items, { placeHolder: t('Choose a folder') }))?.path;
}

/** Counts the rows below the folder, in the groups of `rows`. Skips a group that the view shows only in part. */
function rowsBelow(repository: Repository, rows: readonly Chosen[], folder: RepoPath): number {
  const own = new Set(rows.map(({ group }) => group));
  const shown = groupIds
    .map((id) => groupsWithin(id, configOf(repository).untrackedChanges))
    .filter((held) => held.some((id) => own.has(id)));
  let count = 0;
  for (const held of shown) {
    const total = held.reduce((sum, id) => sum + repository.countIn(id), 0);
    if (total > maxRowsOf(held)) continue;
    for (const id of held)
      for (const { path } of repository.entriesIn(id)) if (path.startsWith(`${folder}/`)) count++;
  }
  return count;
}
