/** git commands about a file in other commits. */
import { textOf } from '../../git/outputText';
import { isText, toBytes } from '../../model/repoPath';
import { RepoPath } from '../../protocol';

/** A git command: its arguments and standard input. */
export interface Question {
  args: string[];
  input?: Uint8Array;
}

/** The last commits that changed the file, newest first. Undefined: the path cannot be passed to git. */
export function lastChangesQuestion(path: RepoPath): Question | undefined {
  const start = ['--literal-pathspecs', 'rev-list', '--max-count=2'];
  if (isText(path)) return { args: [...start, 'HEAD', '--', path] };
  const input = inLines('HEAD', '--', path);
  return input && { args: [...start, '--stdin'], input };
}

export function parseCommits(output: Uint8Array): string[] {
  return textOf(output)
    .split('\n')
    .filter((line) => line !== '');
}

export function fileAtArguments(revision: string, path: RepoPath): string[] {
  return ['--literal-pathspecs', 'ls-tree', '--full-tree', '-z', revision, '--', path];
}

/** The file's blob in `revision`. Undefined: the path cannot be passed to git. */
export function fileAtQuestion(revision: string, path: RepoPath): Question | undefined {
  if (isText(path)) return { args: fileAtArguments(revision, path) };
  const input = inLines(`${revision}:${path}`);
  return input && { args: ['cat-file', '--batch-check=%(objecttype) %(objectname)'], input };
}

/** The blob in the answer to `fileAtQuestion`; undefined: no such file. */
export function parseFileAt(output: Uint8Array): string | undefined {
  return /^(?:1\d+ )?blob ([0-9a-f]{40,64})\s/.exec(textOf(output))?.[1];
}

/** Lines for standard input. In every supported version of git, a line break ends a path there. */
function inLines(...lines: readonly RepoPath[]): Uint8Array | undefined {
  if (lines.some((line) => line.includes('\n'))) return undefined;
  return Buffer.concat(lines.flatMap((line) => [toBytes(line), Buffer.from('\n')]));
}
