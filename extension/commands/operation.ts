/** Going on with what git is in the middle of, leaving a commit out, or ending it. */
import { commands, window } from 'vscode';
import { Continuing, continueWithMessage } from '../git/continueOperation';
import { RunOptions, WaysOut } from '../git/Git';
import { t } from '../l10n';
import { kOwnIdentity } from '../model/commitPlan';
import { operationArguments, OperationVerb, verbText } from '../model/operations';
import { Repository } from '../model/Repository';
import { Operation } from '../protocol';
import { isLengthMeant } from './commitChecks';
import { CommandContext, CommandHandler, CommandTable } from './context';
import { chooseRepository } from './repository';

export const operationCommands = {
  'residentGit.continueOperation': onOperation('continue'),
  'residentGit.skipOperation': onOperation('skip'),
  'residentGit.abortOperation': onOperation('abort'),
  'residentGit.mergeAbort': onOperation('abort', 'merge'),
  'residentGit.rebaseAbort': onOperation('abort', 'rebase'),
  'residentGit.cherryPickAbort': onOperation('abort', 'cherry-pick'),
} satisfies CommandTable;

/** Of the one repository that is in the middle of something, or of `only`, or the one that is chosen of them. */
function onOperation(verb: OperationVerb, only?: Operation): CommandHandler {
  const isMeant = ({ operation }: Repository) =>
    operation !== undefined && (only === undefined || operation === only);
  return async (context, argument) => {
    const busy = context.registry.repositories.filter(isMeant);
    const repository = await chooseRepository(context, argument, busy.length > 0 ? busy : undefined);
    if (repository === undefined) return;
    if (isMeant(repository)) await goOn(context, repository, verb);
    else tellNone();
  };
}

export async function goOn(
  context: CommandContext,
  repository: Repository,
  verb: OperationVerb,
): Promise<void> {
  const { operation } = repository;
  if (operation === undefined) {
    tellNone();
    return;
  }
  // What is in the box is the message of a merge.
  if (operation === 'merge' && verb === 'continue') {
    await commands.executeCommand('residentGit.commit', repository);
    return;
  }
  const args = operationArguments(operation, verb) ?? (await bisectArguments(repository, verb));
  if (args === undefined) return;
  const ways: WaysOut = {
    emptied: [{ label: t('Skip'), run: () => goOn(context, repository, 'skip') }],
  };
  const told = { title: verbText(verb, operation), ways };
  const message = verb === 'continue' ? context.sourceControls.editedMessageIn(repository) : '';
  const { gitDir } = repository;
  if (message.trim() !== '' && operation !== 'merge' && operation !== 'bisect' && gitDir !== undefined) {
    await continueWith(context, repository, { operation, gitDir, message }, told);
    return;
  }
  // A message stays as git has it.
  const command = { args: [...kOwnIdentity, ...args], editor: 'keeps' } as const;
  await context.git.run(repository, command, told);
}

function tellNone(): void {
  void window.showInformationMessage(
    t('Nothing is under way there: no merge, rebase, cherry pick, revert or bisect.'),
  );
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
    // What was typed meanwhile is the next one's.
    if (sourceControls.inputBoxOf(repository)?.value === message) sourceControls.clearMessage(repository);
  } else if (continued?.isDone === true) {
    void window.showInformationMessage(
      t('Nothing was staged for a commit, so the message stays in the box.'),
    );
  }
}

/** Undefined where it was not said. */
async function bisectArguments(
  { operation }: Repository,
  verb: OperationVerb,
): Promise<string[] | undefined> {
  if (operation !== 'bisect' || verb !== 'continue') {
    void window.showInformationMessage(t('A merge has one commit only: continue or abort it.'));
    return undefined;
  }
  const items = [
    { label: t('Good'), detail: t('What is looked for is not there yet.'), word: 'good' },
    { label: t('Bad'), detail: t('It is there.'), word: 'bad' },
  ];
  const picked = await window.showQuickPick(items, {
    placeHolder: t('How is the commit that is checked out?'),
  });
  return picked && ['bisect', picked.word];
}
