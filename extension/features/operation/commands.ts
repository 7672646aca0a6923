/** Continue, skip and abort of a merge, rebase, cherry-pick, revert, bisect or am. */
import { CommandHandler, CommandTable } from '../../commands/context';
import { chooseRepository } from '../../commands/repository';
import { Repository } from '../../model/Repository';
import { Operation } from '../../protocol';
import { goOn, tellNone } from './goOn';
import { OperationVerb } from './plan';

export const operationCommands = {
  'residentGit.continueOperation': onOperation('continue'),
  'residentGit.skipOperation': onOperation('skip'),
  'residentGit.abortOperation': onOperation('abort'),
  'residentGit.mergeAbort': onOperation('abort', 'merge'),
  'residentGit.rebaseAbort': onOperation('abort', 'rebase'),
  'residentGit.cherryPickAbort': onOperation('abort', 'cherry-pick'),
} satisfies CommandTable;

/**
 * Runs on the repository with an operation (of kind `only`, if given). If there are several, the user picks one of
 * them.
 */
function onOperation(verb: OperationVerb, only?: Operation): CommandHandler {
  const isBusy = ({ operation }: Repository) =>
    operation !== undefined && (only === undefined || operation === only);
  return async (context, argument) => {
    const busy = context.registry.repositories.filter(isBusy);
    const repository = await chooseRepository(context, argument, busy.length > 0 ? busy : undefined);
    if (repository === undefined) return;
    if (isBusy(repository)) await goOn(context, repository, verb);
    else tellNone();
  };
}
