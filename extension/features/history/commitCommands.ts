/**
 * Commands on one commit. Other features call them with the worktree's root and the commit's id; the view calls them
 * with its row.
 */
import { env, window } from 'vscode';
import { CommandContext, CommandTable } from '../../commands/context';
import { t } from '../../l10n';
import { shortId } from '../../model/oid';
import { isOid } from './commit';
import { openCommit } from './commitEditors';
import { CommitRow } from './HistoryRows';

export const commitOfHistoryCommands = {
  'residentGit.openCommit': async (context: CommandContext, ...args: unknown[]) => {
    const { root, oid } = commitIn(args) ?? {};
    const repository = root === undefined ? undefined : context.registry.get(root);
    if (oid === undefined) return;
    if (repository === undefined) void window.showInformationMessage(t('The repository is not open.'));
    else await openCommit(context, repository, oid);
  },
  'residentGit.copyCommitHash': async (_context: CommandContext, ...args: unknown[]) => {
    const { oid } = commitIn(args) ?? {};
    if (oid === undefined) return;
    await env.clipboard.writeText(oid);
    window.setStatusBarMessage(t('Copied {0}', shortId(oid)), 3_000);
  },
} satisfies CommandTable;

function commitIn(args: readonly unknown[]): { root: string; oid: string } | undefined {
  const row = args.find((argument) => argument instanceof CommitRow);
  if (row !== undefined) return { root: row.root, oid: row.commit.oid };
  const [root, oid] = args;
  return typeof root === 'string' && isOid(oid) ? { root, oid } : undefined;
}
