/**
 * Every request, notification and type that crosses between the extension and its helper process.
 *
 * Paths. A path in a repository is bytes; JSON carries text. `RepoPath` is the path decoded as UTF-8. Each byte that
 * is not valid UTF-8 becomes the lone surrogate U+DC80..U+DCFF of that byte. The mapping is a bijection: paths
 * compare as strings. Paths are relative to the worktree's root, separated by '/'. Only the path of an untracked
 * nested repository ends in '/'.
 *
 * Versions. A repository's state starts empty at version 0. Each `didChange` carries the version before and after it.
 * A receiver with another version calls `open` again.
 */
import type { Explanation } from './explanation';

export type { Explanation } from './explanation';

export type RepoPath = string;

/** The letters of `git status --porcelain=v2`; '.' is unmodified. */
export type StatusLetter = '.' | 'M' | 'T' | 'A' | 'D' | 'R' | 'C' | 'U';

/** One line of `git status --porcelain=v2`. */
export type StatusEntry =
  | {
      kind: 'changed';
      path: RepoPath;
      /** X of the line: HEAD against index. */
      index: StatusLetter;
      /** Y of the line: index against worktree. */
      worktree: StatusLetter;
      /** Where a rename or copy comes from. */
      from?: RepoPath;
      /** Similarity of the rename or copy in percent. */
      score?: number;
      /** "S<c><m><u>", present for submodules only. */
      submodule?: string;
    }
  | {
      kind: 'unmerged';
      path: RepoPath;
      /** One of DD AU UD UA DU AA UU. */
      conflict: 'DD' | 'AU' | 'UD' | 'UA' | 'DU' | 'AA' | 'UU';
      submodule?: string;
    }
  | { kind: 'untracked'; path: RepoPath };

/** What identifies an entry among those of one repository. */
export function entryKey(entry: StatusEntry): string {
  return (entry.kind === 'untracked' ? '?' : ' ') + entry.path;
}

export interface Branch {
  /** Short name ("main"); undefined while HEAD is detached. */
  name?: string;
  /** The commit's id; undefined on an unborn branch. */
  oid?: string;
  /** Short name of the upstream ("origin/main"). */
  upstream?: string;
  /** Present where the upstream exists, and commits are counted. */
  ahead?: number;
  behind?: number;
  /** The upstream exists and is another commit; how far away will be told. */
  counting?: true;
}

/** Where a branch comes from, or goes to. */
export interface RemoteBranch {
  /** "origin", or "." for this repository. */
  remote: string;
  /** "main", without the remote's name. */
  branch: string;
  /** As git rewrites it; absent where the remote has none. */
  url?: string;
}

/** What is told of HEAD to whoever asks for it (`wantDetails`). */
export interface BranchDetails {
  /** The nearest tag, as `git describe --tags` finds it; null: none leads to HEAD; absent: it is not known. */
  tag?: { name: string; distance: number } | null;
  /** It is being looked for, and will be told. */
  describing?: true;
  /** Entries of the stash; absent where they cannot be counted. */
  stashes?: number;
  /** What git is in the middle of, with its step, in the words of prompts ("rebase-i 2/5"); absent for nothing. */
  action?: string;
  /** Absent where there is none, or only git can tell. */
  upstream?: RemoteBranch;
  /** Where `git push` goes; the same. `ahead` and `behind` once they are counted, if the branch is there. */
  push?: RemoteBranch & { isUpstream?: true; counting?: true; ahead?: number; behind?: number };
}

/** What git is in the middle of. */
export type Operation = 'merge' | 'rebase' | 'cherry-pick' | 'revert' | 'bisect' | 'am';

/** The sweep verifies all files in the background: mmap, hard links and other hosts cause no events. */
export interface Sweep {
  /** So long takes a round at most, unless it is paused. */
  withinMinutes: number;
  /** When everything was last known to have been looked at, in milliseconds since 1970. */
  verifiedAt: number;
  /** Of the round under way, in steps of ten. */
  percent: number;
  /** Present while the machine has something better to do. */
  paused?: 'battery' | 'load';
}

