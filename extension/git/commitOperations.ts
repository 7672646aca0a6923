/** Commit, and take the last commit back. Whoever runs git tells of failures. Does not know `vscode`. */
import { t } from '../l10n';
import { createBranchArguments } from '../model/branchPlan';
import { commitArguments, CommitOptions, LastCommit, parseCommit } from '../model/commitPlan';
import { RepoPath } from '../protocol';
import { Run, stage } from './changeOperations';

export interface CommitRequest {
  options: CommitOptions;
  message: string;
  /** Where there is no message: it is written in an editor, and not an amended commit's own. */
  isByHand?: boolean;
  /** Whoever writes it by hand sees the changes below. */
  verbose?: boolean;
  /** Made and checked out first. */
  newBranch?: string;
  /** Staged before: untracked files that belong to it, and what was saved for it. */
  stageFirst: readonly RepoPath[];
}

/** True where it was committed. */
export async function commit(
  run: Run,
  root: string,
  { options, message, isByHand = false, verbose = false, newBranch, stageFirst }: CommitRequest,
): Promise<boolean> {
  const isOnBranch =
    newBranch === undefined || (await run({ args: createBranchArguments(newBranch) }))?.code === 0;
  if (!isOnBranch) return false;
  if (!(await stage(run, root, { paths: stageFirst, deleted: [] }))) return false;
  const source = message.trim() !== '' ? 'input' : isByHand ? 'editor' : 'own';
  const args = commitArguments({ options, source, verbose });
  const result = await run({
    args,
    ...(source === 'input' && { input: Buffer.from(message, 'utf8') }),
    ...(source === 'editor' && { editor: 'asks' as const }),
  });
  return result?.code === 0;
}

/** Undefined where it cannot be read. */
export async function lastCommit(run: Run): Promise<LastCommit | undefined> {
  const result = await run({ args: ['cat-file', 'commit', 'HEAD'], keepsAll: true });
  return result === undefined ? undefined : parseCommit(result.stdout);
}

/** What it committed is staged afterwards. True where it was taken back; rejects where that cannot be. */
export async function undoCommit(run: Run, { parents }: LastCommit): Promise<boolean> {
  if (parents > 0) return (await run({ args: ['reset', '--quiet', '--soft', 'HEAD~'] })) !== undefined;
  const head = await run({ args: ['rev-parse', '--symbolic-full-name', 'HEAD'] });
  if (head === undefined) return false;
  // A detached HEAD would itself be deleted, and without one there is no repository.
  if (!head.stdout.toString('utf8').startsWith('refs/')) {
    throw new Error(t('no branch is checked out that could be without a commit'));
  }
  return (await run({ args: ['update-ref', '-d', 'HEAD'] })) !== undefined;
}
