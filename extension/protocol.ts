/**
 * Every request, notification and type that crosses between the extension and its helper process.
 *
 * Versions. A repository's state starts empty at version 0. Each `didChange` carries the version before and after it.
 * A receiver with another version calls `open` again.
 */
import type { RepoPath, StagedPath, StatusEntry } from './entries';
import type { Explanation } from './explanation';

export * from './entries';
export type { Explanation } from './explanation';

export interface Branch {
  /** Short name ("main"); undefined while HEAD is detached. */
  name?: string;
  /** The commit's id; undefined on an unborn branch. */
  oid?: string;
  /** Short name of the upstream ("origin/main"). */
  upstream?: string;
  /** Present if the upstream exists and its commits are counted. */
  ahead?: number;
  behind?: number;
  /** The upstream exists and is another commit; the counts follow. */
  counting?: true;
}

/** A branch on a remote: the upstream or the push target of a branch. */
export interface RemoteBranch {
  /** "origin", or "." for this repository. */
  remote: string;
  /** "main", without the remote's name. */
  branch: string;
  /** After git's rewriting; absent: the remote has no URL. */
  url?: string;
}

/** Details of HEAD, sent only on request (`Configuration`). */
export interface BranchDetails {
  /** The nearest tag, like in `git describe --tags`; null: no tag is reachable from HEAD; absent: not known. */
  tag?: { name: string; distance: number } | null;
  /** The search for the tag is in progress; its result follows. */
  describing?: true;
  /** Number of stash entries; absent: they cannot be counted. */
  stashes?: number;
  /** Git's operation and its step, in the words of prompts ("rebase-i 2/5"); absent: none. */
  action?: string;
  /** Absent: no upstream, or only git can determine it. */
  upstream?: RemoteBranch;
  /** The target of `git push`; absent like `upstream`. `ahead` and `behind` follow if the branch exists. */
  push?: RemoteBranch & { isUpstream?: true; counting?: true; ahead?: number; behind?: number };
}

/** The operation that git has in progress. */
export type Operation = 'merge' | 'rebase' | 'cherry-pick' | 'revert' | 'bisect' | 'am';

/** The sweep verifies all files in the background: mmap, hard links and other hosts cause no events. */
export interface Sweep {
  /** Longest duration of a round without pauses. */
  withinMinutes: number;
  /** When the last full check ended, in milliseconds since 1970. */
  verifiedAt: number;
  /** Progress of the current round, in steps of ten. */
  percent: number;
  /** Present while the sweep is paused: on battery, or while the machine is busy. */
  paused?: 'battery' | 'load';
}

/** How the shown status of a worktree is verified. */
export interface Verification {
  /** Absent: the sweep is off. */
  sweep?: Sweep;
  /** Files with several hard links beyond the limit per question: only the sweep checks them. Absent: none. */
  linkedBeyond?: number;
}

/** A question that git, or a program that git runs, has not answered for some time. Dependent rows stay unchanged. */
export interface Waiting {
  /** "filter lfs", "git status of sub". */
  name: string;
  /** Number of files that the question is about; 0: not about files. */
  files: number;
  /** In milliseconds since 1970. */
  since: number;
}

/** A limit of the system that leaves directories without a watch. `command`, for a terminal, sets it to `needed`. */
export interface WatchShortage {
  limit: string;
  needed: number;
  command: string;
}

type StateOfItself =
  /** The first scan runs; entries are incomplete. */
  | { state: 'scanning'; filesSeen: number; filesExpected: number }
  /** The entries are right; events keep them right. */
  | ({ state: 'watching'; directories: number } & Verification)
  /** The entries were right; everything is being checked again because of `reason`. */
  | { state: 'verifying'; filesSeen: number; filesExpected: number; reason: string }
  /**
   * `directories` are watched. `polled` directories are checked periodically; most of them have no watch. Without a
   * `shortage`, enough watches exist, but they do not report all changes, for example on file systems that other
   * computers write to.
   */
  | ({ state: 'polling'; directories: number; polled: number; shortage?: WatchShortage } & Verification)
  /** git answers: the core does not support a feature of the repository (`reason`). */
  | ({ state: 'delegated'; reason: string } & Verification)
  /** No answer is possible. `message` names the file and the reason. */
  | { state: 'failed'; message: string };

export type ModelState = StateOfItself & { waiting?: Waiting };

/** The identity of an open worktree: the real path of its root. */
export type WorktreeRoot = string;

