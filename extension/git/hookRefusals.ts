/** Recognizes a refusal by a hook, from git's own messages and exit code. Does not know `vscode`. */

/**
 * git's own errors that end a commit with exit code 1: the editor failed, a pathspec matches nothing, the index makes
 * no tree (builtin/commit.c). All other errors exit with 128. A hook may print lines that look like git's.
 */
const kOwnOfCommit =
  /^error: (There was a problem with the editor\b|pathspec '.*' did not match any file|Error building trees$)/m;
/** builtin/merge.c prints this line if a hook refused, or if the message is empty. */
const kNoMerge = /^Not committing merge; use 'git commit' to complete the merge\.$/m;
const kOwnOfMerge = /^error: (There was a problem with the editor\b|Empty commit message\.$)/m;

/** `command`: git's subcommand. `said`: both outputs. */
export function isCommitRefused(command: string, code: number | undefined, said: string): boolean {
  if (code !== 1) return false;
  if (command === 'commit') return !kOwnOfCommit.test(said);
  return (command === 'merge' || command === 'pull') && kNoMerge.test(said) && !kOwnOfMerge.test(said);
}

export function isPushRefused(command: string, code: number | undefined, said: string): boolean {
  return command === 'push' && code === 1 && !/^ ! \[|^fatal: /m.test(said);
}
