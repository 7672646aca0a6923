/**
 * The addon resident_git.node, exactly (test/addon/exports.test.ts holds the two together).
 *
 * Paths are strings as protocol.ts defines `RepoPath`, absolute ones too. Nothing here blocks. A wrong argument
 * throws a TypeError with code "Invalid" at once; every other failure rejects with a `NativeError`. What a
 * listener throws becomes an uncaught exception.
 *
 * An open worktree does not keep the process alive; a call under way does. At the process's "exit" event, and
 * where a worker ends, all worktrees are closed.
 */
import type {
  Branch,
  BranchDetails,
  DiscoverResult,
  ModelState,
  Operation,
  RepoPath,
  RescanResult,
  StatusEntry,
} from '../protocol';

export type NativeErrorCode =
  | 'NotFound'
  | 'Permission'
  | 'Io'
  | 'Corrupt'
  | 'Unsupported'
  | 'Invalid'
  | 'Unsafe'
  | 'Cancelled'
  /** git, or a program that it runs, did not answer in time; the message names it. */
  | 'Pending'
  /** Asked after `close`. */
  | 'Closed';

export interface NativeError extends Error {
  code: NativeErrorCode;
}

/** As protocol.ts's `ModelState`, without the command that this platform's user would run. */
export type NativeState =
  Exclude<ModelState, { state: 'polling' }> | Omit<Extract<ModelState, { state: 'polling' }>, 'command'>;

/**
 * One step of a worktree's state, or, with `more`, the part of one that fits a message. Versions are without gap;
 * a delta whose `baseVersion` is 0 starts from nothing. Fields mean what they mean in `DidChangeParams`.
 */
export interface Delta {
  baseVersion: number;
  version: number;
  upserted: StatusEntry[];
  removed: RepoPath[];
  removedUntracked: RepoPath[];
  gitDir?: string;
  commonDir?: string;
  branch?: Branch;
  operation?: Operation | null;
  details?: BranchDetails | null;
  state?: NativeState;
  problems?: string[];
  ignoreRulesChanged?: true;
  contentChanged?: true;
  more?: true;
  /** Milliseconds from the earliest event behind it until it was taken. */
  latencyMs?: number;
}

export interface Identity {
  /** The real path of the worktree's root. */
  root: string;
  gitDir: string;
  commonDir: string;
}

export interface RescanProgress {
  filesSeen: number;
  filesExpected: number;
}

export interface OpenOptions {
  /** False: never run a program that the repository's own config names. */
  trusted: boolean;
  /** Answer the CLI on the worktree's socket; true by default. */
  listen?: boolean;
  /** Threads for scans; by default as many as there are cores. */
  threads?: number;
  /** In so many minutes everything is looked at again, for what no event tells; 0: never. 10 by default. */
  sweepMinutes?: number;
}

/**
 * A worktree that is kept right. Comes from `openWorktree` only. One that is garbage collected is closed.
 */
export interface Worktree {
  readonly identity: Identity;
  /**
   * The next delta, or undefined where none waits (or the worktree is closed). Whoever is slow loses nothing: what
   * waits is merged, and for each path only the newest state is kept.
   */
  takeDelta(): Delta | undefined;
  /** Looks at everything again. Aborted, it rejects with "Cancelled". */
  rescan(options?: {
    onProgress?: (progress: RescanProgress) => void;
    signal?: AbortSignal;
  }): Promise<RescanResult>;
  /** In the order asked; directories without '/'. */
  ignored(paths: readonly RepoPath[]): Promise<boolean[]>;
  /** A file's content at HEAD or in the index, unconverted; undefined where there is none. */
  content(
    path: RepoPath,
    source: 'HEAD' | 'index' | 'stage1' | 'stage2' | 'stage3',
  ): Promise<Buffer | undefined>;
  /** Why it stands in the status as it does: the JSON of an `Explanation`. */
  explain(path: RepoPath): Promise<string>;
  /**
   * Absolute paths, existing or not, of files around the worktree of whose change no native watch tells: behind
   * symbolic links, on file systems that others write to. Can differ after any delta.
   */
  unwatchedFiles(): Promise<string[]>;
  /** One of them may have changed. Throws "Closed" after `close`. */
  metadataChanged(): void;
  /**
   * Where no event tells what happens, it is looked for: in the directories of the `open` files first, of which the
   * first 32 count, and seldom while nobody has `seen` what is told. Throws "Closed" after `close`.
   */
  attend(seen: boolean, open: readonly RepoPath[]): void;
  /** Whether deltas tell the branch's details from now on. Throws "Closed" after `close`. */
  wantDetails(wanted: boolean): void;
  /** Another `sweepMinutes` from now on. Throws "Closed" after `close`. */
  setSweepMinutes(minutes: number): void;
  /** Everything again, as a delta from version 0. Throws "Closed" after `close`. */
  replay(): void;
  /** Ends with every thread of the worktree. Calls under way end first, a rescan by cancelling it. */
  close(): Promise<void>;
}

export const version: string;

/**
 * The worktree that contains `path`, and those at most `depth` levels of folders below it. Asks git about each; calls
 * are answered one after the other.
 */
export function discover(path: string, depth: number): Promise<DiscoverResult>;

/**
 * Opens the worktree that holds `path`, and resolves as soon as it is known to be one; its state follows in deltas.
 * `onDeltas` is called once when deltas wait, and again only after `takeDelta` has answered undefined. `onGone` is
 * called when the worktree went away by itself; it still has to be closed. Neither is called before the promise is
 * settled.
 */
export function openWorktree(
  path: string,
  options: OpenOptions,
  onDeltas: () => void,
  onGone: (message: string) => void,
): Promise<Worktree>;
