/**
 * Fetch, pull, push, publish, and all of it at once. How far the branch is from its upstream follows from the model, as
 * soon as git has written it. What a remote refuses is told with the way out beside it.
 */
import { window } from 'vscode';
import { configOf, setUserSetting } from '../config';
import { Run } from '../git/changeOperations';
import { RunOptions, WaysOut, WayOut } from '../git/Git';
import { t } from '../l10n';
import { isText, toDisplay } from '../model/repoPath';
import { Repository } from '../model/Repository';
import {
  decideSync,
  fetchArguments,
  FetchOptions,
  kPushTags,
  parseRemotes,
  publishArguments,
  pullArguments,
  pushArguments,
  PushOptions,
  Reconcile,
} from '../model/syncPlan';
import { CommandContext, CommandTable } from './context';
import { inRepository } from './repository';
import { isMeant } from './tell';
import { byNoVerify, byStashing } from './waysOut';

export const syncCommands = {
  'residentGit.fetch': inRepository((context, repository) => fetch(context, repository, {})),
  'residentGit.fetchPrune': inRepository((context, repository) =>
    fetch(context, repository, { prune: true }),
  ),
  'residentGit.fetchAll': inRepository((context, repository) => fetch(context, repository, { all: true })),
  'residentGit.pull': inRepository((context, repository) => pull(context, repository)),
  'residentGit.pullRebase': inRepository((context, repository) => pull(context, repository, 'rebase')),
  'residentGit.push': inRepository((context, repository) => push(context, repository, {})),
  'residentGit.pushForce': inRepository((context, repository) => push(context, repository, { force: true })),
  'residentGit.pushWithTags': inRepository((context, repository) =>
    push(context, repository, { followTags: true }),
  ),
  'residentGit.pushWithTagsForce': inRepository((context, repository) =>
    push(context, repository, { followTags: true, force: true }),
  ),
  'residentGit.pushTags': inRepository(pushTags),
  'residentGit.sync': inRepository((context, repository) => sync(context, repository)),
  'residentGit.syncRebase': inRepository((context, repository) => sync(context, repository, 'rebase')),
  'residentGit.publish': inRepository(publish),
  'residentGit.addRemote': inRepository(async (context, repository) => {
    await addRemote(context, repository);
  }),
} satisfies CommandTable;

/** `task` in the repository's turn, while the item in the status bar turns. */
export function talking<T>(
  { git, statusBar }: CommandContext,
  repository: Repository,
  options: RunOptions,
  task: (run: Run) => Promise<T>,
): Promise<T | undefined> {
  return statusBar.sync.during(repository, git.exclusively(repository, options, task));
}

async function fetch(context: CommandContext, repository: Repository, options: FetchOptions): Promise<void> {
  const none = t('Your repository has no remotes configured to fetch from.');
  if ((await remotesOr(none, context, repository)) === undefined) return;
  const args = fetchArguments(options, configOf(repository).sync);
  const ways = waysOut(context, repository, () => fetch(context, repository, options));
  await talking(context, repository, { title: t('Fetching'), ways }, (run) => run({ args }));
}

async function pull(context: CommandContext, repository: Repository, reconcile?: Reconcile): Promise<void> {
  const args = pullArguments(reconcile, configOf(repository).sync);
  const again = (how = reconcile) => pull(context, repository, how);
  const ways = waysOut(context, repository, again, { pull: again });
  await talking(context, repository, { title: t('Pulling'), ways }, (run) => run({ args }));
}

async function push(context: CommandContext, repository: Repository, options: PushOptions): Promise<void> {
  if (repository.branch.name === undefined) {
    tellNoBranch();
    return;
  }
  if (options.force === true && !(await isForceMeant())) return;
  const args = pushArguments(options);
  // Where no upstream is needed (push.default, push.autoSetupRemote), git does not ask for one.
  const ways = waysOut(context, repository, () => push(context, repository, options));
  await talking(context, repository, { title: t('Pushing'), ways }, (run) => run({ args }));
}

async function pushTags(context: CommandContext, repository: Repository): Promise<void> {
  const ways = waysOut(context, repository, () => pushTags(context, repository));
  await talking(context, repository, { title: t('Pushing tags'), ways }, (run) => run({ args: kPushTags }));
}

export function isForceMeant(): Promise<boolean> {
  const message = t(
    'You are about to force push your changes, this can be destructive and could inadvertently overwrite changes made by others.',
  );
  const detail = t(
    'What was pushed there since the last fetch is never overwritten. Are you sure to continue?',
  );
  return isMeant(message, t('OK'), detail);
}

async function sync(context: CommandContext, repository: Repository, reconcile?: Reconcile): Promise<void> {
  const decision = decideSync(repository.branch, configOf(repository).sync);
  switch (decision.kind) {
    case 'noBranch':
      tellNoBranch();
      return;
    case 'publish':
      await publish(context, repository);
      return;
    case 'sync':
      if (decision.question === undefined || (await isSyncMeant(decision.question))) {
        await syncNow(context, repository, reconcile, decision.pushes);
      }
  }
}

