/** Creates repositories: initializes a workspace folder, or clones a remote repository. */
import { ProgressLocation, Uri, window, workspace } from 'vscode';
import { CommandContext, CommandTable } from '../../commands/context';
import { t } from '../../l10n';
import { offerToOpen } from './offerToOpen';
import { cloneArguments, cloneFolder } from './plan';

export const newRepositoryCommands = {
  'residentGit.init': init,
  'residentGit.clone': (context) => clone(context),
  'residentGit.cloneRecursive': (context) => clone(context, { recursive: true }),
} satisfies CommandTable;

async function init({ git, registry }: CommandContext): Promise<void> {
  const all = (workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  const folders = all.filter(({ uri }) => registry.locate(uri.fsPath) === undefined);
  if (folders.length === 0) {
    void window.showInformationMessage(t('Every workspace folder has a repository.'));
    return;
  }
  const items = folders.map(({ name, uri }) => ({ label: name, description: uri.fsPath, uri }));
  const placeHolder = t('Pick workspace folder to initialize git repo in');
  const picked = items.length === 1 ? items[0] : await window.showQuickPick(items, { placeHolder });
  if (picked === undefined) return;
  const place = { root: picked.uri.fsPath };
  const done = await git.run(place, { args: ['init'] }, { title: t('Initializing a repository') });
  if (done !== undefined) await registry.discoverAll();
}

async function clone({ git }: CommandContext, { recursive = false } = {}): Promise<void> {
  const prompt = t('Provide repository URL');
  const url = (await window.showInputBox({ placeHolder: 'URL', prompt, ignoreFocusOut: true }))?.trim();
  if (url === undefined || url === '') return;
  const name = cloneFolder(url);
  if (name === undefined) {
    void window.showWarningMessage(t('The URL has no repository name.'));
    return;
  }
  const [parent] =
    (await window.showOpenDialog({
      canSelectFiles: false,
      canSelectFolders: true,
      title: t('Choose a folder to clone into'),
      openLabel: t('Select as Repository Destination'),
    })) ?? [];
  if (parent?.scheme !== 'file') return;
  const place = { root: parent.fsPath };
  const title = t("Cloning git repository '{0}'...", name);
  const done = await window.withProgress(
    { location: ProgressLocation.Notification, title, cancellable: true },
    (_, token) => {
      token.onCancellationRequested(() => {
        git.cancel(place);
      });
      const args = cloneArguments(url, name, { recursive });
      return git.run(place, { args }, { title: t('Cloning a repository') });
    },
  );
  if (done === undefined) return;
  const question = t("Would you like to open the cloned repository '{0}'?", name);
  await offerToOpen(Uri.joinPath(parent, name), question);
}
