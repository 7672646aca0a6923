/**
 * Stage, unstage and discard, each with one git for a kind of rows, on any number of paths. Whoever runs git tells of
 * failures. Does not know `vscode`.
 */
import { unlink } from 'node:fs/promises';
import { RepoPath } from '../protocol';
import { DiscardPlan, Left, StagePlan } from '../model/changes';
import { isText, join, toBytes } from '../model/repoPath';
import { messageOf } from '../model/RepositoryRegistry';
import { blockers } from './blockers';
import { onPaths } from './pathspec';
import { GitCommand, GitResult } from './runGit';

/** Undefined where git failed, or was cancelled. */
export type Run = (command: GitCommand) => Promise<GitResult | undefined>;

/** Also what is deleted, renamed and unmerged; exactly these paths. */
export async function stage(run: Run, root: string, { paths, deleted }: StagePlan): Promise<void> {
  const replaced = new Set((await blockers(root, deleted)).map(({ path }) => path));
  const plain = paths.filter((path) => !replaced.has(path));
  if (plain.length > 0) await run(onPaths('add', ['--all'], plain));
  // `git add` of a name that is a folder by now would add what is in it.
  if (replaced.size > 0) await run(forgetting(replaced));
}

/** Before the first commit there is nothing to restore the index from. */
export async function unstage(run: Run, paths: readonly RepoPath[], isUnborn: boolean): Promise<void> {
  if (paths.length === 0) return;
  await run(isUnborn ? forgetting(paths) : onPaths('restore', ['--quiet', '--staged'], paths));
}

/** Files stay as they are. `--force`: what is staged may differ from them. */
function forgetting(paths: Iterable<RepoPath>): GitCommand {
  return onPaths('rm', ['--quiet', '--cached', '--force', '--ignore-unmatch'], paths);
}

/** Returns what was left alone. `remove` takes an untracked file away. */
export async function discard(
  run: Run,
  root: string,
  plan: DiscardPlan,
  remove: (path: RepoPath) => Promise<void>,
): Promise<Left[]> {
  const left = [...plan.left];
  for (const path of plan.remove) {
    try {
      await remove(path);
    } catch (error) {
      left.push({ path, why: messageOf(error) });
    }
  }
  const blocked = await blockers(root, plan.restore);
  left.push(...blocked);
  const isBlocked = new Set(blocked.map(({ path }) => path));
  const restore = plan.restore.filter((path) => !isBlocked.has(path));
  if (restore.length > 0) await run(onPaths('restore', ['--quiet', '--worktree'], restore));
  if (plan.forget.length > 0) await run(forgetting(plan.forget));
  const submodules = plan.submodules.filter(isText);
  for (const path of plan.submodules)
    if (!isText(path)) left.push({ path, why: 'has a name that is no text' });
  if (submodules.length > 0) {
    await run({ args: ['--literal-pathspecs', 'submodule', '--quiet', 'update', '--', ...submodules] });
  }
  return left;
}

/** For good. A symbolic link goes, and not what it leads to. */
export async function unlinkFile(root: string, path: RepoPath): Promise<void> {
  await unlink(toBytes(join(root, path)));
}