async function syncNow(
  context: CommandContext,
  repository: Repository,
  reconcile: Reconcile,
  pushes: boolean,
): Promise<void> {
  const again = (how: Reconcile) => syncNow(context, repository, how, pushes);
  const ways = waysOut(context, repository, () => again(reconcile), { pull: again });
  await talking(context, repository, { title: t('Synchronizing Changes'), ways }, async (run) => {
    const pulled = await run({ args: pullArguments(reconcile, configOf(repository).sync) });
    if (pulled !== undefined && pushes) await run({ args: pushArguments() });
  });
}

async function isSyncMeant(question: string): Promise<boolean> {
  const never = t("OK, Don't Show Again");
  const answer = await window.showWarningMessage(question, { modal: true }, t('OK'), never);
  if (answer === never) {
    await setUserSetting('confirmSync', false);
  }
  return answer !== undefined;
}

async function publish(context: CommandContext, repository: Repository): Promise<void> {
  const name = branchToPush(repository);
  if (name === undefined) return;
  const remote = await pickRemote(context, repository, {
    placeHolder: t('Pick a remote to publish the branch "{0}" to:', toDisplay(name)),
    none: t('Your repository has no remotes configured to publish to.'),
  });
  if (remote === undefined) return;
  const args = publishArguments(remote, name);
  const ways = waysOut(context, repository, () => publish(context, repository));
  await talking(context, repository, { title: t('Publishing Branch'), ways }, (run) => run({ args }));
}

function tellNoBranch(): void {
  void window.showWarningMessage(t('Please check out a branch to push to a remote.'));
}

/** The name of the branch that is checked out. Undefined where git cannot be given one, which is told. */
export function branchToPush({ branch: { name } }: Repository): string | undefined {
  if (name === undefined) tellNoBranch();
  else if (isText(name)) return name;
  else {
    void window.showWarningMessage(
      t('The branch {0} has a name that is no text, and cannot be named to git from here.', toDisplay(name)),
    );
  }
  return undefined;
}

/** One remote or more. Undefined where there is none, which is told as `none`, or git failed, which is told too. */
export async function remotesOr(
  none: string,
  context: CommandContext,
  repository: Repository,
): Promise<string[] | undefined> {
  const result = await context.git.read(repository, { args: ['remote'] }, t('Looking for remotes'));
  if (result === undefined) return undefined;
  const remotes = parseRemotes(result.stdout);
  if (remotes.length > 0) return remotes;
  const add = t('Add Remote...');
  if ((await window.showWarningMessage(none, add)) === add) await addRemote(context, repository);
  return undefined;
}

/** The only one, or the one that is picked. */
export async function pickRemote(
  context: CommandContext,
  repository: Repository,
  { placeHolder, none }: { placeHolder: string; none: string },
): Promise<string | undefined> {
  const remotes = await remotesOr(none, context, repository);
  return remotes?.length === 1 ? remotes[0] : remotes && window.showQuickPick(remotes, { placeHolder });
}

async function addRemote({ git }: CommandContext, repository: Repository): Promise<void> {
  const ask = (placeHolder: string, prompt: string, value = '') =>
    window.showInputBox({ placeHolder, prompt, value, ignoreFocusOut: true });
  const url = (await ask('URL', t('Provide repository URL')))?.trim();
  if (url === undefined || url === '') return;
  const name = (await ask(t('Remote name'), t('Please provide a remote name'), 'origin'))?.trim();
  if (name === undefined || name === '') return;
  await git.run(repository, { args: ['remote', 'add', '--', name, url] }, { title: t('Adding a remote') });
}

/** What can be done about what a remote says. `pull`: how what was under way goes on after the choice of a way. */
export function waysOut(
  context: CommandContext,
  repository: Repository,
  again: () => Promise<void>,
  { pull: pullBy = (how: Reconcile) => pull(context, repository, how) } = {},
): WaysOut {
  const way = (label: string, run: () => Promise<void>): WayOut => ({ label, run });
  const publishing = [way(t('Publish Branch'), () => publish(context, repository))];
  return {
    ...byStashing(context, repository, () => again()),
    ...byNoVerify(repository),
    noUpstream: publishing,
    upstreamGone: publishing,
    noRemote: [way(t('Add Remote...'), () => addRemote(context, repository).then(() => undefined))],
    diverged: [way(t('Merge'), () => pullBy('merge')), way(t('Rebase'), () => pullBy('rebase'))],
    rejected: [
      way(t('Pull'), () => pull(context, repository)),
      way(t('Fetch'), () => fetch(context, repository, {})),
    ],
    authentication: [way(t('Try Again'), again)],
    unreachable: [way(t('Try Again'), again)],
  };
}
