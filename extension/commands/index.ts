/** The one table of commands; a file per group. */
import { commands, Disposable, window } from 'vscode';
import { t } from '../l10n';
import { reasonText } from '../model/helperReasons';
import { toDisplay } from '../model/repoPath';
import { messageOf } from '../model/messageOf';
import { accelerationCommands } from './accelerate';
import { branchCommands } from './branches';
import { changeCommands } from './changes';
import { cherryPickCommands } from './cherryPick';
import { coexistenceCommands } from './coexistence';
import { commitCommands } from './commit';
import { conflictCommands } from './conflicts';
import { CommandContext, CommandTable } from './context';
import { explainCommands } from './explain';
import { fileCommands } from './files';
import { folderCommands } from './folders';
import { namesGoneRow } from './goneRows';
import { helperCommands } from './helper';
import { hunkCommands } from './hunks';
import { ignoreCommands } from './ignore';
import { moveFileCommands } from './moveFile';
import { newRepositoryCommands } from './newRepository';
import { obstacleCommands } from './obstacles';
import { openRepositoryCommands } from './openRepository';
import { operationCommands } from './operation';
import { remoteCommands } from './remotes';
import { reportCommands } from './reports';
import { repositoryCommands } from './repository';
import { resourceCommands } from './resource';
import { revisionCommands } from './revisions';
import { showConflictsCommands } from './showConflicts';
import { stashCommands } from './stash';
import { submoduleCommands } from './submodules';
import { syncCommands } from './sync';
import { worktreeCommands } from './worktrees';

export const commandTable = {
  ...repositoryCommands,
  ...newRepositoryCommands,
  ...openRepositoryCommands,
  ...obstacleCommands,
  ...resourceCommands,
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
  ...folderCommands,
  ...ignoreCommands,
  ...moveFileCommands,
  ...revisionCommands,
  ...worktreeCommands,
  ...submoduleCommands,
  ...accelerationCommands,
  ...helperCommands,
  ...reportCommands,
  ...explainCommands,
  ...coexistenceCommands,
} satisfies CommandTable;

export function registerCommands(context: CommandContext): Disposable {
  const table: CommandTable = commandTable;
  const registered = Object.entries(table).map(([id, handler]) =>
    commands.registerCommand(id, async (...args: unknown[]) => {
      if (namesGoneRow(args)) {
        void window.showInformationMessage(t('The row has changed meanwhile. Nothing was done.'));
        return undefined;
      }
      try {
        return await handler(context, ...args);
      } catch (error) {
        const reason = messageOf(error);
        context.log.error(`${id}: ${toDisplay(reason)}`);
        // The editor shows it; one of its own, as of a cancellation, has to stay what it is.
        const shown = reasonText(reason);
        throw shown === reason ? error : new Error(shown, { cause: error });
      }
    }),
  );
  return Disposable.from(...registered);
}
