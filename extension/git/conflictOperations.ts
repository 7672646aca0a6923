/** One side of files with conflicts, in the worktree: they stay unmerged until they are staged. Does not know `vscode`. */
import { writeFile } from 'node:fs/promises';
import { RepoPath } from '../protocol';
import { t } from '../l10n';
import { Left } from '../model/changes';
import { ConflictSide, hasConflictMarkers, kMarkerSize, withoutConflicts } from '../model/conflictMarkers';
import { acceptance, ConflictPath, mergeSources } from '../model/conflictPlan';
import { join, toBytes } from '../model/repoPath';
import { messageOf } from '../model/RepositoryRegistry';
import { parseAttributes } from './attributes';
import { blockers } from './blockers';
import { Run, unlinkFile } from './changeOperations';
import { onPaths } from './pathInput';
import { isWorktreeFile, isWorktreeFileOrLink, readWorktreeFile } from './worktreeFile';

/** Of signs in the markers of each file, where an attribute sets it. Undefined where git failed. */
export async function markerSizes(
  run: Run,
  paths: readonly RepoPath[],
): Promise<Map<RepoPath, number> | undefined> {
  const command = onPaths('check-attr', ['conflict-marker-size'], paths);
  const result = await run({ ...command, keepsAll: true });
  if (result === undefined) return undefined;
  const sizes = new Map<RepoPath, number>();
  for (const { path, value } of parseAttributes(result.stdout)) {
    const size = /^\d{1,4}$/.test(value) ? Number(value) : 0;
    if (size > 0) sizes.set(path, size);
  }
  return sizes;
}

/** Those in which markers still stand. Undefined where git failed. */
export async function stillMarked(
  run: Run,
  root: string,
  paths: readonly RepoPath[],
): Promise<RepoPath[] | undefined> {
  const sizes = paths.length === 0 ? new Map<RepoPath, number>() : await markerSizes(run, paths);
  if (sizes === undefined) return undefined;
  const marked: RepoPath[] = [];
  for (const path of paths) {
    const content = await ownContent(root, path);
    if (content !== undefined && hasConflictMarkers(content, sizes.get(path) ?? kMarkerSize))
      marked.push(path);
  }
  return marked;
}

/** Of these, those of which a side can be taken as a whole only: no markers tell what of it is in conflict. */
export async function withoutMarkers(
  run: Run,
  root: string,
  conflicts: readonly ConflictPath[],
): Promise<RepoPath[] | undefined> {
  const texts = conflicts.filter(({ conflict }) => mergeSources(conflict) !== undefined);
  const marked = await stillMarked(
    run,
    root,
    texts.map(({ path }) => path),
  );
  if (marked === undefined) return undefined;
  const isMarked = new Set(marked);
  return texts.filter(({ path }) => !isMarked.has(path)).map(({ path }) => path);
}

/**
 * `conflicts` stand at this moment. Of two texts a side replaces the whole file only in `meantWhole`: another one without
 * markers was resolved meanwhile. Returns what was left alone.
 */
export async function accept(
  run: Run,
  root: string,
  conflicts: readonly ConflictPath[],
  side: ConflictSide,
  meantWhole: ReadonlySet<RepoPath>,
): Promise<Left[]> {
  const left: Left[] = [];
  const sizes = await markerSizes(
    run,
    conflicts.map(({ path }) => path),
  );
  if (sizes === undefined) return left;
  const whole = { stage2: [] as RepoPath[], stage3: [] as RepoPath[] };
  for (const { path, conflict } of conflicts) {
    const size = sizes.get(path) ?? kMarkerSize;
    const content = await ownContent(root, path);
    const resolved = content && withoutConflicts(content, side, size);
    const isMarked = content !== undefined && hasConflictMarkers(content, size);
    const how = acceptance(conflict, side, isMarked);
    try {
      if (how === 'neither') left.push({ path, why: t('has no markers of two versions') });
      else if (how === 'remove') {
        if (await isWorktreeFileOrLink(root, path)) await unlinkFile(root, path);
      } else if (how !== 'text') {
        if (mergeSources(conflict) === undefined || meantWhole.has(path)) whole[how].push(path);
        else left.push({ path, why: t('has no conflict markers any more') });
      } else if (resolved === undefined)
        left.push({ path, why: t('has markers that are not whole, or lines that look like one') });
      else await writeFile(toBytes(join(root, path)), resolved);
    } catch (error) {
      left.push({ path, why: messageOf(error) });
    }
  }
  for (const [stage, paths] of [
    ['2', whole.stage2],
    ['3', whole.stage3],
  ] as const) {
    const blocked = await blockers(root, paths);
    left.push(...blocked);
    const isBlocked = new Set(blocked.map(({ path }) => path));
    const free = paths.filter((path) => !isBlocked.has(path));
    if (free.length > 0)
      await run(onPaths('checkout-index', [`--stage=${stage}`, '--force', '--quiet'], free));
  }
  return left;
}

/** Not that of another file, to which a symbolic link leads. */
async function ownContent(root: string, path: RepoPath): Promise<Buffer | undefined> {
  return (await isWorktreeFile(root, path)) ? readWorktreeFile(root, path) : undefined;
}
