/** Commit, and undo the last commit. The caller's `run` reports failures. Does not know `vscode`. */
import { t } from '../l10n';
import { createBranchArguments } from '../model/branchPlan';
import { commitArguments, CommitOptions, LastCommit, parseCommit } from '../model/commitPlan';
import { RepoPath } from '../protocol';
import { Run, stage } from './changeOperations';

export interface CommitRequest {
  options: CommitOptions;
  /** '': git opens an editor for it, with an amended commit's own message in it. */
  message: string;
  /** The editor shows the changes below the message. */
  verbose?: boolean;
  /** Created and checked out first. */
  newBranch?: string;
  /** Staged first: untracked files that belong to the commit, and files that were saved for it. */
  stageFirst: readonly RepoPath[];
}

/** True where it was committed. */
export async function commit(
  run: Run,
  root: string,
  { options, message, verbose = false, newBranch, stageFirst }: CommitRequest,
): Promise<boolean> {
  const isOnBranch =
    newBranch === undefined || (await run({ args: createBranchArguments(newBranch) }))?.code === 0;
  if (!isOnBranch) return false;
  if (!(await stage(run, root, { paths: stageFirst, deleted: [] }))) return false;
  const source = message.trim() !== '' ? 'input' : 'editor';
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

/** Its changes are staged afterwards. True where it was undone; rejects where it cannot be. */
export async function undoCommit(run: Run, { parents }: LastCommit): Promise<boolean> {
  if (parents > 0) return (await run({ args: ['reset', '--quiet', '--soft', 'HEAD~'] })) !== undefined;
  const head = await run({ args: ['rev-parse', '--symbolic-full-name', 'HEAD'] });
  if (head === undefined) return false;
  // A detached HEAD would itself be deleted, and a repository needs one.
  if (!head.stdout.toString('utf8').startsWith('refs/')) {
    throw new Error(t('no branch is checked out, and HEAD needs a commit'));
  }
  return (await run({ args: ['update-ref', '-d', 'HEAD'] })) !== undefined;
}
