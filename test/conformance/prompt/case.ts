/** A hand-made case of a prompt: compares its answers with git, from its own model and from a keeper. */
import { strict as assert } from 'node:assert';
import type { Bytes } from '../../support/bytes';
import { type PromptFields, PromptProcess } from '../../support/promptProcess';
import { Repository } from '../../support/repository';
import type { Sandbox } from '../../support/sandbox';
import { withSandbox } from '../case';
import { Subject } from '../subject';
import { expectedPrompt, type PromptModes } from './oracle';

/** Without limits of counts and summaries. */
export const everything = ['-s', '-1', '-u', '-1', '-c', '-1', '-d', '-1', '-z', '-1'];

/** `spy`: with the git of a keeper. */
export function startPrompt(
  sandbox: Sandbox,
  args: readonly string[] = everything,
  options = { spy: false },
): PromptProcess {
  return new PromptProcess(args, {
    env: sandbox.questionEnv(options),
    cwd: '/',
    logPath: sandbox.path('prompt.log'),
  });
}

export interface PromptContext {
  sandbox: Sandbox;
  repo: Repository;
  /** Compares both with git: the prompt's own model, and the process that keeps the worktree. */
  check(wanted?: Partial<PromptFields>, modes?: PromptModes): Promise<void>;
}

/**
 * leavesToGit: only git can answer. A keeper asks git; a prompt alone asks it if it trusts the repository.
 */
export function promptCase(
  title: string,
  body: (context: PromptContext) => Promise<void>,
  options: { init?: string[]; args?: string[]; leavesToGit?: boolean } = {},
): void {
  it(title, async () => {
    await withSandbox(async (sandbox) => {
      const repo = Repository.init(sandbox, 'w', ...(options.init ?? []));
      const args = [...everything, ...(options.args ?? [])];
      const leavesToGit = options.leavesToGit ?? false;
      const prompt = startPrompt(sandbox, leavesToGit ? [...args, '--trust'] : args);
      const keeper = new Subject(sandbox, repo.root);
      const alone = startPrompt(sandbox, args, { spy: leavesToGit });
      try {
        await body({
          sandbox,
          repo,
          check: async (wanted = {}, modes = {}) => {
            const flag = modes.withoutIndex ? '1' : '0';
            const expected = expectedPrompt(repo, modes);
            assert.ok(expected, 'git says nothing');
            assert.deepEqual({ ...expected, ...wanted }, expected, 'the case does not reach its state');
            assert.deepEqual(await prompt.ask(repo.root, flag), expected, `its own model: ${prompt.log}`);
            await keeper.serve();
            assert.deepEqual(await alone.ask(repo.root, flag), expected, `the keeper: ${alone.log}`);
            await keeper.stop();
          },
        });
        assert.equal(await prompt.end(), 0);
        assert.equal(await alone.end(), 0);
      } finally {
        keeper.kill();
        prompt.kill();
        alone.kill();
      }
    });
  });
}

/** Two branches that changed the same line, each some commits ahead of their common ancestor. */
export function makeConflict(repo: Repository): void {
  const commit = (content: Bytes, message: string): void => {
    repo.write('f', content);
    repo.git('add', 'f');
    repo.git('commit', '-q', '-m', message);
  };
  commit('base\n', 'base');
  repo.git('checkout', '-q', '-b', 'topic');
  commit('topic\n', 'topic 1');
  commit('topic 2\n', 'topic 2');
  repo.git('checkout', '-q', 'main');
  commit('main\n', 'main');
}
