/** Commit, and undo the last commit. The caller's `run` reports failures. Does not know `vscode`. */
import { Run } from '../../git/runGit';
import { t } from '../../l10n';
import { RepoPath } from '../../protocol';
import { createBranchArguments } from '../branches/plan';
import { stage } from '../changes/git';
import { commitArguments, CommitOptions, LastCommit, parseCommit } from './plan';

export interface CommitRequest {
  options: CommitOptions;
  /** '': git opens an editor for the message. For an amended commit, the editor starts with its old message. */
  message: string;
  /** The editor shows the changes below the message. */
  verbose?: boolean;
  /** A branch to create and check out first. */
  newBranch?: string;
  /** Paths to stage first: untracked files for this commit, and files that were just saved for it. */
  stageFirst: readonly RepoPath[];
}

/** True if the commit was made. */
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

/** Undefined if the commit cannot be read. */
export async function lastCommit(run: Run): Promise<LastCommit | undefined> {
  const result = await run({ args: ['cat-file', 'commit', 'HEAD'], keepsAll: true });
  return result === undefined ? undefined : parseCommit(result.stdout);
}

/** Undoes HEAD's commit, and leaves its changes staged. True if it was undone. Rejects if it cannot be undone. */
export async function undoCommit(run: Run, { parents }: LastCommit): Promise<boolean> {
  if (parents > 0) return (await run({ args: ['reset', '--quiet', '--soft', 'HEAD~'] })) !== undefined;
  const head = await run({ args: ['rev-parse', '--symbolic-full-name', 'HEAD'] });
  if (head === undefined) return false;
  // `update-ref -d` would delete a detached HEAD itself, but a repository needs HEAD.
  if (!head.stdout.toString('utf8').startsWith('refs/')) {
    throw new Error(t('no branch is checked out, and HEAD needs a commit'));
  }
  return (await run({ args: ['update-ref', '-d', 'HEAD'] })) !== undefined;
}
