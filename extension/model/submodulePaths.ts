/**
 * Reads the paths of a worktree's submodules from `.gitmodules`, without a process. Does not check whether a
 * submodule is checked out (see findRepositories.ts).
 */
import { constants } from 'node:fs';
import { FileHandle, open, realpath } from 'node:fs/promises';
import { RepoPath, WorktreeRoot } from '../protocol';
import { fromBytes, join, toBytes } from './repoPath';

/** A real file is never longer. The whole file is read with each change of the index. */
const kMaxBytes = 1 << 20;
const kMaxPaths = 1_000;

/**
 * Paths of submodules in the order of `.gitmodules`, at most `kMaxPaths`. Empty: the file is missing, too large, not
 * readable, or a symbolic link, which git does not follow either.
 */
export async function submodulePaths(root: WorktreeRoot): Promise<RepoPath[]> {
  let file: FileHandle | undefined;
  try {
    // O_NONBLOCK: if the file is a pipe, do not wait for a writer.
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    file = await open(toBytes(join(root, '.gitmodules')), flags);
    const stat = await file.stat();
    if (!stat.isFile() || stat.size > kMaxBytes) return [];
    return pathsInGitmodules(await file.readFile()).slice(0, kMaxPaths);
  } catch {
    return [];
  } finally {
    await file?.close().catch(() => undefined);
  }
}

/** True if no symbolic link leads there: git accepts no submodule beyond a link. `root` is a real path. */
export async function isReached(root: WorktreeRoot, path: RepoPath): Promise<boolean> {
  const full = toBytes(join(root, path));
  try {
    return (await realpath(full, { encoding: 'buffer' })).equals(full);
  } catch {
    return false;
  }
}

/**
 * The `path` of each submodule in the text of a `.gitmodules`. If a path is set twice, the last value counts, like in
 * git. Leaves out paths that are not below the worktree. The syntax is that of git-config(1) ("Syntax"). Stops at the
 * first syntax error.
 */
export function pathsInGitmodules(bytes: Uint8Array): RepoPath[] {
  const paths = new Map<string, RepoPath>();
  const text = fromBytes(bytes)
    .replace(/^\ufeff/, '')
    .replace(/\r\n/g, '\n');
  let submodule: string | undefined;
  for (let at = 0; at < text.length;) {
    const blank = matchAt(kBlank, text, at);
    if (blank !== undefined) {
      at += blank[0].length;
      continue;
    }
    const header = matchAt(kHeader, text, at);
    if (header !== undefined) {
      const [whole, section, name] = header;
      submodule = section?.toLowerCase() === 'submodule' ? name?.replace(/\\(.)/g, '$1') : undefined;
      at += whole.length;
      continue;
    }
    const key = matchAt(kKey, text, at);
    if (key === undefined) break;
    at += key[0].length;
    if (key[2] === undefined) continue;
    const value = valueAt(text, at);
    if (value === undefined) break;
    at = value.end;
    if (submodule !== undefined && key[1]?.toLowerCase() === 'path') paths.set(submodule, value.text);
  }
  return [...new Set(paths.values())].filter(isBelow);
}

/** White space, and comments to the end of their line. */
const kBlank = /(?:[ \t\n\r]+|[#;][^\n]*)/y;
/** `[section]`, `[section.old]` or `[section "name"]`. */
const kHeader = /\[([A-Za-z0-9.-]+)(?:[ \t]+"((?:[^"\\\n]|\\[^\n])*)")?\]/y;
/** A name; with '=' a value follows. */
const kKey = /([A-Za-z][A-Za-z0-9-]*)[ \t]*(?:(=)|(?=\n|$))/y;

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}

const kEscapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  b: '\b',
  '"': '"',
  '\\': '\\',
  '\n': '',
};

/** The value that begins at `at`, and the end of its line. Undefined: an unknown escape, or an unclosed quote. */
function valueAt(text: string, at: number): { text: string; end: number } | undefined {
  let value = '';
  /** Length of `value` without trailing white space. */
  let length = 0;
  let isQuoted = false;
  let end = at;
  for (; end < text.length && text[end] !== '\n'; end++) {
    let character = text.charAt(end);
    if (character === '"') {
      isQuoted = !isQuoted;
      length = value.length;
      continue;
    }
    if (!isQuoted && /[#;]/.test(character)) {
      while (end < text.length && text[end] !== '\n') end++;
      break;
    }
    const isSpace = !isQuoted && /[ \t\r]/.test(character);
    if (isSpace && value === '' && length === 0) continue;
    if (character === '\\') {
      const escaped = kEscapes[text.charAt(++end)];
      if (escaped === undefined) return undefined;
      character = escaped;
    }
    value += character;
    if (!isSpace) length = value.length;
  }
  return isQuoted ? undefined : { text: value.slice(0, length), end };
}

/** True if the index can contain the path. git refuses a path that begins with '-', as an option. */
function isBelow(path: RepoPath): boolean {
  if (path.startsWith('-') || path.includes('\0')) return false;
  return path.split('/').every((name) => !['', '.', '..', '.git'].includes(name.toLowerCase()));
}
