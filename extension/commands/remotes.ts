/** What names a remote, and a branch or tag there: pull from it, push to it, delete it; remove the remote. */
import { window } from 'vscode';
import { configOf } from '../config';
import { t } from '../l10n';
import { toDisplay } from '../model/repoPath';
import { Repository } from '../model/Repository';
import {
  deleteRemoteBranchArguments,
  deleteRemoteTagArguments,
  parseRemoteTags,
  pullFromArguments,
  pushToArguments,
  Reconcile,
  RemoteBranch,
  remoteTagsArguments,
  removeRemoteArguments,
  splitRemoteBranch,
} from '../model/syncPlan';
import { CommandContext, CommandTable } from './context';
import { pickRef } from './refPick';
import { inRepository } from './repository';
import { branchToPush, isForceMeant, pickRemote, remotesOr, talking, waysOut } from './sync';
import { isMeant } from './tell';

export const remoteCommands = {
  'residentGit.pullFrom': inRepository(pullFrom),
  'residentGit.pushTo': inRepository((context, repository) => pushTo(context, repository)),
  'residentGit.pushToForce': inRepository((context, repository) => pushTo(context, repository, true)),
  'residentGit.deleteRemoteBranch': inRepository(deleteRemoteBranch),
  'residentGit.deleteRemoteTag': inRepository(deleteRemoteTag),
  'residentGit.removeRemote': inRepository(removeRemote),
} satisfies CommandTable;

async function pullFrom(context: CommandContext, repository: Repository): Promise<void> {
  const from = await pickRemoteBranch(context, repository, {
    placeHolder: t('Pick a branch to pull from'),
    none: t('Your repository has no remotes configured to pull from.'),
  });
  if (from !== undefined) await pull(context, repository, from);
}

async function pull(
  context: CommandContext,
  repository: Repository,
  from: RemoteBranch,
  reconcile?: Reconcile,
): Promise<void> {
  const again = (how = reconcile) => pull(context, repository, from, how);
  const ways = waysOut(context, repository, again, { pull: again });
  const args = pullFromArguments(from, reconcile, configOf(repository).sync);
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
  if (!(await isMeant(message, t('Delete Branch'), t('It goes for everybody who uses that remote.')))) return;
  await remove(context, repository, t('Deleting a branch'), deleteRemoteBranchArguments(picked));
}

async function deleteRemoteTag(context: CommandContext, repository: Repository): Promise<void> {
  const remote = await pickRemote(context, repository, {
    placeHolder: t('Select a remote to delete a tag from'),
    none: t('Your repository has no remotes configured to delete from.'),
  });
  if (remote === undefined) return;
  const ways = waysOut(context, repository, () => deleteRemoteTag(context, repository));
  const command = { args: remoteTagsArguments(remote), keepsAll: true };
  const listed = await talking(context, repository, { title: t('Listing tags'), ways }, (run) =>
    run(command),
  );
  if (listed === undefined) return;
  const tags = parseRemoteTags(listed.stdout);
  if (tags.length === 0) {
    void window.showInformationMessage(t('Remote "{0}" has no tags.', remote));
    return;
  }
  const placeHolder = t('Select a remote tag to delete');
  const name = await window.showQuickPick(tags, { placeHolder });
  if (name === undefined) return;
  const message = t('Are you sure you want to delete the tag "{0}" on "{1}"?', name, remote);
  if (!(await isMeant(message, t('Delete Tag'), t('It goes for everybody who uses that remote.')))) return;
  await remove(context, repository, t('Deleting a tag'), deleteRemoteTagArguments(remote, name));
}

async function removeRemote(context: CommandContext, repository: Repository): Promise<void> {
  const remote = await pickRemote(context, repository, {
    placeHolder: t('Pick a remote to remove'),
    none: t('Your repository has no remotes.'),
  });
  if (remote === undefined) return;
  const message = t('Are you sure you want to remove the remote "{0}"?', remote);
  const detail = t(
    'What was fetched from there goes here, and so does what git has been told of it. On the remote nothing changes.',
  );
  if (!(await isMeant(message, t('Remove Remote'), detail))) return;
  const args = removeRemoteArguments(remote);
  await context.git.run(repository, { args }, { title: t('Removing a remote') });
}

/** On the remote. */
async function remove(
  context: CommandContext,
  repository: Repository,
  title: string,
  args: string[],
): Promise<void> {
  const ways = waysOut(context, repository, () => remove(context, repository, title, args));
  await talking(context, repository, { title, ways }, (run) => run({ args }));
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
