/** Questions before a commit: about a long message, and about a protected branch. */
import { window } from 'vscode';
import { CommandContext } from '../../commands/context';
import { isMeant } from '../../commands/tell';
import { config, configOf } from '../../config';
import { t } from '../../l10n';
import { toDisplay } from '../../model/repoPath';
import { Repository } from '../../model/Repository';
import { askName } from '../refs/nameBox';
import { isProtected } from './branchProtection';
import { longLine } from './messageLength';

const kCommitAnyway = t('Commit Anyway');

/** `message`: '' if git's editor asks for it later. */
export async function isLengthMeant(message: string): Promise<boolean> {
  const limits = config.inputValidation;
  const long = limits && longLine(message, limits);
  if (long === undefined) return true;
  const { line, length, limit } = long;
  const text = t(
    'Line {0} of the commit message has {1} characters, {2} over the limit.',
    line,
    length,
    length - limit,
  );
  return isMeant(text, kCommitAnyway);
}

/** The target of the commit: the current branch ({}), or a new branch. Undefined if the user cancelled. */
export async function commitTarget(
  context: CommandContext,
  repository: Repository,
): Promise<{ newBranch?: string } | undefined> {
  const { patterns, prompt } = configOf(repository).branchProtection;
  const { branch } = repository;
  if (!isProtected(branch.name, patterns) || prompt === 'alwaysCommit') return {};
  if (prompt === 'alwaysPrompt') {
    const name = toDisplay(branch.name ?? '');
    const text = t("The branch '{0}' is protected. Where do you want to commit?", name);
    const toNew = t('Commit to a New Branch');
    const answer = await window.showWarningMessage(text, { modal: true }, kCommitAnyway, toNew);
    if (answer === kCommitAnyway) return {};
    if (answer !== toNew) return undefined;
  }
  const newBranch = await askName(context, repository, { kind: 'head' });
  return newBranch === undefined ? undefined : { newBranch };
}
