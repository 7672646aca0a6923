/**
 * Paths for the standard input of git's plumbing: any number, any bytes, each meaning itself. As pathspecs, also those of
 * `--pathspec-from-file`, they would cost a comparison of each file with each of them: 200,000 paths take git add many
 * minutes, and git update-index some seconds. Does not know `vscode`.
 */
import { RepoPath } from '../protocol';
import { toBytes } from '../model/repoPath';
import { GitCommand } from './runGit';

const kNul = Buffer.from([0]);

/** A command that reads paths (`-z --stdin`). */
export function onPaths(command: string, options: readonly string[], paths: Iterable<RepoPath>): GitCommand {
  return { args: [command, ...options, '-z', '--stdin'], input: nulEnded(paths) };
}

/** What the index is to have of these paths; a mode of 0 removes one. */
export function onIndexEntries(entries: Iterable<{ mode: string; oid: string; path: RepoPath }>): GitCommand {
  const lines = Array.from(entries, ({ mode, oid, path }) => `${mode} ${oid}\t${path}`);
  return { args: ['update-index', '--replace', '-z', '--index-info'], input: nulEnded(lines) };
}

export function nulEnded(texts: Iterable<RepoPath>): Buffer {
  const parts: Buffer[] = [];
  for (const text of texts) parts.push(toBytes(text), kNul);
  return Buffer.concat(parts);
}
