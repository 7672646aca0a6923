/** What keeps a repository from being opened or watched, and the command that mends it: shown, copied, or run after asking. */
import { env, window } from 'vscode';
import { t } from '../l10n';
import { basename, isText, toDisplay } from '../model/repoPath';
import { safeDirectoryArguments, safeDirectoryCommand, unsafeDirectories } from '../model/safeDirectory';
import { watchLimit } from '../model/watchLimit';
import { CommandContext, CommandTable } from './context';

const kCopy = t('Copy the Command');

export const obstacleCommands = {
  'residentGit.manageUnsafeRepositories': manageUnsafeRepositories,
  'residentGit.raiseWatchLimit': raiseWatchLimit,
} satisfies CommandTable;

async function manageUnsafeRepositories({ git, registry }: CommandContext): Promise<void> {
  const items = [...unsafeDirectories(registry.problems)]
    .filter(([directory, folder]) => isText(directory) && isText(folder))
    .map(([directory, folder]) => ({
      label: basename(directory),
      description: directory,
      directory,
      folder,
    }));
  if (items.length === 0) {
    void window.showInformationMessage(t('git holds back no repository here for belonging to another user.'));
    return;
  }
  const placeHolder = t('Pick a repository to mark as safe and open');
  const picked = items.length === 1 ? items[0] : await window.showQuickPick(items, { placeHolder });
  if (picked === undefined) return;
  const { directory, folder } = picked;
  const command = safeDirectoryCommand(directory);
  const message = t("Do you want git to trust the repository '{0}'?", toDisplay(directory));
  const detail = t(
    'It belongs to another user, and its settings and hooks can run programs in your name. ' +
      'Trust it only if you trust everybody who can write there. This is what is run:\n\n{0}',
    command,
  );
  const trust = t('Mark as Safe');
  const answer = await window.showWarningMessage(message, { modal: true, detail }, trust, kCopy);
  if (answer === kCopy) await env.clipboard.writeText(command);
  if (answer !== trust) return;
  const args = safeDirectoryArguments(directory);
  const done = await git.run({ root: folder }, { args }, { title: t('Marking a repository as safe') });
  if (done !== undefined) await registry.discoverAll();
}

async function raiseWatchLimit({ registry }: CommandContext): Promise<void> {
  const limit = watchLimit(registry.repositories.map(({ state }) => state));
  if (limit === undefined) {
    void window.showInformationMessage(t('There are enough inotify watches.'));
    return;
  }
  const message = t(
    'Out of inotify watches: some directories are only looked at periodically. ' +
      'This raises the limit until the system starts again: {0}',
    limit.command,
  );
  if ((await window.showWarningMessage(message, kCopy)) === kCopy)
    await env.clipboard.writeText(limit.command);
}