/** What is known of a worktree while its status stands. */
export interface Verification {
  /** Absent where it is off. */
  sweep?: Sweep;
  /** Files with several hard links that are too many to be looked at with every question; absent for none. */
  linkedBeyond?: number;
}

/** What git, or a program that it runs, has been asked for some time: rows that depend on it are as they were. */
export interface Waiting {
  /** "filter lfs", "git status of sub". */
  name: string;
  /** That it is asked about; 0: something else. */
  files: number;
  /** In milliseconds since 1970. */
  since: number;
}

type StateOfItself =
  /** The first scan runs; entries are incomplete. */
  | { state: 'scanning'; filesSeen: number; filesExpected: number }
  /** Right, and kept right by events. */
  | ({ state: 'watching'; directories: number } & Verification)
  /** What is shown was right; everything is being looked at again (`reason` says why). */
  | { state: 'verifying'; filesSeen: number; filesExpected: number; reason: string }
  /**
   * `directories` are watched, and `polled` ones are looked at periodically, most of which have no watch. Out of inotify
   * watches: `needed` is the value for fs.inotify.max_user_watches that would do. Else it is 0, and no watch can tell all
   * that happens in them, as on file systems that other computers write to.
   */
  | ({
      state: 'polling';
      directories: number;
      polled: number;
      needed: number;
      command: string;
    } & Verification)
  /** git answers, because the repository has something that the core does not compute (`reason`). */
  | ({ state: 'delegated'; reason: string } & Verification)
  /** No answer. `message` names the file and the reason. */
  | { state: 'failed'; message: string };

export type ModelState = StateOfItself & { waiting?: Waiting };

/** The identity of an open worktree: the real path of its root. */
export type WorktreeRoot = string;

export interface DiscoverParams {
  /** An absolute path: a workspace folder, or a file in it. */
  path: string;
  /** How many levels of folders below `path` to look in for further repositories; 0 for none. */
  depth: number;
}
export interface DiscoverResult {
  /** Worktrees that contain `path` or lie below it. Linked worktrees and submodules are worktrees too. */
  roots: WorktreeRoot[];
  /** Repositories that were found and cannot be opened, with git's reason. */
  problems: { path: string; message: string }[];
}

export interface OpenParams {
  root: WorktreeRoot;
  /** False in an untrusted workspace: nothing that the repository's own config names is ever run. */
  trusted: boolean;
  /** How long a round of the sweep may take; 0: there is none; absent: ten minutes. */
  sweepMinutes?: number;
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
  /** In the order asked. */
  ignored: boolean[];
}

export interface ContentParams {
  root: WorktreeRoot;
  path: RepoPath;
  source: 'HEAD' | 'index' | 'stage1' | 'stage2' | 'stage3';
}
export interface ContentResult {
  /** Base64; undefined where the source has no such file. */
  base64?: string;
}

export interface ExplainParams {
  root: WorktreeRoot;
  /** '' for the root. */
  path: RepoPath;
}

export interface AttendParams {
  root: WorktreeRoot;
  /** The window has the focus. Polling is slower while it has not. */
  seen: boolean;
  /** Open files, most important first. Their directories are polled first. */
  open: RepoPath[];
}

export interface WantDetailsParams {
  root: WorktreeRoot;
  /** `didChange` has the branch's details from now on. */
  wanted: boolean;
}

export interface DidChangeParams {
  root: WorktreeRoot;
  baseVersion: number;
  version: number;
  /**
   * New or different entries. A path can have two: after `git rm --cached f` git says both "D  f" and "?? f". The key of
   * an entry is its path and whether it is untracked (`entryKey`).
   */
  upserted: StatusEntry[];
  /** Paths whose tracked (changed or unmerged) entry is gone. */
  removed: RepoPath[];
  /** Paths whose untracked entry is gone. */
  removedUntracked: RepoPath[];
  /** Present in a step from version 0: the repository of the worktree can have changed since `open`. */
  gitDir?: string;
  commonDir?: string;
  /** Present when it differs from the last one sent. */
  branch?: Branch;
  /** Present when it differs from the last one sent; null: no operation under way. */
  operation?: Operation | null;
  /** Present where they are wanted and differ from the last ones sent; null: they are kept no more. */
  details?: BranchDetails | null;
  /** Present when it differs from the last one sent. */
  state?: ModelState;
  /** New since the last message: files and directories that cannot be read, with the reason. For the log. */
  problems?: string[];
  /** True when ignore rules changed: answers of `ignored` are void. */
  ignoreRulesChanged?: boolean;
  /** True when HEAD's or the index's content changed: texts of `content` are void. */
  contentChanged?: boolean;
  /** True when more of the same step follows at once: fold it, but do not show it yet. */
  more?: boolean;
  /** Milliseconds from the kernel's event (or the question) to this message's being sent. */
  latencyMs?: number;
}

