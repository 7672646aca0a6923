/**
 * The entries of a status.
 *
 * Paths. A path in a repository is bytes; JSON carries text. `RepoPath` is the path decoded as UTF-8. Each invalid
 * byte becomes the lone surrogate U+DC80..U+DCFF of this byte. The mapping is a bijection: paths compare as strings.
 * Paths are relative to the worktree's root, separated by '/'. Only the path of an untracked nested repository ends
 * in '/'.
 */
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
      /** Source of a rename or copy. */
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

/** The key of an entry, unique in its repository. */
export function entryKey(entry: StatusEntry): string {
  return (entry.kind === 'untracked' ? '?' : ' ') + entry.path;
}

/** A staged path, and HEAD's version of it. */
export interface StagedPath {
  path: RepoPath;
  /** HEAD against index. */
  index: StatusLetter;
  /** Mode and id in HEAD of the path, or of `from`; '000000' and zeros: HEAD has no such file. */
  headMode: string;
  headOid: string;
  /** Source of a rename or copy. */
  from?: RepoPath;
}
