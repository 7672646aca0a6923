/** The history to show, and the git command that lists it. */
import { GitCommand } from '../../git/runGit';
import { isText, toBytes } from '../../model/repoPath';
import { RepoPath, WorktreeRoot } from '../../protocol';

/** Lines [start, end), counted from 0. */
export interface Lines {
  start: number;
  end: number;
}

/** A file, a folder ('' for the whole repository), or lines of a file. */
export interface Subject {
  root: WorktreeRoot;
  /** The path that the user sees. */
  path: RepoPath;
  /** The path in the first commit. Another path only if a rename is staged. */
  committed: RepoPath;
  kind: 'file' | 'folder' | 'lines';
  /** Lines of the file in the first commit; only for the kind 'lines'. */
  lines?: Lines;
  /** The first commit of the walk. */
  start: string;
}

/** A commit that changed the subject. */
export interface HistoryCommit {
  oid: string;
  parents: readonly string[];
  /** Author date, in seconds since 1970. */
  date: number;
  author: string;
  email: string;
  subject: string;
  /** The change of the file. Undefined for folders, and where git shows no change of the file itself. */
  file?: FileChange;
}

export interface FileChange {
  path: RepoPath;
  /** The path in the first parent. Undefined: the commit added the file. */
  from: RepoPath | undefined;
  /** Modes and ids of both sides. Undefined for lines: git does not list them. */
  objects?: { leftMode: string; left: string; rightMode: string; right: string };
  /** The first line of the change in the commit's version, counted from 0. */
  line?: number;
}

/** Longer subjects and names are cut by git: they are texts of strangers. */
const kMaxSubject = 500;
const kMaxName = 200;

/** The fields of a commit, each ended by NUL. */
const kFormat = [
  '%H',
  '%P',
  '%at',
  `%<(${kMaxName},trunc)%aN`,
  `%<(${kMaxName},trunc)%aE`,
  `%<(${kMaxSubject},trunc)%s`,
];
export const kFieldCount = kFormat.length;

/**
 * Lists the commits, newest first. Config and mailmap stay in force, unless they change the form of the output.
 * `mark`: begins each commit; the output has it nowhere else. Undefined: git cannot be told the path.
 */
export function logCommand(subject: Subject, mark: string): GitCommand | undefined {
  const { kind, committed, lines, start } = subject;
  const format = `--format=${mark}${kFormat.map((field) => `${field}%x00`).join('')}`;
  const options = ['--no-color', '--no-show-signature', '--no-ext-diff', '--encoding=UTF-8', format];
  if (kind === 'lines') {
    if (!isText(committed) || lines === undefined) return undefined;
    const prefixes = ['--src-prefix=a/', '--dst-prefix=b/'];
    const range = `-L${lines.start + 1},${lines.end}:${committed}`;
    return { args: ['-c', 'core.quotePath=false', 'log', ...options, ...prefixes, range, start, '--'] };
  }
  const shape = kind === 'file' ? ['--follow', '--raw', '--no-abbrev'] : ['--no-follow'];
  const words = ['--literal-pathspecs', 'log', '-z', ...options, ...shape];
  if (committed === '') return { args: [...words, start, '--'] };
  if (isText(committed)) return { args: [...words, start, '--', committed] };
  // In every supported version of git, a line break ends a path on standard input.
  if (committed.includes('\n')) return undefined;
  const input = Buffer.concat([Buffer.from(`${start}\n--\n`), toBytes(committed), Buffer.from('\n')]);
  return { args: [...words, '--stdin'], input };
}

/** True if both lists have the same rows as long as the history stays the same. */
export function isSameSubject(a: Subject, b: Subject): boolean {
  return (
    a.root === b.root &&
    a.path === b.path &&
    a.committed === b.committed &&
    a.kind === b.kind &&
    a.lines?.start === b.lines?.start &&
    a.lines?.end === b.lines?.end
  );
}
