/** What is done with a folder of the tree view. */
import { commands, env, window, workspace } from 'vscode';
import { configOf } from '../config';
import { t } from '../l10n';
import { foldersOfRow } from '../model/folderRow';
import { basename, toDisplay } from '../model/repoPath';
import { Repository } from '../model/Repository';
import { Located } from '../model/RepositoryRegistry';
import { groupIds, groupsWithin } from '../model/status';
import { RepoPath } from '../protocol';
import { mostRows } from '../scm/GroupRows';
import { pathOf, worktreeUri } from '../scm/uris';
import { CommandContext, CommandHandler, CommandTable } from './context';
import { addLines, excludeFile, ignoreFile, mayWrite } from './ignore';
import { byRepository, Chosen, selectedRows } from './resource';

export const folderCommands = {
  'residentGit.ignoreFolder': onFolder((context, folder, rows) => ignore(context, folder, rows, ignoreFile)),
  'residentGit.excludeFolder': onFolder((context, folder, rows) =>
    ignore(context, folder, rows, excludeFile),
  ),
  'residentGit.copyFolderPath': onFolder(({ registry }, { repository, path }) =>
    env.clipboard.writeText(toDisplay(pathOf(worktreeUri(registry.paths, repository, path)))),
  ),
  'residentGit.copyFolderRelativePath': onFolder((_, { path }) => env.clipboard.writeText(toDisplay(path))),
  'residentGit.revealFolderInExplorer': onFolder(({ registry }, { repository, path }) =>
    commands.executeCommand('revealInExplorer', worktreeUri(registry.paths, repository, path)),
  ),
} satisfies CommandTable;

/** A handler on the folder whose rows it is given. */
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
  // VS Code's own setting of the view.
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

/** In the groups of the view that `rows` are from. A group that is cut may have any of them: it is not counted. */
function rowsBelow(repository: Repository, rows: readonly Chosen[], folder: RepoPath): number {
  const own = new Set(rows.map(({ group }) => group));
  const shown = groupIds
    .map((id) => groupsWithin(id, configOf(repository).untrackedChanges))
    .filter((held) => held.some((id) => own.has(id)));
  let count = 0;
  for (const held of shown) {
    const total = held.reduce((sum, id) => sum + repository.countIn(id), 0);
    if (total > mostRows(held)) continue;
    for (const id of held)
      for (const { path } of repository.entriesIn(id)) if (path.startsWith(`${folder}/`)) count++;
  }
  return count;
}

async function ignore(
  context: CommandContext,
  { repository, path }: Located,
  rows: readonly Chosen[],
  fileOf: (repository: Repository) => string,
): Promise<void> {
  if (!mayWrite()) return;
  if (rows.some(({ entry }) => entry.kind === 'untracked')) {
    await addLines(context, repository, fileOf(repository), [`${path}/`]);
    return;
  }
  void window.showInformationMessage(
    t('"{0}" has no untracked files. Ignore rules do not hide tracked files.', toDisplay(basename(path))),
  );
}
