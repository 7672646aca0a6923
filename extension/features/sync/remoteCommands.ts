/** Commands on a remote that the user picks: pull from it, push to it, delete its branch or tag, remove the remote. */
import { window } from 'vscode';
import { CommandContext, CommandTable } from '../../commands/context';
import { inRepository } from '../../commands/repository';
import { isMeant, tellDone } from '../../commands/tell';
import { configOf } from '../../config';
import { t } from '../../l10n';
import { shortId } from '../../model/oid';
import { redact } from '../../model/redact';
import { toDisplay } from '../../model/repoPath';
import { Repository } from '../../model/Repository';
import { pickRef } from '../refs/refPick';
import { branchToPush, isForceMeant, pickRemote, remotesOr, talking, tellForced, waysOut } from './commands';
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
  restoreRemoteBranchArguments,
  splitRemoteBranch,
} from './plan';

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
    placeHolder: t('Select a branch to pull from'),
    none: t('The repository has no remote to pull from.'),
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
  const title = t('Pulling from {0}', toDisplay(`${from.remote}/${from.name}`));
  await talking(context, repository, { title, ways }, (run) => run({ args }));
}

async function pushTo(context: CommandContext, repository: Repository, force = false): Promise<void> {
  const name = branchToPush(repository);
  if (name === undefined) return;
  const none = t('The repository has no remote to push to.');
  const remotes = await remotesOr(none, context, repository);
  if (remotes === undefined) return;
  const placeHolder = t('Select a remote to push the branch "{0}" to', toDisplay(name));
  const remote = await window.showQuickPick(remotes, { placeHolder });
  if (remote === undefined || (force && !(await isForceMeant()))) return;
  const push = async (): Promise<void> => {
    const ways = waysOut(context, repository, push);
    const args = pushToArguments({ remote, name }, { force });
    const title = t('Pushing to {0}', toDisplay(`${remote}/${name}`));
    tellForced(await talking(context, repository, { title, ways }, (run) => run({ args })));
  };
  await push();
}

async function deleteRemoteBranch(context: CommandContext, repository: Repository): Promise<void> {
  const picked = await pickRemoteBranch(context, repository, {
    placeHolder: t('Select a remote branch to delete'),
    none: t('The repository has no remote to delete from.'),
  });
  if (picked === undefined) return;
  const message = t('Are you sure you want to delete the branch "{0}" on "{1}"?', picked.name, picked.remote);
  if (!(await isMeant(message, t('Delete Branch'), t('This deletes the branch for everyone.')))) return;
  const { remote, name, oid } = picked;
  await remove(context, repository, t('Deleting a branch'), deleteRemoteBranchArguments(picked), () => {
    tellDone(t('Deleted branch {0} on {1} (was {2}).', name, remote, shortId(oid)), async () => {
      const args = restoreRemoteBranchArguments(picked, oid);
      await talking(context, repository, { title: t('Restoring a branch') }, (run) => run({ args }));
    });
  });
}

async function deleteRemoteTag(context: CommandContext, repository: Repository): Promise<void> {
  const remote = await pickRemote(context, repository, {
    placeHolder: t('Select a remote to delete a tag from'),
    none: t('The repository has no remote to delete from.'),
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
    void window.showInformationMessage(t('The remote "{0}" has no tags.', remote));
    return;
  }
  const placeHolder = t('Select a remote tag to delete');
  const items = tags.map(({ name, oid }) => ({ label: name, description: shortId(oid), oid }));
  const picked = await window.showQuickPick(items, { placeHolder });
  if (picked === undefined) return;
  const { label: name, oid } = picked;
  const message = t('Are you sure you want to delete the tag "{0}" on "{1}"?', name, remote);
  if (!(await isMeant(message, t('Delete Tag'), t('This deletes the tag for everyone.')))) return;
  await remove(context, repository, t('Deleting a tag'), deleteRemoteTagArguments(remote, name), () => {
    void window.showInformationMessage(t('Deleted tag {0} on {1} (was {2}).', name, remote, shortId(oid)));
  });
}

async function removeRemote(context: CommandContext, repository: Repository): Promise<void> {
  const remote = await pickRemote(context, repository, {
    placeHolder: t('Select a remote to remove'),
    none: t('The repository has no remotes.'),
  });
  if (remote === undefined) return;
  const message = t('Are you sure you want to remove the remote "{0}"?', remote);
  const detail = t(
    "The remote's settings and fetched branches are deleted in this repository. The remote itself does not change.",
  );
  if (!(await isMeant(message, t('Remove Remote'), detail))) return;
  const { git } = context;
  const url = await git.ask(repository, { args: ['config', '--get', `remote.${remote}.url`] });
  const args = removeRemoteArguments(remote);
  const removed = await git.run(repository, { args }, { title: t('Removing a remote') });
  if (removed === undefined) return;
  const shown = redact(toDisplay(url?.stdout.toString('utf8').trim() ?? ''));
  void window.showInformationMessage(t('Removed remote {0} ({1}).', remote, shown));
}

/** Deletes something on the remote. Calls `done` if git succeeded. */
async function remove(
  context: CommandContext,
  repository: Repository,
  title: string,
  args: string[],
  done: () => void,
): Promise<void> {
  const ways = waysOut(context, repository, () => remove(context, repository, title, args, done));
  const removed = await talking(context, repository, { title, ways }, (run) => run({ args }));
  if (removed !== undefined) done();
}

/** Offers the fetched remote branches. `oid`: the branch's commit at the last fetch. */
async function pickRemoteBranch(
  context: CommandContext,
  repository: Repository,
  { placeHolder, none }: { placeHolder: string; none: string },
): Promise<(RemoteBranch & { oid: string }) | undefined> {
  const remotes = await remotesOr(none, context, repository);
  if (remotes === undefined) return undefined;
  const picked = await pickRef(context, repository, { placeHolder, kinds: ['remote'] });
  if (picked === undefined) return undefined;
  const found = splitRemoteBranch(picked.ref.name, remotes);
  if (found === undefined) {
    void window.showWarningMessage(t('The remote of "{0}" no longer exists.', picked.ref.name));
  }
  return found && { ...found, oid: picked.ref.oid };
}
