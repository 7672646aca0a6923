/** Other clients of one worktree: git with our hook as its monitor, and a prompt. */
import { strict as assert } from 'node:assert';
import { startPrompt } from '../conformance/prompt/case';
import { expectedPrompt } from '../conformance/prompt/oracle';
import { isFaultOfGit } from '../conformance/monitor/untrackedCache';
import { residentBinary } from '../support/binary';
import { withoutCaches } from '../support/oracle';
import type { PromptProcess } from '../support/promptProcess';
import type { Repository } from '../support/repository';
import { run } from '../support/run';

const status = ['status', '--porcelain=v2', '--branch'];
/** git's untracked cache is valid again after the second answer that is not "everything". */
const kAnswers = 3;

export class Clients {
  private readonly prompt: PromptProcess;

  constructor(private readonly repo: Repository) {
    repo.config('core.fsmonitor', residentBinary());
    repo.config('core.fsmonitorHookVersion', '2');
    repo.config('core.untrackedCache', 'true');
    this.prompt = startPrompt(repo.sandbox);
  }

  /** Asks while writers run; the answers cannot be compared. */
  async askMeanwhile(): Promise<void> {
    this.repo.ask(...status);
    await this.prompt.ask(this.repo.root);
  }

  /** Fails if an answer differs from git without a monitor. Returns the number of compared answers. */
  async check(): Promise<number> {
    const { repo } = this;
    const env = { ...repo.sandbox.env, GIT_OPTIONAL_LOCKS: '0' };
    const expected = run('git', [...withoutCaches, ...status], { cwd: repo.root, env }).stdout.toString(
      'latin1',
    );
    let told = '';
    for (let i = 0; i < kAnswers; i++) {
      told = repo.ask(...status).stdout.toString('latin1');
      if (!isFaultOfGit(told, expected, repo)) break;
    }
    assert.equal(told, expected, 'git with our hook differs from git without it');
    assert.deepEqual(
      await this.prompt.ask(repo.root),
      expectedPrompt(repo),
      `the prompt: ${this.prompt.log}`,
    );
    return 2;
  }

  kill(): void {
    this.prompt.kill();
  }
}
