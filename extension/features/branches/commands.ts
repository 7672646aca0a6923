/** Branches and tags: check out, create, rename, delete, merge, rebase. */
import { window } from 'vscode';
import { CommandContext, CommandTable } from '../../commands/context';
import { inRepository } from '../../commands/repository';
import { isMeant, tellDone } from '../../commands/tell';
import { offerToMoveHeadBack } from '../../commands/undo';
import { byNoVerify } from '../../commands/waysOut';
import { WaysOut } from '../../git/Git';
import { headOid } from '../../git/headMove';
import { t } from '../../l10n';
import { shortId } from '../../model/oid';
import { isText, toDisplay } from '../../model/repoPath';
import { Repository } from '../../model/Repository';
import { askName } from '../refs/nameBox';
import { pickRef, trackingBranch } from '../refs/refPick';
import { Ref } from '../refs/refs';
import { stashAndCheckout } from '../stash/git';
import { byStashing } from '../stash/waysOut';
import { BranchConfig, parseBranchConfig, restoreBranch } from './git';
import {
  checkoutBranchArguments,
  checkoutDetachedArguments,
  checkoutRemoteArguments,
  createBranchArguments,
  createTagArguments,
  deleteBranchArguments,
  deleteTagArguments,
  mergeArguments,
  rebaseArguments,
  renameBranchArguments,
} from './plan';

export const branchCommands = {
  'residentGit.checkout': inRepository(checkout),
  'residentGit.checkoutDetached': inRepository(checkoutDetached),
  'residentGit.branch': inRepository((context, repository) => createBranch(context, repository)),
  'residentGit.branchFrom': inRepository(createBranchFrom),
  'residentGit.renameBranch': inRepository(renameBranch),
  'residentGit.deleteBranch': inRepository(deleteBranch),
  'residentGit.merge': inRepository(merge),
  'residentGit.rebase': inRepository(rebase),
  'residentGit.createTag': inRepository(createTag),
  'residentGit.deleteTag': inRepository(deleteTag),
} satisfies CommandTable;

async function checkout(context: CommandContext, repository: Repository): Promise<void> {
  const picked = await pickRef(context, repository, {
    placeHolder: t('Select a branch or tag to checkout'),
    current: repository.branch.name,
    actions: [
      { label: `$(plus) ${t('Create new branch...')}`, run: () => createBranch(context, repository) },
      {
        label: `$(plus) ${t('Create new branch from...')}`,
        run: () => createBranchFrom(context, repository),
      },
      {
        label: `$(debug-disconnect) ${t('Checkout detached...')}`,
        run: () => checkoutDetached(context, repository),
      },
    ],
  });
  if (picked === undefined) return;
  const { kind, name } = picked.ref;
  if (kind === 'head' && name === repository.branch.name) return;
  const args = await checkoutArguments(context, repository, picked.ref);
  if (args === undefined) return;
  const title = t('Checking out {0}', toDisplay(picked.ref.name));
  await run(context, repository, title, args, waysToCheckOut(context, repository, title, args));
}

/** Next steps if local changes block a checkout: leave them in a stash, or take them along. */
function waysToCheckOut(
  { git }: CommandContext,
  repository: Repository,
  title: string,
  checkout: string[],
): WaysOut {
  const way = (label: string, migrates: boolean) => ({
    label,
    run: () =>
      git.exclusively(repository, { title }, (runNow) => stashAndCheckout(runNow, checkout, { migrates })),
  });
  return { dirty: [way(t('Stash & Checkout'), false), way(t('Migrate Changes'), true)] };
}

/** Undefined if git failed; the failure is already reported. */
async function checkoutArguments(
  { git }: CommandContext,
  repository: Repository,
  ref: Ref,
): Promise<string[] | undefined> {
  if (ref.kind === 'head') return checkoutBranchArguments(ref.name);
  if (ref.kind === 'tag') return checkoutDetachedArguments(ref);
  const tracking = await trackingBranch(git, repository, ref);
  if (tracking === undefined) return undefined;
  return tracking === '' ? checkoutRemoteArguments(ref) : checkoutBranchArguments(tracking);
}

async function checkoutDetached(context: CommandContext, repository: Repository): Promise<void> {
  const placeHolder = t('Select a branch or tag to checkout in detached mode');
  const current = repository.branch.name;
  const picked = await pickRef(context, repository, { placeHolder, current });
  if (picked === undefined) return;
  const title = t('Checking out {0}', toDisplay(picked.ref.name));
  await run(context, repository, title, checkoutDetachedArguments(picked.ref));
}

async function createBranch(context: CommandContext, repository: Repository, from?: Ref): Promise<void> {
  const name = await askName(context, repository, { kind: 'head' });
  if (name !== undefined) {
    await run(context, repository, t('Creating a branch'), createBranchArguments(name, from));
  }
}

async function createBranchFrom(context: CommandContext, repository: Repository): Promise<void> {
  const placeHolder = t('Select a ref to create the branch from');
  const current = repository.branch.name;
  const picked = await pickRef(context, repository, { placeHolder, current });
  if (picked !== undefined) await createBranch(context, repository, picked.ref);
}

async function renameBranch(context: CommandContext, repository: Repository): Promise<void> {
  const { name } = repository.branch;
  if (name === undefined || !isText(name)) {
    void window.showWarningMessage(t('No branch is checked out.'));
    return;
  }
  const to = await askName(context, repository, { kind: 'head', value: name });
  if (to === undefined || to === name) return;
  await run(context, repository, t('Renaming the branch'), renameBranchArguments(name, to));
}

