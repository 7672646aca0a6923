/**
 * Facts that explain a path's status. The helper and `git-resident explain --json` send them; the receiver puts them
 * in words. Part of protocol.ts, in a separate file. The source is native/src/explain/explanation_json.cc. Values
 * that are empty, false or none are absent.
 */
/** Same type as in protocol.ts, which imports this file. */
type RepoPath = string;

/** A difference between a tracked file and the index. */
export type Difference =
  /** No file at the path. */
  | 'deleted'
  /** Another type: file, symbolic link, repository. */
  | 'type'
  | 'mode'
  | 'content'
  /** Only line endings. */
  | 'endOfLine'
  /** The bytes equal the index's, but `ident` or an encoding would change them. */
  | 'conversion'
  /** The bytes equal the index's, but the external filter would change them. */
  | 'filter'
  | 'intentToAdd'
  /** In a submodule: another commit, changed tracked files, or untracked files. */
  | 'commit'
  | 'modified'
  | 'untracked'
  | 'unreadable'
  /** Only an external filter or git can decide. */
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

/** A line of an ignore file, and the path that it matches (`at`): the requested path or a directory above it. */
export interface ExplainedIgnore {
  /** Relative to the worktree's root, or absolute. */
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
  /** `index`: the attributes file is not checked out. */
  origin: 'file' | 'index' | 'builtIn';
  source?: RepoPath;
  line?: number;
  pattern?: RepoPath;
  /** The macro through which the line decides it. */
  macro?: string;
}

export interface Explanation {
  path: RepoPath;
  /** Type of the file at the path; absent: no file. */
  kind?: 'file' | 'symlink' | 'directory' | 'special';
  /** Why the path cannot be read. */
  refusal?: string;
  /** The reason why git does not examine the path itself, and the path that causes it. */
  place?: 'gitDirectory' | 'submodule' | 'nestedRepository' | 'beyondLink';
  placeAt?: RepoPath;
  /** The tracked row of git status, with the letters of porcelain v2. */
  row?: { index: string; worktree: string; unmerged?: true; from?: RepoPath; score?: number };
  /** git status shows the path, or a path below it, as untracked. */
  untracked?: true;
  ignored?: true;
  entries?: ExplainedEntry[];
  /** For a directory: number of entries below it. */
  trackedBelow?: number;
  head?: { mode: string; oid: string };
  /** Between index and worktree; listed even if hidden. */
  differences?: Difference[];
  worktreeMode?: string;
  hidden?: ('assumeUnchanged' | 'skipWorktree' | 'sparseIndex')[];
  /** Present for a tracked path too, where it has no effect. */
  ignore?: ExplainedIgnore;
  /** Sorted by name. */
  attributes?: ExplainedAttribute[];
  /** How git converts the file's bytes on the way into the index. */
  conversion?: { endOfLine?: 'text' | 'auto'; ident?: true; encoding?: string; filter?: string };
  /** Whether the sparse checkout includes the path, and the deciding line of info/sparse-checkout. */
  sparse?: { included: boolean; cone?: true; line?: number; pattern?: RepoPath };
}
