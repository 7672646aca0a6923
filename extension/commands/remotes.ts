/** What names a remote and a branch there: pull from it, push to it, delete it. */
import { window } from 'vscode';
import { config } from '../config';
import { t } from '../l10n';
import { toDisplay } from '../model/repoPath';
import { Repository } from '../model/Repository';
import {
  deleteRemoteBranchArguments,
  pullFromArguments,
  pushToArguments,
  RemoteBranch,
  splitRemoteBranch,
} from '../model/syncPlan';
import { CommandContext, CommandTable } from './context';
import { pickRef } from './refPick';
import { inRepository } from './repository';
import { branchToPush, isForceMeant, remotesOr, talking, waysOut } from './sync';

export const remoteCommands = {
  'residentGit.pullFrom': inRepository(pullFrom),
  'residentGit.pushTo': inRepository((context, repository) => pushTo(context, repository)),
  'residentGit.pushToForce': inRepository((context, repository) => pushTo(context, repository, true)),
  'residentGit.deleteRemoteBranch': inRepository(deleteRemoteBranch),
} satisfies CommandTable;

async function pullFrom(context: CommandContext, repository: Repository): Promise<void> {
  const from = await pickRemoteBranch(context, repository, {
    placeHolder: t('Pick a branch to pull from'),
    none: t('Your repository has no remotes configured to pull from.'),
  });
  if (from !== undefined) await pull(context, repository, from);
}

async function pull(context: CommandContext, repository: Repository, from: RemoteBranch): Promise<void> {
  const again = () => pull(context, repository, from);
  const ways = waysOut(context, repository, again, {
    pull: async (how) => {
      const args = pullFromArguments(from, how, config.sync);
      await talking(context, repository, { title: t('Pulling') }, (run) => run({ args }));
    },
  });
  const args = pullFromArguments(from, undefined, config.sync);
  await talking(context, repository, { title: t('Pulling'), ways }, (run) => run({ args }));
}

async function pushTo(context: CommandContext, repository: Repository, force = false): Promise<void> {
  const name = branchToPush(repository);
  if (name === undefined) return;
  const none = t('Your repository has no remotes configured to push to.');
  const remotes = await remotesOr(none, context, repository);
  if (remotes === undefined) return;
  const placeHolder = t('Pick a remote to publish the branch "{0}" to:', toDisplay(name));
  const remote = await window.showQuickPick(remotes, { placeHolder });
  if (remote === undefined || (force && !(await isForceMeant()))) return;
  const push = async (): Promise<void> => {
    const ways = waysOut(context, repository, push);
    const args = pushToArguments({ remote, name }, { force });
    await talking(context, repository, { title: t('Pushing'), ways }, (run) => run({ args }));
  };
  await push();
}

async function deleteRemoteBranch(context: CommandContext, repository: Repository): Promise<void> {
  const picked = await pickRemoteBranch(context, repository, {
    placeHolder: t('Select a remote branch to delete'),
    none: t('Your repository has no remotes configured to delete from.'),
  });
  if (picked === undefined) return;
  const message = t('Are you sure you want to delete the branch "{0}" on "{1}"?', picked.name, picked.remote);
  const detail = t('It goes for everybody who uses that remote.');
  const yes = t('Delete Branch');
  if ((await window.showWarningMessage(message, { modal: true, detail }, yes)) !== yes) return;
  const remove = async (): Promise<void> => {
    const ways = waysOut(context, repository, remove);
    const args = deleteRemoteBranchArguments(picked);
    await talking(context, repository, { title: t('Deleting a branch'), ways }, (run) => run({ args }));
  };
  await remove();
}

/** Of those that were fetched. */
async function pickRemoteBranch(
  context: CommandContext,
  repository: Repository,
  { placeHolder, none }: { placeHolder: string; none: string },
): Promise<RemoteBranch | undefined> {
  const remotes = await remotesOr(none, context, repository);
  if (remotes === undefined) return undefined;
  const picked = await pickRef(context, repository, { placeHolder, kinds: ['remote'] });
  if (picked === undefined) return undefined;
  const found = splitRemoteBranch(picked.ref.name, remotes);
  if (found === undefined) {
    void window.showWarningMessage(
      t('There is no remote any more from which "{0}" was fetched.', picked.ref.name),
    );
  }
  return found;
}