export interface DiscoverParams {
  /** An absolute path: a workspace folder, or a file in it. */
  path: string;
  /** How many levels below `path` to search for further repositories; 0: none. */
  depth: number;
}
export interface DiscoverResult {
  /** Worktrees that contain `path` or lie below it. Linked worktrees and submodules are worktrees too. */
  roots: WorktreeRoot[];
  /** Repositories that were found but cannot be opened, with git's reason. */
  problems: { path: string; message: string }[];
}

/** The window's wishes for an open worktree. */
export interface Configuration {
  /** True while the window has the focus. Otherwise polling is slower. */
  visible: boolean;
  /** Open files, most important first. Their directories are polled first; only the first 32 files count. */
  openFiles: RepoPath[];
  /** True: `didChange` contains the branch's details. */
  details: boolean;
  /** Longest duration of a round of the sweep; 0: no sweep. */
  sweepMinutes: number;
}
export const defaultConfiguration = { visible: true, openFiles: [], details: false, sweepMinutes: 10 };

export interface OpenParams {
  root: WorktreeRoot;
  /** False in an untrusted workspace: programs that the repository's own config names never run. */
  trusted: boolean;
  /** Absent: `defaultConfiguration`. */
  configuration?: Configuration;
}
/** The state follows in `didChange` requests from version 0 on. */
export interface OpenResult {
  root: WorktreeRoot;
  gitDir: string;
  commonDir: string;
}

export interface CloseParams {
  root: WorktreeRoot;
}

export interface RescanParams {
  root: WorktreeRoot;
  /** Progress arrives as work-done progress under this token. */
  workDoneToken?: string | number;
}
export interface RescanResult {
  filesSeen: number;
  milliseconds: number;
}

export interface IgnoredParams {
  root: WorktreeRoot;
  paths: RepoPath[];
}
export interface IgnoredResult {
  /** In the order of `paths`. */
  ignored: boolean[];
}

export interface StatusParams {
  root: WorktreeRoot;
}
/** The status of this moment: everything written before the request counts. */
export interface StatusResult {
  entries: StatusEntry[];
  staged: StagedPath[];
}

export interface ContentParams {
  root: WorktreeRoot;
  path: RepoPath;
  source: 'HEAD' | 'index' | 'stage1' | 'stage2' | 'stage3';
}
export interface ContentResult {
  /** Base64; undefined: the source has no such file. */
  base64?: string;
}

export interface ExplainParams {
  root: WorktreeRoot;
  /** '' for the root. */
  path: RepoPath;
}

export type ConfigureParams = Configuration & { root: WorktreeRoot };

export interface DidChangeParams {
  root: WorktreeRoot;
  baseVersion: number;
  version: number;
  /**
   * New or different entries. A path can have two: after `git rm --cached f`, git prints both "D  f" and "?? f". An
   * entry's key is its path and whether it is untracked (`entryKey`).
   */
  upserted: StatusEntry[];
  /** Paths whose tracked (changed or unmerged) entry is gone. */
  removed: RepoPath[];
  /** Paths whose untracked entry is gone. */
  removedUntracked: RepoPath[];
  /** Present in a step from version 0: another repository may have replaced the last one since `open`. */
  gitDir?: string;
  commonDir?: string;
  /** Present if it differs from the last one sent. */
  branch?: Branch;
  /** Present if it differs from the last one sent; null: no operation in progress. */
  operation?: Operation | null;
  /** Present if requested, and different from the last ones sent; null: no longer requested. */
  details?: BranchDetails | null;
  /** Present if it differs from the last one sent. */
  state?: ModelState;
  /** For the log: unreadable files and directories, with the reason. Only those new since the last message. */
  problems?: string[];
  /** True if ignore rules changed: earlier answers of `ignored` are stale. */
  ignoreRulesChanged?: boolean;
  /** True if the content of HEAD or of the index changed: earlier texts of `content` are stale. */
  contentChanged?: boolean;
  /** True if more of the same step follows immediately: fold this part, but do not show it yet. */
  more?: boolean;
  /** Milliseconds from the kernel's event (or the question) until this message is sent. */
  latencyMs?: number;
}

export interface DidCloseParams {
  root: WorktreeRoot;
  /** Why the worktree was closed without a request ("the worktree was removed"). */
  message: string;
}

/** Work-done progress of a rescan; each field is present if the report has it. */
export interface RescanProgress {
  message?: string;
  /** 0 to 100. */
  percentage?: number;
}

