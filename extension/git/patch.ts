/**
 * Changes as a patch that `git apply` takes, by a few gits for any number of rows, of any names. Whoever runs git tells of
 * failures. Does not know `vscode`.
 *
 * No path is given to git as a pathspec: an index of a moment has the chosen rows alone, and the whole of it is compared.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { RepoPath } from '../protocol';
import { nulRecords } from '../model/nulRecords';
import { Run } from './changeOperations';
import { kInIndexOfAMoment } from './hunkOperations';
import { onIndexEntries } from './pathInput';

/** A row: of the index against HEAD, of the worktree against the index, or of nothing against the worktree. */
export interface PatchRow {
  path: RepoPath;
  /** Where a rename comes from. */
  from?: RepoPath;
  side: 'index' | 'workingTree' | 'untracked';
}

/** Bytes of a patch: more than anybody pastes, and well below what is one text. */
export const kMostPatchBytes = 64 << 20;
/** Whatever the user's config makes of a diff to look at; names that are not ASCII are quoted. */
const kDiff = [
  ...[...kInIndexOfAMoment, '-c', 'core.quotePath=true'],
  ...['diff', '--binary', '--unified=3', '--submodule=short'],
  ...['--no-color', '--no-ext-diff', '--no-textconv', '--src-prefix=a/', '--dst-prefix=b/'],
] as const;
/** Every change of a side, by mode and object. */
const kRaw = ['diff', '--raw', '-z', '--no-renames', '--no-abbrev', '--no-ext-diff', '--submodule=short'];
const kNone = '000000';

interface RawChange {
  path: RepoPath;
  oldMode: string;
  newMode: string;
  oldOid: string;
  newOid: string;
}

/** Undefined where git failed; 'tooLarge' from `most` bytes on. */
export async function patchOf(
  run: Run,
  rows: readonly PatchRow[],
  most = kMostPatchBytes,
): Promise<Buffer | 'tooLarge' | undefined> {
  const pathsOf = (side: PatchRow['side']) => {
    const own = rows.filter((row) => row.side === side);
    return new Set(own.flatMap(({ path, from }) => (from === undefined ? [path] : [from, path])));
  };
  const staged = await changesOf(run, ['--cached'], pathsOf('index'));
  const changed = staged && (await changesOf(run, [], pathsOf('workingTree')));
  if (staged === undefined || changed === undefined) return undefined;
  // What `git add --intent-to-add` has named is in the index without content.
  const isNew = ({ oldMode }: RawChange) => oldMode === kNone;
  const fresh = [...changed.filter(isNew).map(({ path }) => path), ...pathsOf('untracked')];
  const tracked = changed.filter((change) => !isNew(change));
  const folder = await mkdtemp(`${tmpdir()}/resident-git-index-`);
  try {
    const parts: Buffer[] = [];
    let left = most;
    for (const [name, compare] of [
      ['staged', (moment: Moment) => compareStaged(moment, staged)],
      ['tracked', (moment: Moment) => compareTracked(moment, tracked)],
      ['fresh', (moment: Moment) => compareFresh(moment, fresh)],
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

/** Of these paths alone; conflicts are none of them. Undefined where git failed. */
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

/** An index that is not there yet, for what is compared and nothing else; at most so many bytes are kept. */
interface Moment {
  run: Run;
  index: string;
  most: number;
}

/** HEAD with these changes, against HEAD; where all are new, also before the first commit, against nothing. */
async function compareStaged(moment: Moment, changes: readonly RawChange[]): Promise<Buffer | undefined> {
  if (changes.length === 0) return Buffer.alloc(0);
  const { run, index } = moment;
  const isAllNew = changes.every(({ oldMode }) => oldMode === kNone);
  const base = isAllNew ? await emptyTree(run) : 'HEAD';
  if (base === undefined) return undefined;
  const readHead = { args: [...kInIndexOfAMoment, 'read-tree', base], index };
  if (!isAllNew && (await run(readHead)) === undefined) return undefined;
  const entries = changes.map(({ path, newMode, newOid }) => ({
    mode: newMode === kNone ? '0' : newMode,
    oid: newOid,
    path,
  }));
  return compare(moment, entries, ['--cached', base]);
}

/** The worktree against what the index has. */
function compareTracked(moment: Moment, changes: readonly RawChange[]): Promise<Buffer | undefined> {
  const entries = changes.map(({ path, oldMode, oldOid }) => ({ mode: oldMode, oid: oldOid, path }));
  return compare(moment, entries, []);
}

/** The worktree against nothing: the object is looked for nowhere, and kind and mode are the file's. */
async function compareFresh(moment: Moment, paths: readonly RepoPath[]): Promise<Buffer | undefined> {
  if (paths.length === 0) return Buffer.alloc(0);
  const tree = await emptyTree(moment.run);
  if (tree === undefined) return undefined;
  const oid = '1'.repeat(tree.length);
  const entries = paths.map((path) => ({ mode: '100644', oid, path }));
  return compare(moment, entries, [tree]);
}

/** Every repository knows it without having it. */
async function emptyTree(run: Run): Promise<string | undefined> {
  const hashed = await run({ args: ['hash-object', '-t', 'tree', '/dev/null'] });
  return hashed?.stdout.toString('utf8').trim();
}

async function compare(
  { run, index, most }: Moment,
  entries: readonly { mode: string; oid: string; path: RepoPath }[],
  against: readonly string[],
): Promise<Buffer | undefined> {
  if (entries.length === 0) return Buffer.alloc(0);
  const { args, ...input } = onIndexEntries(entries);
  if ((await run({ ...input, args: [...kInIndexOfAMoment, ...args], index })) === undefined) return undefined;
  const result = await run({ args: [...kDiff, ...against, '--'], index, keeps: most });
  return result?.stdout;
}
