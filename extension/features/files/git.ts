/**
 * Changes as a patch for `git apply`. A few git commands handle any number of rows with any names. The caller's `run`
 * reports failures. Does not know `vscode`.
 *
 * No path goes to git as a pathspec: a temporary index contains only the chosen rows, and git compares all of it.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { nulRecords } from '../../git/nulRecords';
import { onIndexEntries } from '../../git/pathInput';
import { Run } from '../../git/runGit';
import { RepoPath } from '../../protocol';
import { kTemporaryIndexOptions } from '../hunks/git';

/** A row of the view: the index against HEAD, the worktree against the index, or an untracked file against nothing. */
export interface PatchRow {
  path: RepoPath;
  /** The old path of a rename. */
  from?: RepoPath;
  side: 'index' | 'workingTree' | 'untracked';
}

/** Limit for a patch, in bytes: more than anybody pastes, and far below the longest string. */
export const kMaxPatchBytes = 64 << 20;
/** Makes the diff independent of the user's config. Names that are not ASCII are quoted. */
const kDiff = [
  ...[...kTemporaryIndexOptions, '-c', 'core.quotePath=true'],
  ...['diff', '--binary', '--unified=3', '--submodule=short'],
  ...['--no-color', '--no-ext-diff', '--no-textconv', '--src-prefix=a/', '--dst-prefix=b/'],
] as const;
/** Lists every change of a side, with modes and object ids. */
const kRaw = ['diff', '--raw', '-z', '--no-renames', '--no-abbrev', '--no-ext-diff', '--submodule=short'];
const kNone = '000000';

interface RawChange {
  path: RepoPath;
  oldMode: string;
  newMode: string;
  oldOid: string;
  newOid: string;
}

/** Undefined if git failed; 'tooLarge' if the patch has `most` bytes or more. */
export async function patchOf(
  run: Run,
  rows: readonly PatchRow[],
  most = kMaxPatchBytes,
): Promise<Buffer | 'tooLarge' | undefined> {
  const pathsOf = (side: PatchRow['side']) => {
    const own = rows.filter((row) => row.side === side);
    return new Set(own.flatMap(({ path, from }) => (from === undefined ? [path] : [from, path])));
  };
  const staged = await changesOf(run, ['--cached'], pathsOf('index'));
  const changed = staged && (await changesOf(run, [], pathsOf('workingTree')));
  if (staged === undefined || changed === undefined) return undefined;
  // Paths from `git add --intent-to-add` are in the index without content.
  const isNew = ({ oldMode }: RawChange) => oldMode === kNone;
  const fresh = [...changed.filter(isNew).map(({ path }) => path), ...pathsOf('untracked')];
  const tracked = changed.filter((change) => !isNew(change));
  const folder = await mkdtemp(`${tmpdir()}/resident-git-index-`);
  try {
    const parts: Buffer[] = [];
    let left = most;
    for (const [name, compare] of [
      ['staged', (comparison: Comparison) => compareStaged(comparison, staged)],
      ['tracked', (comparison: Comparison) => compareTracked(comparison, tracked)],
      ['fresh', (comparison: Comparison) => compareFresh(comparison, fresh)],
    ] as const) {
      const result = await compare({ run, index: `${folder}/${name}`, most: left });
      if (result === undefined) return undefined;
      parts.push(result);
      left -= result.byteLength;
      if (left <= 0) return 'tooLarge';
    }
    return Buffer.concat(parts);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The changes of these paths only, without conflicts. Undefined if git failed. */
async function changesOf(
  run: Run,
  options: readonly string[],
  paths: ReadonlySet<RepoPath>,
): Promise<RawChange[] | undefined> {
  if (paths.size === 0) return [];
  const listed = await run({ args: [...kRaw, ...options], keepsAll: true });
  if (listed === undefined) return undefined;
  const changes: RawChange[] = [];
  const next = nulRecords(listed.stdout);
  for (let record = next(); record !== undefined; record = next()) {
    const [, oldMode = '', newMode = '', oldOid = '', newOid = '', letter] =
      /^:(\d+) (\d+) (\w+) (\w+) (\w)/.exec(record) ?? [];
    const path = next();
    if (path !== undefined && letter !== 'U' && paths.has(path))
      changes.push({ path, oldMode, newMode, oldOid, newOid });
  }
  return changes;
}

/** A new temporary index for one comparison. At most `most` bytes of the patch are kept. */
interface Comparison {
  run: Run;
  index: string;
  most: number;
}

/**
 * Compares HEAD plus these changes with HEAD. If all files are new, compares with the empty tree, which also works
 * before the first commit.
 */
async function compareStaged(
  comparison: Comparison,
  changes: readonly RawChange[],
): Promise<Buffer | undefined> {
  if (changes.length === 0) return Buffer.alloc(0);
  const { run, index } = comparison;
  const isAllNew = changes.every(({ oldMode }) => oldMode === kNone);
  const base = isAllNew ? await emptyTree(run) : 'HEAD';
  if (base === undefined) return undefined;
  const readHead = { args: [...kTemporaryIndexOptions, 'read-tree', base], index };
  if (!isAllNew && (await run(readHead)) === undefined) return undefined;
  const entries = changes.map(({ path, newMode, newOid }) => ({
    mode: newMode === kNone ? '0' : newMode,
    oid: newOid,
    path,
  }));
  return compare(comparison, entries, ['--cached', base]);
}

/** Compares the worktree with the index. */
function compareTracked(comparison: Comparison, changes: readonly RawChange[]): Promise<Buffer | undefined> {
  const entries = changes.map(({ path, oldMode, oldOid }) => ({ mode: oldMode, oid: oldOid, path }));
  return compare(comparison, entries, []);
}

/** Compares the worktree with nothing. The object id in the index is fake: git reads kind and mode from the file. */
async function compareFresh(comparison: Comparison, paths: readonly RepoPath[]): Promise<Buffer | undefined> {
  if (paths.length === 0) return Buffer.alloc(0);
  const tree = await emptyTree(comparison.run);
  if (tree === undefined) return undefined;
  const oid = '1'.repeat(tree.length);
  const entries = paths.map((path) => ({ mode: '100644', oid, path }));
  return compare(comparison, entries, [tree]);
}

/** Id of the empty tree. Every repository knows it, even without the object. */
async function emptyTree(run: Run): Promise<string | undefined> {
  const hashed = await run({ args: ['hash-object', '-t', 'tree', '/dev/null'] });
  return hashed?.stdout.toString('utf8').trim();
}

async function compare(
  { run, index, most }: Comparison,
  entries: readonly { mode: string; oid: string; path: RepoPath }[],
  against: readonly string[],
): Promise<Buffer | undefined> {
  if (entries.length === 0) return Buffer.alloc(0);
  const { args, ...input } = onIndexEntries(entries);
  if ((await run({ ...input, args: [...kTemporaryIndexOptions, ...args], index })) === undefined)
    return undefined;
  const result = await run({ args: [...kDiff, ...against, '--'], index, keeps: most });
  return result?.stdout;
}
