/** Finds repositories, and rescans one. */
import { CancellationToken, CancellationTokenSource, ProgressLocation, window } from 'vscode';
import { CommandContext, CommandTable } from '../../commands/context';
import { inRepository } from '../../commands/repository';
import { t } from '../../l10n';
import { reasonText } from '../../model/helperReasons';
import { messageOf } from '../../model/messageOf';
import { basename, toDisplay } from '../../model/repoPath';
import { Repository } from '../../model/Repository';

export const repositoryCommands = {
  'residentGit.rescanWorktree': inRepository(rescan),
  // The same command under its familiar name.
  'residentGit.refresh': inRepository(rescan),
  'residentGit.findRepositories': (context) => context.registry.discoverAll(),
} satisfies CommandTable;

async function rescan({ helper, log }: CommandContext, repository: Repository): Promise<void> {
  const name = toDisplay(basename(repository.root));
  const run = async (
    progress: { report(value: { message?: string; increment?: number }): void },
    token: CancellationToken,
  ) => {
    let reported = 0;
    const onProgress = ({ message, percentage }: { message?: string; percentage?: number }) => {
      const increment = percentage === undefined ? 0 : Math.max(0, percentage - reported);
      reported += increment;
      progress.report({ increment, ...(message !== undefined && { message: reasonText(message) }) });
    };
    return helper.rescan({ root: repository.root }, onProgress, token);
  };
  const title = t('Rescanning {0}', name);
  const cancellation = new CancellationTokenSource();
  try {
    const result = await window.withProgress(
      { location: ProgressLocation.Notification, title, cancellable: true },
      (progress, token) => {
        token.onCancellationRequested(() => {
          cancellation.cancel();
        });
        return run(progress, cancellation.token);
      },
    );
    log.info(
      `${toDisplay(repository.root)}: rescanned ${result.filesSeen} files in ${result.milliseconds} ms`,
    );
  } catch (error) {
    if (cancellation.token.isCancellationRequested) {
      log.info(`${toDisplay(repository.root)}: the rescan was cancelled`);
      return;
    }
    const reason = messageOf(error);
    log.error(`${toDisplay(repository.root)}: cannot be rescanned: ${reason}`);
    void window.showErrorMessage(t('Could not rescan {0}: {1}', name, toDisplay(reasonText(reason))));
  } finally {
    cancellation.dispose();
  }
}
