/**
 * The exact interface of the addon resident_git.node. test/addon/exports.test.ts checks that both agree.
 *
 * Paths are strings like `RepoPath` in protocol.ts, absolute paths too. No function blocks. A wrong argument throws a
 * TypeError with code "Invalid" at once. Every other failure rejects with a `NativeError`. An exception in a listener
 * becomes an uncaught exception.
 *
 * An open worktree does not keep the process alive; a pending call does. All worktrees are closed at the process's
 * "exit" event, and when a worker thread ends.
 */
import type {
  Branch,
  BranchDetails,
  Configuration,
  DiscoverResult,
  ModelState,
  Operation,
  RepoPath,
  RescanResult,
  StatusEntry,
  StatusResult,
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
  /** git, or a program that git runs, did not answer in time. The message names it. */
  | 'Pending'
  /** The call came after `close`. */
  | 'Closed';

export interface NativeError extends Error {
  code: NativeErrorCode;
}

/**
 * One step of a worktree's state. With `more`, one part of a step that is too large for a message. Versions have no
 * gap. A delta with `baseVersion` 0 starts from an empty state. The fields have the same meaning as in
 * `DidChangeParams`.
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
  state?: ModelState;
  problems?: string[];
  /**
   * Absolute paths of files around the worktree without a native watch. They are behind symbolic links, or on file
   * systems that others write to. The files may be missing. Present if the list changed.
   */
  unwatchedFiles?: string[];
  ignoreRulesChanged?: true;
  contentChanged?: true;
  more?: true;
  /** Milliseconds from the earliest event of this delta until `takeDelta`. */
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
  /** Number of threads for scans. Default: the number of cores. */
  threads?: number;
  /** Default: the protocol's `defaultConfiguration`. */
  configuration?: Configuration;
}

/** A worktree whose state is kept up to date. Only `openWorktree` creates it. Garbage collection closes it. */
export interface Worktree {
  readonly identity: Identity;
  /**
   * The next delta. Undefined if no delta is waiting, or the worktree is closed. A slow caller loses nothing: waiting
   * deltas are merged, and only the newest state of each path is kept.
   */
  takeDelta(): Delta | undefined;
  /** Checks everything again. Rejects with "Cancelled" after an abort. */
  rescan(options?: {
    onProgress?: (progress: RescanProgress) => void;
    signal?: AbortSignal;
  }): Promise<RescanResult>;
  /** The status of this moment. */
  status(): Promise<StatusResult>;
  /** Answers in the order of `paths`. Paths of directories have no '/' at the end. */
  ignored(paths: readonly RepoPath[]): Promise<boolean[]>;
  /** A file's content at HEAD or in the index, without conversion. Undefined if the file does not exist there. */
  content(
    path: RepoPath,
    source: 'HEAD' | 'index' | 'stage1' | 'stage2' | 'stage3',
  ): Promise<Buffer | undefined>;
  /** Explains the status of the path. Returns the JSON of an `Explanation`. */
  explain(path: RepoPath): Promise<string>;
  /** One of the `unwatchedFiles` may have changed. Throws "Closed" after `close`. */
  metadataChanged(): void;
  /** Replaces the whole configuration. Throws "Closed" after `close`. */
  configure(configuration: Configuration): void;
  /** Sends the whole state again, as a delta from version 0. Throws "Closed" after `close`. */
  replay(): void;
  /**
   * Resolves when every thread of the worktree has ended. Waits for pending calls first, and cancels a pending rescan.
   */
  close(): Promise<void>;
}

export const version: string;

/**
 * The worktree that contains `path`, and the worktrees at most `depth` levels of folders below it. Asks git about each
 * of them. Calls are answered one after the other.
 */
export function discover(path: string, depth: number): Promise<DiscoverResult>;

/**
 * Opens the worktree that contains `path`. Resolves as soon as the worktree is found; its state follows in deltas.
 *
 * `onDeltas` is called once when deltas are waiting, and again only after `takeDelta` has returned undefined.
 *
 * `onGone` is called if the worktree disappeared; it must still be closed. Neither is called before the promise is
 * settled.
 */
export function openWorktree(
  path: string,
  options: OpenOptions,
  onDeltas: () => void,
  onGone: (message: string) => void,
): Promise<Worktree>;