async function deleteBranch(context: CommandContext, repository: Repository): Promise<void> {
  const picked = await pickRef(context, repository, {
    placeHolder: t('Select a branch to delete'),
    kinds: ['head'],
    except: repository.branch.name,
  });
  if (picked === undefined) return;
  const { name } = picked.ref;
  const title = t('Deleting a branch');
  const expected = ['notMerged'] as const;
  const tellDeleted = await beforeBranchDeletion(context, repository, picked.ref);
  const result = await context.git.run(
    repository,
    { args: deleteBranchArguments(name) },
    { title, expected },
  );
  if (result?.code === 0) tellDeleted();
  if (result === undefined || result.code === 0) return;
  const message = t('The branch "{0}" is not fully merged. Delete anyway?', toDisplay(name));
  if (!(await isMeant(message, t('Delete Branch')))) return;
  const forced = { args: deleteBranchArguments(name, { force: true }) };
  if ((await context.git.run(repository, forced, { title })) !== undefined) tellDeleted();
}

async function merge(context: CommandContext, repository: Repository): Promise<void> {
  const placeHolder = t('Select a branch or tag to merge from');
  const picked = await pickRef(context, repository, { placeHolder, except: repository.branch.name });
  if (picked === undefined) return;
  const title = t('Merging {0}', toDisplay(picked.ref.name));
  await runPastChanges(context, repository, title, mergeArguments(picked.ref, picked.refs));
}

async function rebase(context: CommandContext, repository: Repository): Promise<void> {
  const placeHolder = t('Select a branch to rebase onto');
  const picked = await pickRef(context, repository, { placeHolder, except: repository.branch.name });
  if (picked === undefined) return;
  const title = t('Rebasing onto {0}', toDisplay(picked.ref.name));
  const from = repository.branch.oid;
  const isDone = await runPastChanges(context, repository, title, rebaseArguments(picked.ref, picked.refs));
  const to = isDone ? await headOid((command) => context.git.ask(repository, command)) : undefined;
  if (from === undefined || to === undefined || from === to) return;
  const message = t('Rebased onto {0}. The branch was at {1}.', toDisplay(picked.ref.name), shortId(from));
  offerToMoveHeadBack(context, repository, message, { from, to }, { how: 'keep' });
}

/** Runs a merge or a rebase, with next steps for blocking changes and hooks. True if git succeeded at once. */
async function runPastChanges(
  context: CommandContext,
  repository: Repository,
  title: string,
  args: string[],
): Promise<boolean> {
  const again = () => runPastChanges(context, repository, title, args);
  const ways = { ...byStashing(context, repository, again), ...byNoVerify(repository) };
  return (await context.git.run(repository, { args }, { title, ways })) !== undefined;
}

async function createTag(context: CommandContext, repository: Repository): Promise<void> {
  const name = await askName(context, repository, { kind: 'tag' });
  if (name === undefined) return;
  const prompt = t('Enter a message for the tag, or leave the box empty');
  const message = await window.showInputBox({ placeHolder: t('Message'), prompt, ignoreFocusOut: true });
  if (message === undefined) return;
  const hasMessage = message.trim() !== '';
  const args = createTagArguments(name, { hasMessage });
  const input = hasMessage ? { input: Buffer.from(message, 'utf8') } : {};
  await context.git.run(repository, { args, ...input }, { title: t('Creating a tag') });
}

async function deleteTag(context: CommandContext, repository: Repository): Promise<void> {
  const placeHolder = t('Select a tag to delete');
  const picked = await pickRef(context, repository, { placeHolder, kinds: ['tag'] });
  if (picked === undefined) return;
  const command = { args: deleteTagArguments(picked.ref.name) };
  const deleted = await context.git.run(repository, command, { title: t('Deleting a tag') });
  if (deleted !== undefined) tellTagDeleted(context, repository, picked.ref);
}

async function run(
  { git }: CommandContext,
  repository: Repository,
  title: string,
  args: string[],
  ways: WaysOut = {},
): Promise<void> {
  await git.run(repository, { args }, { title, ways });
}

/**
 * Call before a branch is deleted: git deletes its config too, so this reads the config first. Call the returned
 * function after the deletion.
 */
async function beforeBranchDeletion(
  { git }: CommandContext,
  repository: Repository,
  { name, oid }: Ref,
): Promise<() => void> {
  const args = ['config', '--local', '-z', '--get-regexp', '^branch\\.'];
  const found = await git.ask(repository, { args });
  const config: BranchConfig = found === undefined ? [] : parseBranchConfig(found.stdout, name);
  const title = t('Restoring a branch');
  return () => {
    tellDone(t('Deleted branch {0} (was {1}).', toDisplay(name), shortId(oid)), () =>
      git.exclusively(repository, { title }, (run) => restoreBranch(run, { name, oid, config })),
    );
  };
}

function tellTagDeleted({ git }: CommandContext, repository: Repository, { full, name, oid }: Ref): void {
  const title = t('Restoring a tag');
  // Empty old value: the update fails if a tag with this name exists by now.
  tellDone(t('Deleted tag {0} (was {1}).', toDisplay(name), shortId(oid)), () =>
    git.run(repository, { args: ['update-ref', full, oid, ''] }, { title }),
  );
}
