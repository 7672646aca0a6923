/** Runs git in a test's repository like the extension's operations. */
import { strict as assert } from 'node:assert';
import type { Run } from '../../../extension/git/runGit';
import { type GitCommand, type GitResult, runGit } from '../../../extension/git/runGit';
import type { Repository } from '../../support/repository';

function result(repository: Repository, command: GitCommand): Promise<GitResult> {
  const { index } = command;
  const { env } = repository.sandbox;
  const program = { path: 'git', env: index === undefined ? env : { ...env, GIT_INDEX_FILE: index } };
  return runGit(program, repository.root, command, new AbortController().signal);
}

/** Fails the test if git fails. */
export function runsWell(repository: () => Repository): Run {
  return async (command) => {
    const ended = await result(repository(), command);
    assert.equal(ended.code, 0, ended.stderr.toString());
    return ended;
  };
}

/** Returns undefined if git fails. */
export function runs(repository: () => Repository): Run {
  return async (command) => {
    const ended = await result(repository(), command);
    return ended.code === 0 ? ended : undefined;
  };
}
