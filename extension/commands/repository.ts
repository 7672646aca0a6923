/** Commands on a whole repository. */
import { CancellationToken, CancellationTokenSource, ProgressLocation, SourceControl, window } from 'vscode';
import { t } from '../l10n';
import { reasonText } from '../model/helperReasons';
import { basename, toDisplay } from '../model/repoPath';
import { Repository } from '../model/Repository';
import { messageOf } from '../model/messageOf';
import { CommandContext, CommandHandler, CommandTable } from './context';

/** Makes a handler for a repository: the named repository, or else the one that the user chooses. */
export function inRepository(
  action: (context: CommandContext, repository: Repository) => unknown,
): CommandHandler {
  return async (context, argument) => {
    const repository = await chooseRepository(context, argument);
    if (repository !== undefined) await action(context, repository);
  };
}

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

/** The repository in the argument, or the repository whose title or row was clicked. Otherwise undefined. */
export function namedRepository(
  { sourceControls }: Pick<CommandContext, 'sourceControls'>,
  argument: unknown,
): Repository | undefined {
  if (argument instanceof Repository) return argument;
  return isSourceControl(argument) ? sourceControls.repositoryOf(argument) : undefined;
}

/**
 * The named or clicked repository. Otherwise the only one of `repositories`, or the one that the user picks from them.
 * Undefined if there is none, or the user picks none.
 */
export async function chooseRepository(
  context: CommandContext,
  argument: unknown,
  repositories: readonly Repository[] = context.registry.repositories,
): Promise<Repository | undefined> {
  const named = namedRepository(context, argument);
  if (named !== undefined) return named;
  if (repositories.length === 0) {
    void window.showInformationMessage(t('No repository is open.'));
    return undefined;
  }
  if (repositories.length === 1) return repositories[0];
  const active = context.statusBar.activeRepository;
  const items = [...repositories]
    .sort((a, b) => Number(b === active) - Number(a === active))
    .map((repository) => ({
      label: toDisplay(basename(repository.root)),
      description: toDisplay(repository.root),
      repository,
    }));
  return (await window.showQuickPick(items, { placeHolder: t('Choose a repository') }))?.repository;
}

function isSourceControl(value: unknown): value is SourceControl {
  return typeof value === 'object' && value !== null && 'inputBox' in value && 'createResourceGroup' in value;
}
