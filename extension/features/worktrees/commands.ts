/** Lists, opens, creates and deletes the worktrees of a repository. */
import { posix } from 'node:path';
import { commands, Uri, window } from 'vscode';
import { CommandContext, CommandTable } from '../../commands/context';
import { inRepository } from '../../commands/repository';
import { isMeant } from '../../commands/tell';
import { WaysOut } from '../../git/Git';
import { t } from '../../l10n';
import { shortId } from '../../model/oid';
import { basename, toDisplay } from '../../model/repoPath';
import { Repository } from '../../model/Repository';
import { askName } from '../refs/nameBox';
import { pickRef, trackingBranch } from '../refs/refPick';
import { Ref } from '../refs/refs';
import { offerToOpen } from '../repositories/offerToOpen';
import { parseRemotes, splitRemoteBranch } from '../sync/plan';
import { kListWorktrees, ListedWorktree, parseWorktrees } from './list';
import {
  createWorktreeArguments,
  deletableWorktrees,
  deleteWorktreeArguments,
  proposedWorktreePath,
  WorktreeStart,
} from './plan';

export const worktreeCommands = {
  'residentGit.openWorktree': inRepository((context, repository) =>
    openWorktree(context, repository, { forceReuseWindow: true }),
  ),
  'residentGit.openWorktreeInNewWindow': inRepository((context, repository) =>
    openWorktree(context, repository, { forceNewWindow: true }),
  ),
  'residentGit.createWorktree': inRepository(createWorktree),
  'residentGit.deleteWorktree': inRepository(deleteWorktree),
} satisfies CommandTable;

async function openWorktree(
  context: CommandContext,
  repository: Repository,
  where: { forceReuseWindow?: true; forceNewWindow?: true },
): Promise<void> {
  const isThere = ({ path, isBare, prunable }: ListedWorktree) =>
    !isBare && prunable === undefined && path !== repository.root;
  const picked = await pickWorktree(context, repository, {
    placeHolder: t('Select a worktree to open'),
    among: (listed) => listed.filter(isThere),
  });
  if (picked !== undefined) await commands.executeCommand('vscode.openFolder', Uri.file(picked.path), where);
}

/** Undefined if the user picked none. If there is none to pick, the user gets a message. */
async function pickWorktree(
  { git }: CommandContext,
  repository: Repository,
  { placeHolder, among }: { placeHolder: string; among: (all: ListedWorktree[]) => ListedWorktree[] },
): Promise<ListedWorktree | undefined> {
  const listed = await git.read(repository, { args: kListWorktrees }, t('Listing worktrees'));
  if (listed === undefined) return undefined;
  const others = among(parseWorktrees(listed.stdout));
  if (others.length === 0) {
    void window.showInformationMessage(t('There are no other worktrees in the repository.'));
    return undefined;
  }
  const items = others.map((worktree) => ({
    label: `$(repo) ${toDisplay(basename(worktree.path))}`,
    description: toDisplay(worktree.branch ?? (worktree.oid === undefined ? '' : shortId(worktree.oid))),
    detail: toDisplay(worktree.path),
    worktree,
  }));
  return (await window.showQuickPick(items, { placeHolder }))?.worktree;
}

async function createWorktree(context: CommandContext, repository: Repository): Promise<void> {
  const picked = await pickRef(context, repository, {
    placeHolder: t('Select a branch or tag to create the new worktree from'),
    except: repository.branch.name,
    actions: [
      { label: `$(plus) ${t('Create new branch...')}`, run: () => createOnNewBranch(context, repository) },
    ],
  });
  const start = picked && (await startAt(context, repository, picked.ref));
  if (start !== undefined) await create(context, repository, start);
}

async function createOnNewBranch(
  context: CommandContext,
  repository: Repository,
  from?: string,
): Promise<void> {
  const name = await askName(context, repository, { kind: 'head' });
  if (name === undefined) return;
  await create(context, repository, { kind: 'new', name, ...(from !== undefined && { from }) });
}

/**
 * A remote branch is checked out as its local tracking branch. Undefined if git failed; the failure is already
 * reported.
 */
async function startAt(
  { git }: CommandContext,
  repository: Repository,
  ref: Ref,
): Promise<WorktreeStart | undefined> {
  if (ref.kind === 'head') return { kind: 'branch', name: ref.name };
  if (ref.kind === 'tag') return { kind: 'detached', ref };
  const tracking = await trackingBranch(git, repository, ref);
  if (tracking === undefined) return undefined;
  if (tracking !== '') return { kind: 'branch', name: tracking };
  const remotes = await git.read(repository, { args: ['remote'] }, t('Looking for remotes'));
  if (remotes === undefined) return undefined;
  const name = splitRemoteBranch(ref.name, parseRemotes(remotes.stdout))?.name;
  return name === undefined ? { kind: 'detached', ref } : { kind: 'tracking', name, upstream: ref };
}

async function create(context: CommandContext, repository: Repository, start: WorktreeStart): Promise<void> {
  const { root, gitDir, commonDir = gitDir } = repository;
  const name = start.kind === 'detached' ? start.ref.name : start.name;
  const typed = await window.showInputBox({
    placeHolder: t('Worktree path'),
    prompt: t('Please provide a worktree path'),
    value: proposedWorktreePath(root, name, { isLinked: gitDir !== commonDir }),
    ignoreFocusOut: true,
  });
  if (typed === undefined || typed.trim() === '') return;
  const path = posix.resolve(root, typed.trim());
  const elsewhere = () => createOnNewBranch(context, repository, `refs/heads/${name}`);
  const ways: WaysOut = { checkedOut: [{ label: t('New Branch...'), run: elsewhere }] };
  const command = { args: createWorktreeArguments(path, start) };
  const done = await context.git.run(repository, command, { title: t('Creating a worktree'), ways });
  if (done === undefined) return;
  const question = t("Would you like to open the worktree '{0}'?", basename(path));
  await offerToOpen(Uri.file(path), question);
}

async function deleteWorktree(context: CommandContext, repository: Repository): Promise<void> {
  const picked = await pickWorktree(context, repository, {
    placeHolder: t('Select a worktree to delete'),
    among: (listed) => deletableWorktrees(listed, repository.root),
  });
  if (picked === undefined) return;
  const { path, branch } = picked;
  const shown = toDisplay(path);
  const message = t('Are you sure you want to delete the worktree "{0}"?', toDisplay(basename(path)));
  const detail =
    branch === undefined
      ? t(
          '{0} and its ignored files will be deleted. Commits there that are on no branch will be hard to find.',
          shown,
        )
      : t('{0} and its ignored files will be deleted. The branch "{1}" is kept.', shown, toDisplay(branch));
  if (!(await isMeant(message, t('Delete Worktree'), detail))) return;
  const title = t('Deleting a worktree');
  const expected = ['worktreeInUse'] as const;
  const args = deleteWorktreeArguments(path);
  const result = await context.git.run(repository, { args }, { title, expected });
  if (result === undefined || result.code === 0) return;
  const question = t(
    'The worktree contains modified or untracked files, or submodules. Do you want to force delete?',
  );
  if (!(await isMeant(question, t('Force Delete'), t('Worktree: {0}', shown)))) return;
  await context.git.run(repository, { args: deleteWorktreeArguments(path, { force: true }) }, { title });
}