export interface DidCloseParams {
  root: WorktreeRoot;
  /** Why a worktree went away by itself ("the worktree was removed"). */
  message: string;
}

/** Work-done progress of a rescan, as far as a report says something. */
export interface RescanProgress {
  message?: string;
  /** 0 to 100. */
  percentage?: number;
}

/**
 * The version of this file. Both sides tell theirs with `initialize`, and neither talks to another one: what was built
 * together is installed together, so that another version is a mistake, and no older one is kept alive for anybody.
 */
export const protocolVersion = 1;

/** What is ours in the parameters of LSP's `initialize`. */
export interface InitializeParams {
  initializationOptions?: { protocolVersion?: number };
}
/** What is ours in its answer. */
export interface InitializeResult {
  capabilities: object;
  serverInfo: { name: string; version: string };
  helper: HelperInfo;
}
/** What the helper tells of itself. */
export interface HelperInfo {
  version: string;
  protocolVersion: number;
  pid: number;
}

/** Why the other side, which says that it speaks `version`, cannot be talked to; undefined where it can. */
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
  /** Of LSP. */
  requestCancelled: -32800,
  /** Of LSP: with `data.code`, the native error's. */
  requestFailed: -32803,
  /** The answer to `initialize` of another version of the protocol. */
  wrongVersion: 1001,
} as const;

/** What is answered: its method, and by type alone what is asked and what the answer is. */
export interface RequestType<Params, Result> {
  readonly method: string;
  /** Never there. */
  readonly types?: [Params, Result];
}

type Handler<Type, More extends unknown[]> =
  Type extends RequestType<infer Params, infer Result>
    ? (params: Params, ...more: More) => Result | Promise<Result>
    : never;
/** A handler for each message of a table. `More` is what the transport gives beside the parameters. */
export type Handlers<Table, More extends unknown[] = []> = {
  readonly [Name in keyof Table]: Handler<Table[Name], More>;
};

/** Calls `register` with the method and the handler of each message of `table`; one without a handler does not compile. */
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

/** What the client asks of the helper. */
export const requests = {
  discover: message<DiscoverParams, DiscoverResult>('residentGit/discover'),
  open: message<OpenParams, OpenResult>('residentGit/open'),
  close: message<CloseParams, null>('residentGit/close'),
  rescan: message<RescanParams, RescanResult>('residentGit/rescan'),
  ignored: message<IgnoredParams, IgnoredResult>('residentGit/ignored'),
  content: message<ContentParams, ContentResult>('residentGit/content'),
  explain: message<ExplainParams, Explanation>('residentGit/explain'),
  attend: message<AttendParams, null>('residentGit/attend'),
  wantDetails: message<WantDetailsParams, null>('residentGit/wantDetails'),
} as const;

/**
 * What the helper asks of the client. `didChange` is answered once the client has taken the change in: until then no
 * further one of that worktree is sent, and what happens meanwhile is merged, so that a busy client is told the newest
 * state next and nothing piles up on either side. No message is longer than 1 MB.
 */
export const clientRequests = {
  didChange: message<DidChangeParams, null>('residentGit/didChange'),
} as const;

/** Notifications of the helper. */
export const notifications = {
  didClose: message<DidCloseParams>('residentGit/didClose'),
} as const;

/** The Language Server Protocol, as far as it starts and ends the helper and carries its log. */
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
