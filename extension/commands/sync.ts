/**
 * Fetch, pull, push, publish, and all of it at once. How far the branch is from its upstream follows from the model, as
 * soon as git has written it. What a remote refuses is told with the way out beside it.
 */
import { ConfigurationTarget, window, workspace } from 'vscode';
import { config } from '../config';
import { Run } from '../git/changeOperations';
import { RunOptions, WaysOut, WayOut } from '../git/Git';
import { isText, toDisplay } from '../model/repoPath';
import { Repository } from '../model/Repository';
import {
  decideSync,
  fetchArguments,
  FetchOptions,
  parseRemotes,
  publishArguments,
  pullArguments,
  pushArguments,
  Reconcile,
} from '../model/syncPlan';
import { CommandContext, CommandTable } from './context';
import { inRepository } from './repository';

export const syncCommands = {
  'residentGit.fetch': inRepository((context, repository) => fetch(context, repository, {})),
  'residentGit.fetchPrune': inRepository((context, repository) =>
    fetch(context, repository, { prune: true }),
  ),
  'residentGit.fetchAll': inRepository((context, repository) => fetch(context, repository, { all: true })),
  'residentGit.pull': inRepository((context, repository) => pull(context, repository)),
  'residentGit.pullRebase': inRepository((context, repository) => pull(context, repository, 'rebase')),
  'residentGit.push': inRepository(push),
  'residentGit.pushForce': inRepository(pushForce),
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
  if ((await remotesTo('fetch from', context, repository)) === undefined) return;
  const args = fetchArguments(options, config.sync);
  const ways = waysOut(context, repository, () => fetch(context, repository, options));
  await talking(context, repository, { title: 'Fetching', ways }, (run) => run({ args }));
}

async function pull(context: CommandContext, repository: Repository, reconcile?: Reconcile): Promise<void> {
  const args = pullArguments(reconcile, config.sync);
  const ways = waysOut(context, repository, () => pull(context, repository, reconcile), {
    pull: (how) => pull(context, repository, how),
  });
  await talking(context, repository, { title: 'Pulling', ways }, (run) => run({ args }));
}

async function push(context: CommandContext, repository: Repository): Promise<void> {
  if (repository.branch.name === undefined) {
    tellNoBranch();
    return;
  }
  const again = () => push(context, repository);
  // Where no upstream is needed (push.default, push.autoSetupRemote), git does not ask for one.
  const ways = waysOut(context, repository, again);
  await talking(context, repository, { title: 'Pushing', ways }, (run) => run({ args: pushArguments() }));
}

export async function isForceMeant(): Promise<boolean> {
  const message =
    'You are about to force push your changes, this can be destructive and could inadvertently overwrite changes made by others.';
  const detail = 'What was pushed there since the last fetch is never overwritten. Are you sure to continue?';
  return (await window.showWarningMessage(message, { modal: true, detail }, 'OK')) === 'OK';
}

async function pushForce(context: CommandContext, repository: Repository): Promise<void> {
  if (!(await isForceMeant())) return;
  const ways = waysOut(context, repository, () => pushForce(context, repository));
  await talking(context, repository, { title: 'Pushing', ways }, (run) =>
    run({ args: pushArguments({ force: true }) }),
  );
}

async function sync(context: CommandContext, repository: Repository, reconcile?: Reconcile): Promise<void> {
  const decision = decideSync(repository.branch, config.sync);
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
  await talking(context, repository, { title: 'Synchronizing Changes', ways }, async (run) => {
    const pulled = await run({ args: pullArguments(reconcile, config.sync) });
    if (pulled !== undefined && pushes) await run({ args: pushArguments() });
  });
}

async function isSyncMeant(question: string): Promise<boolean> {
  const never = "OK, Don't Show Again";
  const answer = await window.showWarningMessage(question, { modal: true }, 'OK', never);
  if (answer === never) {
    await workspace.getConfiguration('residentGit').update('confirmSync', false, ConfigurationTarget.Global);
  }
  return answer !== undefined;
}

async function publish(context: CommandContext, repository: Repository): Promise<void> {
  const name = branchToPush(repository);
  if (name === undefined) return;
  const remotes = await remotesTo('publish to', context, repository);
  if (remotes === undefined) return;
  const placeHolder = `Pick a remote to publish the branch "${toDisplay(name)}" to:`;
  const remote = remotes.length === 1 ? remotes[0] : await window.showQuickPick(remotes, { placeHolder });
  if (remote === undefined) return;
  const args = publishArguments(remote, name);
  const ways = waysOut(context, repository, () => publish(context, repository));
  await talking(context, repository, { title: 'Publishing Branch', ways }, (run) => run({ args }));
}

function tellNoBranch(): void {
  void window.showWarningMessage('Please check out a branch to push to a remote.');
}

/** The name of the branch that is checked out. Undefined where git cannot be given one, which is told. */
export function branchToPush({ branch: { name } }: Repository): string | undefined {
  if (name === undefined) tellNoBranch();
  else if (isText(name)) return name;
  else {
    void window.showWarningMessage(
      `The branch ${toDisplay(name)} has a name that is no text, and cannot be named to git from here.`,
    );
  }
  return undefined;
}

/** One remote or more. Undefined where there is none or git failed, which is told; `to`: what they are needed for. */
export async function remotesTo(
  to: string,
  context: CommandContext,
  repository: Repository,
): Promise<string[] | undefined> {
  const result = await context.git.read(repository, { args: ['remote'] }, 'Looking for remotes');
  if (result === undefined) return undefined;
  const remotes = parseRemotes(result.stdout);
  if (remotes.length > 0) return remotes;
  const add = 'Add Remote...';
  const message = `Your repository has no remotes configured to ${to}.`;
  if ((await window.showWarningMessage(message, add)) === add) await addRemote(context, repository);
  return undefined;
}

async function addRemote({ git }: CommandContext, repository: Repository): Promise<void> {
  const ask = (placeHolder: string, prompt: string, value = '') =>
    window.showInputBox({ placeHolder, prompt, value, ignoreFocusOut: true });
  const url = (await ask('URL', 'Provide repository URL'))?.trim();
  if (url === undefined || url === '') return;
  const name = (await ask('Remote name', 'Please provide a remote name', 'origin'))?.trim();
  if (name === undefined || name === '') return;
  await git.run(repository, { args: ['remote', 'add', '--', name, url] }, { title: 'Adding a remote' });
}

/** What can be done about what a remote says. `pull`: how what was under way goes on after the choice of a way. */
export function waysOut(
  context: CommandContext,
  repository: Repository,
  again: () => Promise<void>,
  { pull: pullBy = (how: Reconcile) => pull(context, repository, how) } = {},
): WaysOut {
  const way = (label: string, run: () => Promise<void>): WayOut => ({ label, run });
  const publishing = [way('Publish Branch', () => publish(context, repository))];
  return {
    noUpstream: publishing,
    upstreamGone: publishing,
    noRemote: [way('Add Remote...', () => addRemote(context, repository).then(() => undefined))],
    diverged: [way('Merge', () => pullBy('merge')), way('Rebase', () => pullBy('rebase'))],
    rejected: [
      way('Pull', () => pull(context, repository)),
      way('Fetch', () => fetch(context, repository, {})),
    ],
    authentication: [way('Try Again', again)],
    unreachable: [way('Try Again', again)],
  };
}
