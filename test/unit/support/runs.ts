/** git of a test's repository, as the extension's operations run it. */
import { strict as assert } from 'node:assert';
import type { Run } from '../../../extension/git/changeOperations';
import { type GitCommand, type GitResult, runGit } from '../../../extension/git/runGit';
import type { Repository } from '../../support/repository';

function result(repository: Repository, command: GitCommand): Promise<GitResult> {
  const { index } = command;
  const { env } = repository.sandbox;
  const program = { path: 'git', env: index === undefined ? env : { ...env, GIT_INDEX_FILE: index } };
  return runGit(program, repository.root, command, new AbortController().signal);
}

/** A git that fails fails the test. */
export function runsWell(repository: () => Repository): Run {
  return async (command) => {
    const ended = await result(repository(), command);
    assert.equal(ended.code, 0, ended.stderr.toString());
    return ended;
  };
}

/** Undefined where git failed. */
export function runs(repository: () => Repository): Run {
  return async (command) => {
    const ended = await result(repository(), command);
    return ended.code === 0 ? ended : undefined;
  };
}
