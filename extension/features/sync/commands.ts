/**
 * Fetch, pull, push, publish and synchronize. The model counts the commits ahead and behind after git has written them.
 * A failure is reported with the next step as its button.
 */
import { window } from 'vscode';
import { CommandContext, CommandTable } from '../../commands/context';
import { inRepository } from '../../commands/repository';
import { isMeant } from '../../commands/tell';
import { byNoVerify } from '../../commands/waysOut';
import { configOf, setUserSetting } from '../../config';
import { RunOptions, WayOut, WaysOut } from '../../git/Git';
import { GitResult, Run } from '../../git/runGit';
import { t } from '../../l10n';
import { isText, toDisplay } from '../../model/repoPath';
import { Repository } from '../../model/Repository';
import { byStashing } from '../stash/waysOut';
import {
  decideSync,
  fetchArguments,
  FetchOptions,
  kPushTags,
  parseForced,
  parseRemotes,
  publishArguments,
  pullArguments,
  pushArguments,
  PushOptions,
  Reconcile,
} from './plan';

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

/** Runs `task` in the repository's queue. Meanwhile the status bar shows that git talks to a remote. */
export function talking<T>(
  { git, synchronizing }: CommandContext,
  repository: Repository,
  options: RunOptions,
  task: (run: Run) => Promise<T>,
): Promise<T | undefined> {
  return synchronizing.during(repository, git.exclusively(repository, options, task));
}

async function fetch(context: CommandContext, repository: Repository, options: FetchOptions): Promise<void> {
  const none = t('The repository has no remote to fetch from.');
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
  // git may not need an upstream: push.default, push.autoSetupRemote.
  const ways = waysOut(context, repository, () => push(context, repository, options));
  const title = pushTitle(repository.branch.upstream);
  const done = await talking(context, repository, { title, ways }, (run) => run({ args }));
  tellForced(done);
}

const pushTitle = (to: string | undefined) =>
  to === undefined ? t('Pushing') : t('Pushing to {0}', toDisplay(to));

/** Reports each commit that a forced push replaced, so that the user can find it again. */
export function tellForced(pushed: GitResult | undefined): void {
  for (const { branch, old } of pushed === undefined ? [] : parseForced(pushed.stderr)) {
    void window.showInformationMessage(
      t('Force push replaced {0}. The remote branch was at {1} before.', toDisplay(branch), old),
    );
  }
}

async function pushTags(context: CommandContext, repository: Repository): Promise<void> {
  const ways = waysOut(context, repository, () => pushTags(context, repository));
  await talking(context, repository, { title: t('Pushing tags'), ways }, (run) => run({ args: kPushTags }));
}

export function isForceMeant(): Promise<boolean> {
  const message = t('Force push replaces the commits of the remote branch with yours.');
  const detail = [
    t('Commits pushed by others since your last fetch are kept.'),
    t('Are you sure you want to continue?'),
  ].join(' ');
  return isMeant(message, t('Force Push'), detail);
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
  const never = t("OK, Don't Ask Again");
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
    placeHolder: t('Select a remote to publish the branch "{0}" to', toDisplay(name)),
    none: t('The repository has no remote to publish to.'),
  });
  if (remote === undefined) return;
  const args = publishArguments(remote, name);
  const ways = waysOut(context, repository, () => publish(context, repository));
  await talking(context, repository, { title: t('Publishing {0}', toDisplay(name)), ways }, (run) =>
    run({ args }),
  );
}

function tellNoBranch(): void {
  void window.showWarningMessage(t('Check out a branch first: only a branch can be pushed.'));
}

/**
 * Name of the checked-out branch. Undefined if no branch is checked out, or its name is not valid UTF-8; the user gets
 * the reason.
 */
export function branchToPush({ branch: { name } }: Repository): string | undefined {
  if (name === undefined) tellNoBranch();
  else if (isText(name)) return name;
  else {
    void window.showWarningMessage(
      t('The branch {0} cannot be pushed: its name is not valid UTF-8.', toDisplay(name)),
    );
  }
  return undefined;
}

/** At least one remote. Undefined if git failed, or if there is no remote; then the user gets the message `none`. */
export async function remotesOr(
  none: string,
  context: CommandContext,
  repository: Repository,
): Promise<string[] | undefined> {
  const result = await context.git.read(repository, { args: ['remote'] }, t('Listing remotes'));
  if (result === undefined) return undefined;
  const remotes = parseRemotes(result.stdout);
  if (remotes.length > 0) return remotes;
  const add = t('Add Remote...');
  if ((await window.showWarningMessage(none, add)) === add) await addRemote(context, repository);
  return undefined;
}

/** The only remote, or the remote that the user picks. */
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
  const url = (await ask('URL', t('Enter the URL of the remote repository')))?.trim();
  if (url === undefined || url === '') return;
  const name = (await ask(t('Remote name'), t('Enter a name for the remote'), 'origin'))?.trim();
  if (name === undefined || name === '') return;
  await git.run(repository, { args: ['remote', 'add', '--', name, url] }, { title: t('Adding a remote') });
}

/**
 * Next steps after a failure of a command that talks to a remote. `pull` repeats that command as a merge or a rebase.
 */
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
