/**
 * Stage, unstage and discard. Each kind of row needs one git command, for any number of paths. The caller's `run`
 * reports failures. Does not know `vscode`.
 */
import { blockers } from '../../git/blockers';
import { nulRecords } from '../../git/nulRecords';
import { onIndexEntries, onPaths } from '../../git/pathInput';
import { Run } from '../../git/runGit';
import { isWorktreeFile } from '../../git/worktreeFile';
import { t } from '../../l10n';
import { Left } from '../../model/left';
import { messageOf } from '../../model/messageOf';
import { isText } from '../../model/repoPath';
import { RepoPath, StagedPath } from '../../protocol';
import { DiscardPlan } from './plan';

/** Stages exactly these paths, including deleted, renamed and unmerged files. False if git failed. */
export async function stage(
  run: Run,
  root: string,
  {
    paths,
    deleted,
    unmerged = [],
  }: { paths: readonly RepoPath[]; deleted: readonly RepoPath[]; unmerged?: readonly RepoPath[] },
): Promise<boolean> {
  const programs = unmerged.length === 0 ? [] : await programsByIndex(run, root, unmerged);
  if (programs === undefined) return false;
  // git detects deleted files itself, but not behind a symbolic link in place of their folder.
  const hidden = new Set((await blockers(root, deleted)).map(({ path }) => path));
  const plain = hidden.size === 0 ? paths : paths.filter((path) => !hidden.has(path));
  if (plain.length > 0 && (await run(onPaths('update-index', kStaging, plain))) === undefined) return false;
  if (programs.length > 0 && (await run(onPaths('update-index', ['--chmod=+x'], programs))) === undefined)
    return false;
  if (hidden.size === 0) return true;
  return (await run(onPaths('update-index', ['--force-remove'], hidden))) !== undefined;
}

/** Files outside the sparse checkout do not count as deleted. A file may replace a folder of the same name. */
const kStaging = ['--add', '--remove', '--replace', '--ignore-skip-worktree-entries'];

/**
 * Unmerged files that are executable in the index, if the disk's mode bits do not count (core.fileMode is false).
 *
 * For an unmerged file, `git add` takes the bit from our side, or else from the first existing stage
 * (`index_name_pos_also_unmerged` in git's read-cache.c). Staging by `git update-index` would lose the bit. Undefined
 * if git failed.
 */
async function programsByIndex(
  run: Run,
  root: string,
  unmerged: readonly RepoPath[],
): Promise<RepoPath[] | undefined> {
  const counts = await run({
    args: ['config', '--type=bool', '--default', 'true', '--get', 'core.fileMode'],
  });
  if (counts === undefined) return undefined;
  if (counts.stdout.toString('utf8').trim() === 'true') return [];
  const listed = await run({ args: ['ls-files', '--unmerged', '-z'], keepsAll: true });
  if (listed === undefined) return undefined;
  const modes = new Map<RepoPath, string>();
  const next = nulRecords(listed.stdout);
  for (let record = next(); record !== undefined; record = next()) {
    const [, mode = '', stageOf, path = ''] = /^(\d+) \S+ (\d)\t([^]*)$/.exec(record) ?? [];
    if (stageOf === '2' || !modes.has(path)) modes.set(path, mode);
  }
  const programs: RepoPath[] = [];
  for (const path of unmerged)
    if (modes.get(path) === '100755' && (await isWorktreeFile(root, path))) programs.push(path);
  return programs;
}

/**
 * Resets the index entries of these paths to HEAD; for a rename, both paths. Before the first commit this removes them.
 */
export async function unstage(run: Run, staged: readonly StagedPath[]): Promise<void> {
  if (staged.length === 0) return;
  const entries = staged.flatMap(({ path, index, headMode, headOid, from }) => {
    if (from === undefined) return [{ mode: headMode, oid: headOid, path }];
    const removed = { mode: '0', oid: '0'.repeat(headOid.length), path };
    return index === 'R' ? [removed, { mode: headMode, oid: headOid, path: from }] : [removed];
  });
  await run(onIndexEntries(entries));
}

/** Returns the files that were left unchanged. `remove` deletes an untracked file. */
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
  if (restore.length > 0) await run(onPaths('checkout-index', ['--force', '--index', '--quiet'], restore));
  if (plan.forget.length > 0) await run(onPaths('update-index', ['--force-remove'], plan.forget));
  const submodules = plan.submodules.filter(isText);
  for (const path of plan.submodules)
    if (!isText(path)) left.push({ path, why: t('has a name that is not valid UTF-8') });
  if (submodules.length > 0) {
    await run({ args: ['--literal-pathspecs', 'submodule', '--quiet', 'update', '--', ...submodules] });
  }
  return left;
}
