/** Why a row of the view, or a file or folder of the explorer, stands in the status as it does. Runs nothing. */
import { window, workspace } from 'vscode';
import { t } from '../l10n';
import { explanationText } from '../model/explanationText';
import { foldersOfRow } from '../model/folderRow';
import { basename, toDisplay } from '../model/repoPath';
import { Located, messageOf } from '../model/RepositoryRegistry';
import { RepoPath } from '../protocol';
import { CommandContext, CommandTable } from './context';
import { byRepository, fileOf, selectedRows } from './resource';

export const explainCommands = {
  'residentGit.explain': async (context, ...args) => {
    // Of a row, of what was clicked in the explorer, or of the active editor's file.
    const located = fileOf(context.registry, args);
    if (located !== undefined) await explain(context, located);
  },

  'residentGit.explainFolder': async (context, ...args) => {
    const [first] = byRepository(selectedRows(args));
    if (first === undefined) return;
    const [repository, rows] = first;
    const path = await chooseFolder(rows.map(({ entry }) => entry.path));
    if (path !== undefined) await explain(context, { repository, path });
  },
} satisfies CommandTable;

async function chooseFolder(paths: readonly RepoPath[]): Promise<RepoPath | undefined> {
  // VS Code's own setting of the view.
  const isCompact = workspace.getConfiguration('scm').get('compactFolders') !== false;
  const folders = foldersOfRow(paths, isCompact);
  if (folders.length === 0) {
    void window.showInformationMessage(t('Several folders are selected. Select one of them.'));
    return undefined;
  }
  if (folders.length === 1) return folders[0];
  const items = folders.map((path) => ({ label: toDisplay(path), path }));
  return (await window.showQuickPick(items, { placeHolder: t('Which folder is meant') }))?.path;
}

async function explain(
  { helper, reports, log }: CommandContext,
  { repository, path }: Located,
): Promise<void> {
  const { root } = repository;
  const name = toDisplay(basename(path === '' ? root : path));
  try {
    const explanation = await helper.explain({ root, path: path.replace(/\/$/, '') });
    await reports.show(t('Why is {0} here', name), explanationText(root, explanation));
  } catch (error) {
    const reason = toDisplay(messageOf(error));
    log.error(`${toDisplay(root)}: ${toDisplay(path)} cannot be explained: ${reason}`);
    void window.showErrorMessage(t('Resident Git cannot explain {0}: {1}', name, reason));
  }
}
