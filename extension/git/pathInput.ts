/**
 * Paths for the standard input of git's plumbing: any number, any bytes, without wildcards. Does not know `vscode`.
 *
 * Pathspecs, also those of `--pathspec-from-file`, are slow: git compares each file with each pathspec. With 200,000
 * paths, `git add` takes many minutes, and `git update-index` takes some seconds.
 */
import { RepoPath } from '../protocol';
import { toBytes } from '../model/repoPath';
import { GitCommand } from './runGit';

const kNul = Buffer.from([0]);

/** A command that reads paths from standard input (`-z --stdin`). */
export function onPaths(command: string, options: readonly string[], paths: Iterable<RepoPath>): GitCommand {
  return { args: [command, ...options, '-z', '--stdin'], input: nulEnded(paths) };
}

/** Sets the index entries of these paths. Mode 0 removes an entry. */
export function onIndexEntries(entries: Iterable<{ mode: string; oid: string; path: RepoPath }>): GitCommand {
  const lines = Array.from(entries, ({ mode, oid, path }) => `${mode} ${oid}\t${path}`);
  return { args: ['update-index', '--replace', '-z', '--index-info'], input: nulEnded(lines) };
}

export function nulEnded(texts: Iterable<RepoPath>): Buffer {
  const parts: Buffer[] = [];
  for (const text of texts) parts.push(toBytes(text), kNul);
  return Buffer.concat(parts);
}
