/** Changes as a patch that `git apply` takes. Whoever runs git tells of failures. Does not know `vscode`. */
import { RepoPath } from '../protocol';
import { isText } from '../model/repoPath';
import { Run } from './changeOperations';

/** A row: of the index against HEAD, of the worktree against the index, or of nothing against the worktree. */
export interface PatchRow {
  path: RepoPath;
  /** Where a rename comes from. */
  from?: RepoPath;
  side: 'index' | 'workingTree' | 'untracked';
}

/** Bytes of paths that fit in one command, beside its environment. */
const kMostPathBytes = 64 * 1024;
/** Whatever the user's config makes of a diff to look at. */
const kDiff = [
  ...['--literal-pathspecs', 'diff', '--binary', '--unified=3', '--submodule=short'],
  ...['--no-color', '--no-ext-diff', '--no-textconv', '--src-prefix=a/', '--dst-prefix=b/'],
] as const;

export interface Patch {
  text: Buffer;
  /** Paths that git cannot be told of. */
  left: RepoPath[];
}

/** Undefined where git failed. `run` returns what ended with exit code 1 too: files that differ. */
export async function patchOf(run: Run, rows: readonly PatchRow[]): Promise<Patch | undefined> {
  const parts: Buffer[] = [];
  const left = rows.filter(({ path, from }) => !isText(path) || !isText(from ?? '')).map(({ path }) => path);
  for (const side of ['index', 'workingTree'] as const) {
    const own = rows.filter((row) => row.side === side && !left.includes(row.path));
    const paths = own.flatMap(({ path, from }) => (from === undefined ? [path] : [from, path]));
    for (const slice of slices(paths)) {
      const result = await run({
        args: [...kDiff, ...(side === 'index' ? ['--cached'] : []), '--', ...slice],
        keepsAll: true,
      });
      if (result?.code !== 0) return undefined;
      parts.push(result.stdout);
    }
  }
  for (const { path, side } of rows) {
    if (side !== 'untracked' || left.includes(path)) continue;
    const result = await run({ args: [...kDiff, '--no-index', '--', '/dev/null', path], keepsAll: true });
    if (result === undefined || (result.code !== 0 && result.code !== 1)) return undefined;
    parts.push(result.stdout);
  }
  return { text: Buffer.concat(parts), left };
}

function* slices(paths: readonly RepoPath[]): Generator<RepoPath[]> {
  let slice: RepoPath[] = [];
  let bytes = 0;
  for (const path of paths) {
    const size = Buffer.byteLength(path) + 1;
    if (slice.length > 0 && bytes + size > kMostPathBytes) {
      yield slice;
      [slice, bytes] = [[], 0];
    }
    slice.push(path);
    bytes += size;
  }
  if (slice.length > 0) yield slice;
}
