/** Raises the limit of inotify watches. */
import { env, window } from 'vscode';
import { CommandContext, CommandTable } from '../../commands/context';
import { t } from '../../l10n';
import { watchLimit } from './plan';

const kCopy = t('Copy Command');

export const watchLimitCommands = {
  'residentGit.raiseWatchLimit': raiseWatchLimit,
} satisfies CommandTable;

async function raiseWatchLimit({ registry }: CommandContext): Promise<void> {
  const limit = watchLimit(registry.repositories.map(({ state }) => state));
  if (limit === undefined) {
    void window.showInformationMessage(t('All directories have an inotify watch.'));
    return;
  }
  const message = t(
    'The inotify limit is reached: some directories are only checked periodically. ' +
      'This command raises the limit until the next restart: {0}',
    limit.command,
  );
  if ((await window.showWarningMessage(message, kCopy)) === kCopy)
    await env.clipboard.writeText(limit.command);
}
