/** Continues, skips or aborts the operation in progress. */
import { commands, window } from 'vscode';
import { CommandContext } from '../../commands/context';
import { isMeant } from '../../commands/tell';
import { kOwnIdentity } from '../../git/environment';
import { RunOptions, WaysOut } from '../../git/Git';
import { t } from '../../l10n';
import { Repository } from '../../model/Repository';
import { isLengthMeant } from '../commit/checks';
import { continueWithMessage, Continuing } from './git';
import { operationArguments, OperationVerb, verbQuestion, verbText } from './plan';

/** `isAsked`: nothing can be lost, or the user has confirmed the loss. */
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
  // The input box contains the message of the merge.
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
  const options = { title: verbText(verb, operation), ways };
  const message = verb === 'continue' ? context.sourceControls.editedMessageIn(repository) : '';
  const { gitDir } = repository;
  if (message.trim() !== '' && operation !== 'merge' && operation !== 'bisect' && gitDir !== undefined) {
    await continueWith(context, repository, { operation, gitDir, message }, options);
    return;
  }
  // git uses its own message.
  const command = { args: [...kOwnIdentity, ...args], editor: 'keeps' } as const;
  await context.git.run(repository, command, options);
}

export function tellNone(): void {
  void window.showInformationMessage(t('No merge or rebase is in progress.'));
}

/** The message stays in the box until a commit has it. */
async function continueWith(
  { git, sourceControls }: CommandContext,
  repository: Repository,
  continuing: Continuing,
  options: RunOptions,
): Promise<void> {
  const { message } = continuing;
  if (!(await isLengthMeant(message))) return;
  await sourceControls.keptMessages.keep(repository, message);
  const continued = await git.exclusively(repository, options, (run) => continueWithMessage(run, continuing));
  if (continued?.isUsed === true) {
    await sourceControls.keptMessages.forget(repository);
    // Text that the user typed meanwhile belongs to the next commit.
    if (sourceControls.inputBoxOf(repository)?.value === message) sourceControls.clearMessage(repository);
  } else if (continued?.isDone === true) {
    void window.showInformationMessage(
      t('Nothing was committed: no changes were staged. Your message is kept.'),
    );
  }
}

/** Undefined if the user picked nothing. */
async function bisectArguments(
  { operation }: Repository,
  verb: OperationVerb,
): Promise<string[] | undefined> {
  if (operation !== 'bisect' || verb !== 'continue') {
    void window.showInformationMessage(t('A merge has no commit to skip. Continue or abort the merge.'));
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
