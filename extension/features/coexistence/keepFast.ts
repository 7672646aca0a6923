/**
 * Keeps the built-in Git and makes its `git status` fast: git asks our model which files changed. The user chooses which
 * parts of Resident Git are shown, and confirms the settings of git first.
 */
import { QuickPickItem, window, workspace } from 'vscode';
import { t } from '../../l10n';
import { reasonText } from '../../model/helperReasons';
import { basename, isText, toDisplay } from '../../model/repoPath';
import { Repository } from '../../model/Repository';
import { warmUp } from '../accelerate/warmUp';
import { apply, Applying, tellApplied } from './applyAnswer';
import { FastPlan } from './FastGit';
import { FastAnswer } from './plan';

const kChoices: readonly (QuickPickItem & { answer: FastAnswer })[] = [
  {
    label: t('Show Both Views'),
    answer: 'fastWithView',
    detail: t('Only the badges and the count of built-in Git are hidden.'),
  },
  {
    label: t('Show Only the Badges of Resident Git'),
    answer: 'fastWithBadges',
    detail: t('Its view is hidden, and so are the badges of built-in Git.'),
  },
  {
    label: t('Show Nothing of Resident Git'),
    answer: 'fastAlone',
    detail: t('Built-in Git looks as before, and is fast.'),
  },
];

/** Maximum number of settings in the question. */
const kMaxShown = 8;

export async function keepFast(context: Applying): Promise<void> {
  if (!workspace.isTrusted) {
    void window.showWarningMessage(t('Trust the workspace first: git runs programs that its config names.'));
    return;
  }
  const placeHolder = t('Choose what Resident Git shows beside built-in Git');
  const choice = await window.showQuickPick(kChoices, { placeHolder });
  if (choice === undefined) return;
  const repositories = context.registry.repositories.filter(({ root }) => isText(root));
  const plans = await confirm(context, repositories);
  if (plans === undefined) return;
  await context.fastGit.write(plans);
  const writes = await apply(context, choice.answer);
  const byRoot = new Map(plans.map((plan) => [plan.root, plan.acceleration]));
  for (const repository of repositories) {
    const acceleration = byRoot.get(mainOf(repository, repositories).root);
    if (acceleration === undefined) continue;
    if (!(await warmUp(context.accelerator, repository.root, acceleration))) break;
  }
  const settings = plans.flatMap((plan) => plan.settings);
  tellApplied(context, choice.answer, writes.length + settings.length);
}

/** Linked worktrees have one config: the first open worktree stands for all of them. */
function mainOf(repository: Repository, repositories: readonly Repository[]): Repository {
  const { commonDir } = repository;
  if (commonDir === undefined) return repository;
  return repositories.find((each) => each.commonDir === commonDir) ?? repository;
}

/** The plans that the user confirmed. Undefined: nothing can be written, or the user cancelled. */
async function confirm(
  { fastGit }: Applying,
  repositories: readonly Repository[],
): Promise<FastPlan[] | undefined> {
  const roots = [...new Set(repositories.map((repository) => mainOf(repository, repositories).root))];
  const { plans, refused } = await fastGit.plan(roots, true);
  for (const { root, reason } of refused) {
    const name = toDisplay(basename(root));
    void window.showErrorMessage(t('The config of {0} was not changed: {1}', name, reasonText(reason)));
  }
  if (plans.length === 0) return undefined;
  const lines = [...new Set(plans.flatMap(({ settings }) => settings))].map(toDisplay);
  if (lines.length === 0) return plans;
  const [all, withoutLast] = [t('Write All'), t('Without the Last')];
  const answer = await window.showWarningMessage(
    questionFor(plans),
    { modal: true, detail: detailFor(lines) },
    all,
    withoutLast,
  );
  if (answer === undefined) return undefined;
  return answer === all
    ? plans
    : (
        await fastGit.plan(
          plans.map(({ root }) => root),
          false,
        )
      ).plans;
}

function questionFor(plans: readonly FastPlan[]): string {
  const [first, ...others] = plans;
  return first !== undefined && others.length === 0
    ? t('Write these settings to the config of {0}?', toDisplay(basename(first.root)))
    : t('Write these settings to the config of {0} repositories?', plans.length);
}

function detailFor(lines: readonly string[]): string {
  return [
    lines.slice(0, kMaxShown).join('\n'),
    [
      t('core.fsmonitor: git asks Resident Git which files changed.'),
      t('core.untrackedCache: git keeps its list of untracked files.'),
      t('status.showUntrackedFiles: "git status" lists files in place of folders, also in a terminal.'),
      t('Built-in Git is fast only with all of them.'),
    ].join('\n'),
    t('"Restore Settings of Built-in Git" restores the earlier settings.'),
  ].join('\n\n');
}
