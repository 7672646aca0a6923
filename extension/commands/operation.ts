/** Continue, skip and abort of a merge, rebase, cherry-pick, revert, bisect or am. */
import { commands, window } from 'vscode';
import { Continuing, continueWithMessage } from '../git/continueOperation';
import { RunOptions, WaysOut } from '../git/Git';
import { t } from '../l10n';
import { kOwnIdentity } from '../model/commitPlan';
import { operationArguments, OperationVerb, verbQuestion, verbText } from '../model/operations';
import { Repository } from '../model/Repository';
import { Operation } from '../protocol';
import { isLengthMeant } from './commitChecks';
import { CommandContext, CommandHandler, CommandTable } from './context';
import { chooseRepository } from './repository';
import { isMeant } from './tell';

export const operationCommands = {
  'residentGit.continueOperation': onOperation('continue'),
  'residentGit.skipOperation': onOperation('skip'),
  'residentGit.abortOperation': onOperation('abort'),
  'residentGit.mergeAbort': onOperation('abort', 'merge'),
  'residentGit.rebaseAbort': onOperation('abort', 'rebase'),
  'residentGit.cherryPickAbort': onOperation('abort', 'cherry-pick'),
} satisfies CommandTable;

/** On the one repository with an operation (of `only`), or on the one that is chosen of several. */
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

/** `isAsked`: nothing would be lost, or the person has confirmed the loss. */
export async function goOn(
  context: CommandContext,
  repository: Repository,
  verb: OperationVerb,
  { isAsked = false } = {},
): Promise<void> {
  const { operation } = repository;
  if (operation === undefined) {
    tellNone();
    return;
  }
  // The box has the message of the merge.
  if (operation === 'merge' && verb === 'continue') {
    await commands.executeCommand('residentGit.commit', repository);
    return;
  }
  const args = operationArguments(operation, verb) ?? (await bisectArguments(repository, verb));
  if (args === undefined) return;
  const question = isAsked ? undefined : verbQuestion(verb, operation);
  if (
    question !== undefined &&
    !(await isMeant(question.message, verbText(verb, operation), question.detail))
  )
    return;
  const ways: WaysOut = {
    emptied: [{ label: t('Skip'), run: () => goOn(context, repository, 'skip', { isAsked: true }) }],
  };
  const told = { title: verbText(verb, operation), ways };
  const message = verb === 'continue' ? context.sourceControls.editedMessageIn(repository) : '';
  const { gitDir } = repository;
  if (message.trim() !== '' && operation !== 'merge' && operation !== 'bisect' && gitDir !== undefined) {
    await continueWith(context, repository, { operation, gitDir, message }, told);
    return;
  }
  // git keeps its own message.
  const command = { args: [...kOwnIdentity, ...args], editor: 'keeps' } as const;
  await context.git.run(repository, command, told);
}

function tellNone(): void {
  void window.showInformationMessage(t('No merge or rebase is in progress.'));
}

/** The message stays in the box until a commit has it. */
async function continueWith(
  { git, sourceControls }: CommandContext,
  repository: Repository,
  continuing: Continuing,
  told: RunOptions,
): Promise<void> {
  const { message } = continuing;
  if (!(await isLengthMeant(message))) return;
  await sourceControls.keptMessages.keep(repository, message);
  const continued = await git.exclusively(repository, told, (run) => continueWithMessage(run, continuing));
  if (continued?.isUsed === true) {
    await sourceControls.keptMessages.forget(repository);
    // Text that was typed meanwhile belongs to the next commit.
    if (sourceControls.inputBoxOf(repository)?.value === message) sourceControls.clearMessage(repository);
  } else if (continued?.isDone === true) {
    void window.showInformationMessage(
      t('Nothing was committed: no changes were staged. Your message is kept.'),
    );
  }
}

/** Undefined where the person chose nothing. */
async function bisectArguments(
  { operation }: Repository,
  verb: OperationVerb,
): Promise<string[] | undefined> {
  if (operation !== 'bisect' || verb !== 'continue') {
    void window.showInformationMessage(t('A merge has only one commit. Continue or abort it.'));
    return undefined;
  }
  const items = [
    { label: t('Good'), detail: t('The commit does not have the problem.'), word: 'good' },
    { label: t('Bad'), detail: t('The commit has the problem.'), word: 'bad' },
  ];
  const picked = await window.showQuickPick(items, {
    placeHolder: t('Is the checked-out commit good or bad?'),
  });
  return picked && ['bisect', picked.word];
}
