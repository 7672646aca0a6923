/** The table of all commands. Each group of commands has its own file. */
import { commands, Disposable, window } from 'vscode';
import { CommandTable } from '../commands/context';
import { namesGoneRow } from '../commands/goneRows';
import { t } from '../l10n';
import { reasonText } from '../model/helperReasons';
import { messageOf } from '../model/messageOf';
import { toDisplay } from '../model/repoPath';
import { AccelerateContext, accelerationCommands } from './accelerate/commands';
import { blameCommands, BlameContext } from './blame/commands';
import { branchCommands } from './branches/commands';
import { changeCommands } from './changes/commands';
import { cherryPickCommands } from './cherryPick/commands';
import { coexistenceCommands, CoexistenceContext } from './coexistence/commands';
import { commitCommands } from './commit/commands';
import { conflictCommands } from './conflicts/commands';
import { showConflictsCommands } from './conflicts/showCommands';
import { DiagnosticsContext, reportCommands } from './diagnostics/commands';
import { helperCommands, HelperContext } from './diagnostics/helperCommands';
import { explainCommands } from './explain/commands';
import { fileCommands } from './files/commands';
import { moveFileCommands } from './files/moveCommands';
import { openCommands } from './files/openCommands';
import { historyCommands, HistoryContext, kOfHistoryTitle } from './history/commands';
import { commitOfHistoryCommands } from './history/commitCommands';
import { hunkCommands } from './hunks/commands';
import { ignoreCommands } from './ignore/commands';
import { operationCommands } from './operation/commands';
import { repositoryCommands } from './repositories/commands';
import { newRepositoryCommands } from './repositories/newCommands';
import { OpeningContext, openRepositoryCommands } from './repositories/openCommands';
import { trustCommands } from './repositories/trustCommands';
import { revisionCommands } from './revisions/commands';
import { stashCommands } from './stash/commands';
import { submoduleCommands } from './submodules/commands';
import { syncCommands } from './sync/commands';
import { remoteCommands } from './sync/remoteCommands';
import { watchLimitCommands } from './watchLimit/commands';
import { worktreeCommands } from './worktrees/commands';

/** The objects that the commands of all features work with. */
export type AllContext = AccelerateContext &
  BlameContext &
  CoexistenceContext &
  DiagnosticsContext &
  HelperContext &
  HistoryContext &
  OpeningContext;

export const commandTable = {
  ...repositoryCommands,
  ...newRepositoryCommands,
  ...openRepositoryCommands,
  ...trustCommands,
  ...watchLimitCommands,
  ...openCommands,
  ...changeCommands,
  ...hunkCommands,
  ...conflictCommands,
  ...showConflictsCommands,
  ...commitCommands,
  ...syncCommands,
  ...remoteCommands,
  ...branchCommands,
  ...cherryPickCommands,
  ...operationCommands,
  ...stashCommands,
  ...fileCommands,
  ...ignoreCommands,
  ...moveFileCommands,
  ...revisionCommands,
  ...historyCommands,
  ...commitOfHistoryCommands,
  ...worktreeCommands,
  ...submoduleCommands,
  ...accelerationCommands,
  ...helperCommands,
  ...reportCommands,
  ...explainCommands,
  ...coexistenceCommands,
  ...blameCommands,
} satisfies CommandTable<AllContext>;

export function registerCommands(context: AllContext): Disposable {
  const table: CommandTable<AllContext> = commandTable;
  const registered = Object.entries(table).map(([id, handler]) =>
    commands.registerCommand(id, async (...args: unknown[]) => {
      if (!kOfHistoryTitle.has(id) && namesGoneRow(args)) {
        void window.showInformationMessage(t('The row has changed meanwhile. Nothing was done.'));
        return undefined;
      }
      try {
        return await handler(context, ...args);
      } catch (error) {
        const reason = messageOf(error);
        context.log.error(`${id}: ${toDisplay(reason)}`);
        // The editor shows the error. An error of the editor itself, like a cancellation, must keep its type.
        const shown = reasonText(reason);
        throw shown === reason ? error : new Error(shown, { cause: error });
      }
    }),
  );
  return Disposable.from(...registered);
}
