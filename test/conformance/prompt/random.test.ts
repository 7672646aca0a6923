/** Prompts of random repositories, compared with git. */
import { strict as assert } from 'node:assert';
import { runPromptSeed } from './random';

describe('a prompt in random repositories', function () {
  this.timeout(600_000);
  this.slow(120_000);
  const seeds = Number(process.env.CONFORMANCE_PROMPT_SEEDS ?? 12);

  it(`seeds 1 to ${seeds}`, async () => {
    let [compared, unanswered] = [0, 0];
    for (let seed = 1; seed <= seeds; seed++) {
      const result = await runPromptSeed(seed, 15);
      compared += result.compared;
      unanswered += result.unanswered;
    }
    assert.ok(compared > 4 * unanswered, `${compared} answers were compared, ${unanswered} were none`);
  });
});