/**
 * The version of this file. Both sides send it with `initialize`, and reject any other version. Both sides are built
 * and installed together: another version is a mistake.
 */
export const protocolVersion = 1;

/** Our part of the parameters of LSP's `initialize`. */
export interface InitializeParams {
  initializationOptions?: { protocolVersion?: number };
}
/** Our part of the answer to `initialize`. */
export interface InitializeResult {
  capabilities: object;
  serverInfo: { name: string; version: string };
  helper: HelperInfo;
}
/** The helper's description of itself. */
export interface HelperInfo {
  version: string;
  protocolVersion: number;
  pid: number;
}

/** The error for another protocol version of the other side; undefined: `version` is ours. */
export function versionProblem(other: 'extension' | 'helper', version: unknown): string | undefined {
  if (version === protocolVersion) return undefined;
  const theirs = typeof version === 'number' ? `protocol version ${version}` : 'an unknown protocol version';
  const names = ['extension', 'background process'];
  const [first, second] = other === 'extension' ? names : names.reverse();
  return (
    `The ${first} uses ${theirs}, but the ${second} uses version ${protocolVersion}. ` +
    'Reload the window or reinstall Resident Git.'
  );
}

export const errorCodes = {
  /** Defined by LSP. */
  requestCancelled: -32800,
  /** Defined by LSP. `data.code` is the native error's code. */
  requestFailed: -32803,
  /** The answer to `initialize` with another version of the protocol. */
  wrongVersion: 1001,
} as const;

/** A request, typed by parameters and result. */
export interface RequestType<Params, Result> {
  readonly method: string;
  /** Never set: it only carries the types. */
  readonly types?: [Params, Result];
}

type Handler<Type, More extends unknown[]> =
  Type extends RequestType<infer Params, infer Result>
    ? (params: Params, ...more: More) => Result | Promise<Result>
    : never;
/** A handler for each message of a table. `More`: the transport's arguments after the parameters. */
export type Handlers<Table, More extends unknown[] = []> = {
  readonly [Name in keyof Table]: Handler<Table[Name], More>;
};

/** Calls `register` with the method and handler of each message of `table`. A missing handler does not compile. */
export function registerAll<Table extends object, More extends unknown[]>(
  table: Table,
  handlers: Handlers<Table, More>,
  register: (method: string, handler: (params: unknown, ...more: More) => unknown) => void,
): void {
  for (const [name, { method }] of Object.entries(table) as [keyof Table, { method: string }][]) {
    register(method, handlers[name]);
  }
}

function message<Params, Result = void>(method: string): RequestType<Params, Result> {
  return { method };
}

/** Requests of the client to the helper. */
export const requests = {
  discover: message<DiscoverParams, DiscoverResult>('residentGit/discover'),
  open: message<OpenParams, OpenResult>('residentGit/open'),
  close: message<CloseParams, null>('residentGit/close'),
  rescan: message<RescanParams, RescanResult>('residentGit/rescan'),
  status: message<StatusParams, StatusResult>('residentGit/status'),
  ignored: message<IgnoredParams, IgnoredResult>('residentGit/ignored'),
  content: message<ContentParams, ContentResult>('residentGit/content'),
  explain: message<ExplainParams, Explanation>('residentGit/explain'),
  configure: message<ConfigureParams, null>('residentGit/configure'),
} as const;

/**
 * Requests of the helper to the client. The client answers `didChange` after it has applied the change. Until then
 * the helper sends no further change of that worktree, and merges later changes. A busy client then receives the
 * newest state, and no messages pile up on either side. No message is longer than 1 MB.
 */
export const clientRequests = {
  didChange: message<DidChangeParams, null>('residentGit/didChange'),
} as const;

/** Notifications of the helper. */
export const notifications = {
  didClose: message<DidCloseParams>('residentGit/didClose'),
} as const;

/** The part of the Language Server Protocol that starts and ends the helper and carries its log. */
export const lsp = {
  requests: {
    initialize: message<InitializeParams, InitializeResult>('initialize'),
    shutdown: message<undefined, null>('shutdown'),
  },
  notifications: {
    initialized: message<unknown>('initialized'),
    exit: message<undefined>('exit'),
  },
  /** `type` is LSP's MessageType: 1 error, 2 warning, 3 information. */
  logMessage: message<{ type: number; message: string }>('window/logMessage'),
} as const;
