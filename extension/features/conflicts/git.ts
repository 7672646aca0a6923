/**
 * Takes one side of conflicts in the worktree. The files stay unmerged until they are staged. Does not know `vscode`.
 */
import { writeFile } from 'node:fs/promises';
import { parseAttributes } from '../../git/attributes';
import { blockers } from '../../git/blockers';
import { onPaths } from '../../git/pathInput';
import { Run } from '../../git/runGit';
import { isWorktreeFile, isWorktreeFileOrLink, readWorktreeFile, unlinkFile } from '../../git/worktreeFile';
import { t } from '../../l10n';
import { Left } from '../../model/left';
import { messageOf } from '../../model/messageOf';
import { join, toBytes } from '../../model/repoPath';
import { RepoPath } from '../../protocol';
import { ConflictSide, hasConflictMarkers, kMarkerSize, withoutConflicts } from './markers';
import { acceptance, ConflictPath, mergeSources } from './plan';

/** Lengths of the conflict markers, for files whose attribute sets a length. Undefined if git failed. */
async function markerSizes(run: Run, paths: readonly RepoPath[]): Promise<Map<RepoPath, number> | undefined> {
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

/** The paths that still have conflict markers. Undefined if git failed. */
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

/** Text conflicts without markers: there a side can only replace the whole file. Undefined if git failed. */
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

/** A file that `accept` changed. */
export interface Replaced {
  path: RepoPath;
  before: Buffer;
  /** Undefined: `accept` deleted the file. */
  after: Buffer | undefined;
}

/** Limit in bytes. If the replaced files are larger together, none is kept for undo. */
const kMaxKept = 16 * 1024 * 1024;

/**
 * Resolves `conflicts` to one side. They must exist now. A side replaces a whole text file only if the file is in
 * `meantWhole`. Any other text file without markers was resolved meanwhile, and is left unchanged. `replaced` is
 * undefined if the files are too large to keep.
 */
export async function accept(
  run: Run,
  root: string,
  conflicts: readonly ConflictPath[],
  side: ConflictSide,
  meantWhole: ReadonlySet<RepoPath>,
): Promise<{ left: Left[]; replaced: Replaced[] | undefined }> {
  const left: Left[] = [];
  const before = new Map<RepoPath, Buffer>();
  let kept = 0;
  const sizes = await markerSizes(
    run,
    conflicts.map(({ path }) => path),
  );
  if (sizes === undefined) return { left, replaced: [] };
  const whole = { stage2: [] as RepoPath[], stage3: [] as RepoPath[] };
  for (const { path, conflict } of conflicts) {
    const size = sizes.get(path) ?? kMarkerSize;
    const content = await ownContent(root, path);
    kept += content?.length ?? 0;
    if (content !== undefined && kept <= kMaxKept) before.set(path, content);
    const resolved = content && withoutConflicts(content, side, size);
    const isMarked = content !== undefined && hasConflictMarkers(content, size);
    const how = acceptance(conflict, side, isMarked);
    try {
      if (how === 'neither') left.push({ path, why: t('exists on one side only') });
      else if (how === 'remove') {
        if (await isWorktreeFileOrLink(root, path)) await unlinkFile(root, path);
      } else if (how !== 'text') {
        if (mergeSources(conflict) === undefined || meantWhole.has(path)) whole[how].push(path);
        else left.push({ path, why: t('no longer has conflict markers') });
      } else if (resolved === undefined) left.push({ path, why: t('has incomplete conflict markers') });
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
  return { left, replaced: kept > kMaxKept ? undefined : await differing(root, before) };
}

async function differing(root: string, contents: ReadonlyMap<RepoPath, Buffer>): Promise<Replaced[]> {
  const replaced: Replaced[] = [];
  for (const [path, before] of contents) {
    const after = await ownContent(root, path);
    if (after?.equals(before) !== true) replaced.push({ path, before, after });
  }
  return replaced;
}

/** Restores the files that `accept` replaced. Files that changed since then stay as they are, and are returned. */
export async function restoreReplaced(root: string, replaced: readonly Replaced[]): Promise<Left[]> {
  const left: Left[] = [];
  for (const { path, before, after } of replaced) {
    const now = await ownContent(root, path);
    const isSame = after === undefined ? now === undefined : now?.equals(after) === true;
    try {
      if (!isSame || (now === undefined && (await isWorktreeFileOrLink(root, path))))
        left.push({ path, why: t('has changed since') });
      else await writeFile(toBytes(join(root, path)), before, { flag: now === undefined ? 'wx' : 'w' });
    } catch (error) {
      left.push({ path, why: messageOf(error) });
    }
  }
  return left;
}

/** Undefined for a symbolic link: its target is a different file. */
async function ownContent(root: string, path: RepoPath): Promise<Buffer | undefined> {
  return (await isWorktreeFile(root, path)) ? readWorktreeFile(root, path) : undefined;
}
