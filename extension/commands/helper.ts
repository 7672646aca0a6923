/** Commands on the helper, and the menu of the status bar item. */
import { commands, env, QuickPickItem, window } from 'vscode';
import { t } from '../l10n';
import { reasonText } from '../model/helperReasons';
import { basename, toDisplay } from '../model/repoPath';
import { operationArguments, verbText } from '../model/operations';
import { Repository } from '../model/Repository';
import { CommandContext, CommandTable } from './context';
import { namedRepository } from './repository';

export const helperCommands = {
  'residentGit.restartHelper': ({ restartHelper }) => restartHelper(),
  'residentGit.showLog': ({ log }) => {
    log.show();
  },
  'residentGit.showActions': showActions,
} satisfies CommandTable;

/** For when the helper was given up: what is shown stays, and how to go on. */
export async function offerRestart({ restartHelper, log }: CommandContext, message: string): Promise<void> {
  const [restart, show] = [t('Restart Helper'), t('Show Log')] as const;
  const text = t('Resident Git: {0} Badges and rows stay as they were last known.', reasonText(message));
  const answer = await window.showErrorMessage(text, restart, show);
  if (answer === restart) await restartHelper();
  if (answer === show) log.show();
}

interface Action extends QuickPickItem {
  run?: () => unknown;
}

/** Of the repository whose branch was clicked, else of the active one. */
async function showActions(context: CommandContext, argument: unknown): Promise<void> {
  const repository = namedRepository(context, argument) ?? context.statusBar.activeRepository;
  const run = (command: string) => () => commands.executeCommand(command, repository);
  const actions: Action[] = [
    ...(repository === undefined ? [] : stateActions(context, repository)),
    { label: `$(git-branch) ${t('Checkout to...')}`, run: run('residentGit.checkout') },
    { label: `$(refresh) ${t('Rescan worktree')}`, run: run('residentGit.rescanWorktree') },
    { label: `$(output) ${t('Show log')}`, run: run('residentGit.showLog') },
    { label: `$(debug-restart) ${t('Restart helper')}`, run: run('residentGit.restartHelper') },
    { label: `$(search) ${t('Find repositories again')}`, run: run('residentGit.findRepositories') },
  ];
  const picked = await window.showQuickPick(actions, { placeHolder: 'Resident Git' });
  await picked?.run?.();
}

/** What is to be said and done about the repository. */
function stateActions({ statusBar, log }: CommandContext, repository: Repository): Action[] {
  const { details } = statusBar.lineOf(repository);
  const summary: Action = {
    label: `$(repo) ${toDisplay(basename(repository.root))}`,
    detail: details.join(' \u00b7 '),
    run: () => {
      log.show();
    },
  };
  const { state } = repository;
  const first = [summary, ...operationActions(repository)];
  if (state.state !== 'polling') return first;
  const copy: Action = {
    label: `$(copy) ${t('Copy the command that raises the watch limit')}`,
    detail: state.command,
    run: () => env.clipboard.writeText(state.command),
  };
  return [...first, copy];
}

/** Of what git is in the middle of. */
function operationActions(repository: Repository): Action[] {
  const { operation } = repository;
  if (operation === undefined) return [];
  const run = (command: string) => () => commands.executeCommand(command, repository);
  const skips = operationArguments(operation, 'skip') !== undefined;
  const skip: Action = {
    label: `$(debug-step-over) ${verbText('skip', operation)}`,
    run: run('residentGit.skipOperation'),
  };
  return [
    {
      label: `$(debug-continue) ${verbText('continue', operation)}`,
      run: run('residentGit.continueOperation'),
    },
    ...(skips ? [skip] : []),
    { label: `$(discard) ${verbText('abort', operation)}`, run: run('residentGit.abortOperation') },
  ];
}
