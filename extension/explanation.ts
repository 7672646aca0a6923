/**
 * Why a path stands in the status as it does, as the helper and `git-resident explain --json` tell it: facts, which whoever
 * shows them puts in words. Part of protocol.ts, in a file of its own; made by native/src/explain/explanation_json.cc. What
 * is empty, false or none is absent.
 */
/** As protocol.ts has it, which imports this. */
type RepoPath = string;

/** What of a tracked file is not as the index has it. */
export type Difference =
  /** Nothing stands there. */
  | 'deleted'
  /** File, symbolic link, repository: another one of these. */
  | 'type'
  | 'mode'
  | 'content'
  /** The ends of lines alone. */
  | 'endOfLine'
  /** The bytes are the index's; `ident` or an encoding would make others of them. */
  | 'conversion'
  /** The bytes are the index's; the external filter would make others of them. */
  | 'filter'
  | 'intentToAdd'
  /** A submodule: another commit, changes to its tracked files, untracked files. */
  | 'commit'
  | 'modified'
  | 'untracked'
  | 'unreadable'
  /** Only an external filter, or git, can tell. */
  | 'unknown';

export interface ExplainedEntry {
  stage: number;
  /** Six octal digits. */
  mode: string;
  oid: string;
  assumeUnchanged?: true;
  skipWorktree?: true;
  intentToAdd?: true;
}

/** A line of an ignore file, with the path that it matches: the one asked about, or a directory above. */
export interface ExplainedIgnore {
  /** From the worktree's root, or absolute. */
  source: RepoPath;
  line: number;
  pattern: RepoPath;
  negative?: true;
  at: RepoPath;
}

/** An attribute, and the line of an attributes file that decides it. */
export interface ExplainedAttribute {
  name: string;
  /** "set", "unset" or the value. */
  value: string;
  /** `index`: the file is not checked out. */
  origin: 'file' | 'index' | 'builtIn';
  source?: RepoPath;
  line?: number;
  pattern?: RepoPath;
  /** Through which the line decides it. */
  macro?: string;
}

export interface Explanation {
  path: RepoPath;
  /** Of what stands there; absent: nothing. */
  kind?: 'file' | 'symlink' | 'directory' | 'special';
  /** Why it cannot be seen. */
  refusal?: string;
  /** What keeps git from looking at the path itself, and where that is. */
  place?: 'gitDirectory' | 'submodule' | 'nestedRepository' | 'beyondLink';
  placeAt?: RepoPath;
  /** The tracked row of git status, with the letters of porcelain v2. */
  row?: { index: string; worktree: string; unmerged?: true; from?: RepoPath; score?: number };
  /** git status shows it, or something below it, as untracked. */
  untracked?: true;
  ignored?: true;
  entries?: ExplainedEntry[];
  /** Of a directory. */
  trackedBelow?: number;
  head?: { mode: string; oid: string };
  /** Between index and worktree; also of what is hidden. */
  differences?: Difference[];
  worktreeMode?: string;
  hidden?: ('assumeUnchanged' | 'skipWorktree' | 'sparseIndex')[];
  /** Also of a tracked path, which it does not concern. */
  ignore?: ExplainedIgnore;
  /** By name. */
  attributes?: ExplainedAttribute[];
  /** What git does to the file's bytes on their way into the index. */
  conversion?: { endOfLine?: 'text' | 'auto'; ident?: true; encoding?: string; filter?: string };
  /** Whether the sparse checkout has it, and the line of info/sparse-checkout that decides. */
  sparse?: { included: boolean; cone?: true; line?: number; pattern?: RepoPath };
}
