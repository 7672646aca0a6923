/** Hooks that refuse, told by what git itself says and leaves out. Does not know `vscode`. */

/**
 * git's own reasons to end a commit with exit code 1: an editor that failed, a pathspec that matches nothing, an index
 * that makes no tree (builtin/commit.c). It dies of all others, with 128. A hook may print lines that look like git's.
 */
const kOwnOfCommit =
  /^error: (There was a problem with the editor\b|pathspec '.*' did not match any file|Error building trees$)/m;
/** builtin/merge.c ends so where a hook refuses, and where there is no message. */
const kNoMerge = /^Not committing merge; use 'git commit' to complete the merge\.$/m;
const kOwnOfMerge = /^error: (There was a problem with the editor\b|Empty commit message\.$)/m;

/** `command` is git's subcommand, `said` all that was said. */
export function isCommitRefused(command: string, code: number | undefined, said: string): boolean {
  if (code !== 1) return false;
  if (command === 'commit') return !kOwnOfCommit.test(said);
  return (command === 'merge' || command === 'pull') && kNoMerge.test(said) && !kOwnOfMerge.test(said);
}

export function isPushRefused(command: string, code: number | undefined, said: string): boolean {
  return command === 'push' && code === 1 && !/^ ! \[|^fatal: /m.test(said);
}
