/** The repository that a command acts on. */
import { SourceControl, window } from 'vscode';
import { t } from '../l10n';
import { basename, toDisplay } from '../model/repoPath';
import { Repository } from '../model/Repository';
import { CommandContext, CommandHandler } from './context';

/** Makes a handler for a repository: the named repository, or else the one that the user chooses. */
export function inRepository<Context extends CommandContext>(
  action: (context: Context, repository: Repository) => unknown,
): CommandHandler<Context> {
  return async (context, argument) => {
    const repository = await chooseRepository(context, argument);
    if (repository !== undefined) await action(context, repository);
  };
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
