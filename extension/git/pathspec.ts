/** Paths for git's standard input: any number, any bytes, each meaning itself. Does not know `vscode`. */
import { RepoPath } from '../protocol';
import { toBytes } from '../model/repoPath';
import { GitCommand } from './runGit';

const kNul = Buffer.from([0]);

/** The command on these paths, none of which is a pattern. */
export function onPaths(command: string, options: readonly string[], paths: Iterable<RepoPath>): GitCommand {
  const fromInput = ['--pathspec-from-file=-', '--pathspec-file-nul'];
  const parts: Buffer[] = [];
  for (const path of paths) parts.push(toBytes(path), kNul);
  return { args: ['--literal-pathspecs', command, ...options, ...fromInput], input: Buffer.concat(parts) };
}
