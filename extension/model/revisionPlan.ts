/** What git is asked of a file in other commits. */
import { RepoPath } from '../protocol';
import { textOf } from './outputText';

/** The last commits that changed it, the newest first. */
export function lastChangesArguments(path: RepoPath): string[] {
  return ['--literal-pathspecs', 'rev-list', '--max-count=2', 'HEAD', '--', path];
}

export function parseCommits(output: Uint8Array): string[] {
  return textOf(output)
    .split('\n')
    .filter((line) => line !== '');
}

export function fileAtArguments(revision: string, path: RepoPath): string[] {
  return ['--literal-pathspecs', 'ls-tree', '--full-tree', '-z', revision, '--', path];
}

/** The blob; undefined where there is no file. */
export function parseFileAt(output: Uint8Array): string | undefined {
  return /^1\d+ blob ([0-9a-f]{40,64})\t/.exec(textOf(output))?.[1];
}
