/** What is asked before a commit: whether its message may be so long, and whether the branch is meant. */
import { window } from 'vscode';
import { config, configOf } from '../config';
import { t } from '../l10n';
import { isProtected } from '../model/branchProtection';
import { longLine } from '../model/messageLength';
import { toDisplay } from '../model/repoPath';
import { Repository } from '../model/Repository';
import { CommandContext } from './context';
import { askName } from './nameBox';
import { isMeant } from './tell';

const kCommitAnyway = t('Commit Anyway');

/** `message` is '' where it is not written yet. */
export async function isLengthMeant(message: string): Promise<boolean> {
  const limits = config.inputValidation;
  const long = limits && longLine(message, limits);
  if (long === undefined) return true;
  const { line, length, limit } = long;
  const text = t(
    'Line {0} of the commit message has {1} characters, {2} more than wanted.',
    line,
    length,
    length - limit,
  );
  return isMeant(text, kCommitAnyway);
}

/** Where the commit goes: the branch that is checked out ({}), or a new one. Undefined where the user wants none. */
export async function commitTarget(
  context: CommandContext,
  repository: Repository,
): Promise<{ newBranch?: string } | undefined> {
  const { patterns, prompt } = configOf(repository).branchProtection;
  const { branch } = repository;
  if (!isProtected(branch.name, patterns) || prompt === 'alwaysCommit') return {};
  if (prompt === 'alwaysPrompt') {
    const name = toDisplay(branch.name ?? '');
    const text = t(
      "You are trying to commit to the protected branch '{0}'. How would you like to proceed?",
      name,
    );
    const toNew = t('Commit to a New Branch');
    const answer = await window.showWarningMessage(text, { modal: true }, kCommitAnyway, toNew);
    if (answer === kCommitAnyway) return {};
    if (answer !== toNew) return undefined;
  }
  const newBranch = await askName(context, repository, { kind: 'head' });
  return newBranch === undefined ? undefined : { newBranch };
}
