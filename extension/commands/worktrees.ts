/** The worktrees of a repository: listed, and opened. */
import { commands, Uri, window } from 'vscode';
import { t } from '../l10n';
import { basename, toDisplay } from '../model/repoPath';
import { Repository } from '../model/Repository';
import { kIdLength } from '../model/statusText';
import { kListWorktrees, parseWorktrees } from '../model/worktreeList';
import { CommandContext, CommandTable } from './context';
import { inRepository } from './repository';

export const worktreeCommands = {
  'residentGit.openWorktree': inRepository((context, repository) =>
    openWorktree(context, repository, { forceReuseWindow: true }),
  ),
  'residentGit.openWorktreeInNewWindow': inRepository((context, repository) =>
    openWorktree(context, repository, { forceNewWindow: true }),
  ),
} satisfies CommandTable;

async function openWorktree(
  { git }: CommandContext,
  repository: Repository,
  where: { forceReuseWindow?: true; forceNewWindow?: true },
): Promise<void> {
  const listed = await git.read(repository, { args: kListWorktrees }, t('Listing worktrees'));
  if (listed === undefined) return;
  const others = parseWorktrees(listed.stdout).filter(
    ({ path, isBare, prunable }) => !isBare && prunable === undefined && path !== repository.root,
  );
  if (others.length === 0) {
    void window.showInformationMessage(t('There are no other worktrees in the repository.'));
    return;
  }
  const items = others.map(({ path, branch, oid }) => ({
    label: `$(repo) ${toDisplay(basename(path))}`,
    description: toDisplay(branch ?? oid?.slice(0, kIdLength) ?? ''),
    detail: toDisplay(path),
    path,
  }));
  const picked = await window.showQuickPick(items, { placeHolder: t('Select a worktree to open') });
  if (picked !== undefined) await commands.executeCommand('vscode.openFolder', Uri.file(picked.path), where);
}
