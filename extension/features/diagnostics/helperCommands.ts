/** Commands for the background process, and the list of actions after a click on its state. */
import { commands, QuickPickItem, window } from 'vscode';
import { CommandContext, CommandTable } from '../../commands/context';
import { namedRepository } from '../../commands/repository';
import { t } from '../../l10n';
import { reasonText } from '../../model/helperReasons';
import { basename, toDisplay } from '../../model/repoPath';
import { Repository } from '../../model/Repository';

export interface HelperContext extends CommandContext {
  restartHelper: () => Promise<void>;
}

export const helperCommands = {
  'residentGit.restartHelper': ({ restartHelper }) => restartHelper(),
  'residentGit.showLog': ({ log }) => {
    log.show();
  },
  'residentGit.showActions': showActions,
} satisfies CommandTable<HelperContext>;

/** Call when the background process ended too often. Rows and badges stay; the user decides about a restart. */
export async function offerRestart({ restartHelper, log }: HelperContext, message: string): Promise<void> {
  const [restart, show] = [t('Restart'), t('Show Log')] as const;
  const text = t('Resident Git: {0} Badges and rows may be stale.', reasonText(message));
  const answer = await window.showErrorMessage(text, restart, show);
  if (answer === restart) await restartHelper();
  if (answer === show) log.show();
}

/** A quick pick truncates longer details. */
const kMaxDetailLength = 80;

interface Action extends QuickPickItem {
  run?: () => unknown;
}

/** Shows the actions for the named repository, else for the active repository. */
async function showActions(context: CommandContext, argument: unknown): Promise<void> {
  const repository = namedRepository(context, argument) ?? context.statusBar.activeRepository;
  const run = (command: string) => () => commands.executeCommand(command, repository);
  const actions: Action[] = [
    ...(repository === undefined ? [] : stateActions(context, repository)),
    { label: `$(pulse) ${t('Show Diagnostics')}`, run: run('residentGit.showWatched') },
    { label: `$(refresh) ${t('Rescan worktree')}`, run: run('residentGit.rescanWorktree') },
    { label: `$(search) ${t('Scan for Repositories')}`, run: run('residentGit.findRepositories') },
    {
      label: `$(debug-restart) ${t('Restart Background Process')}`,
      run: run('residentGit.restartHelper'),
    },
    { label: `$(output) ${t('Show Log')}`, run: run('residentGit.showLog') },
  ];
  const picked = await window.showQuickPick(actions, { placeHolder: 'Resident Git' });
  await picked?.run?.();
}

/** The repository's state, and the action that solves its problem. */
function stateActions({ statusBar }: CommandContext, repository: Repository): Action[] {
  const { summary, text } = statusBar.lineOf(repository);
  const state: Action = {
    label: `$(repo) ${toDisplay(basename(repository.root))}`,
    // A reason with a long path is too long here. The diagnostics show it in full.
    detail: summary.length <= kMaxDetailLength ? summary : text,
    run: () => commands.executeCommand('residentGit.showWatched'),
  };
  const isShort = repository.state.state === 'polling' && repository.state.shortage !== undefined;
  const raise: Action = {
    label: `$(warning) ${t('Raise the Watch Limit...')}`,
    run: () => commands.executeCommand('residentGit.raiseWatchLimit'),
  };
  return isShort ? [state, raise] : [state];
}
