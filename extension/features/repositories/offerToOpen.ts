/** Asks where to open a new folder. */
import { commands, Uri, window, workspace } from 'vscode';
import { t } from '../../l10n';

export async function offerToOpen(folder: Uri, question: string): Promise<void> {
  const [open, inNewWindow, add] = [t('Open'), t('New Window'), t('Add to Workspace')] as const;
  const more = t('More...');
  const { workspaceFolders = [] } = workspace;
  const choices = workspaceFolders.length === 0 ? [open, inNewWindow] : [open, more];
  const first = await window.showInformationMessage(question, ...choices);
  const answer =
    first === more ? await window.showQuickPick([inNewWindow, add], { placeHolder: question }) : first;
  if (answer === add) workspace.updateWorkspaceFolders(workspaceFolders.length, 0, { uri: folder });
  else if (answer !== undefined) {
    const where = answer === open ? { forceReuseWindow: true } : { forceNewWindow: true };
    await commands.executeCommand('vscode.openFolder', folder, where);
  }
}
