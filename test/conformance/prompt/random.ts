/**
 * Random repositories: compares prompts with git, from their own model and from the keeping process.
 *
 *     npx tsx test/conformance/prompt/random.ts --seeds A..B [--operations 20] [--git DIR]
 */
import { strict as assert } from 'node:assert';
import { parseArgs } from 'node:util';
import { useGitOf } from '../../support/oracle';
import { type PromptFields, PromptProcess } from '../../support/promptProcess';
import { memoryDirectory, Sandbox } from '../../support/sandbox';
import { expectedPrompt } from './oracle';
import { seedsOption } from '../random/options';
import { Prng } from '../random/prng';
import { operate } from '../random/seed';
import { buildShape } from '../random/shape';
import { World } from '../random/world';
import { Subject } from '../subject';

export interface PromptSeedResult {
  compared: number;
  /** Number of states in which git itself refuses. */
  unanswered: number;
  reasons: Set<string>;
}

/** Variables that lead git to another repository or history. A prompt ignores them. */
const leading = /^GIT_(DIR|WORK_TREE|COMMON_DIR|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE|REPLACE|GRAFT|SHALLOW)/;

const everything = ['-s-1', '-u-1', '-c-1', '-d-1', '-z-1', '--trust'];

/** Throws if a field differs from git's. */
export async function runPromptSeed(seed: number, operations: number): Promise<PromptSeedResult> {
  const sandbox = new Sandbox(memoryDirectory());
  const result: PromptSeedResult = { compared: 0, unanswered: 0, reasons: new Set() };
  const log: string[] = [];
  let subject: Subject | undefined;
  let prompt: PromptProcess | undefined;
  try {
    const { repo, traits } = buildShape(sandbox, new Prng(seed));
    log.push(traits.join(', '));
    if (Object.keys(sandbox.env).some((name) => leading.test(name))) return result;
    const env = sandbox.questionEnv({ spy: false });
    prompt = new PromptProcess(everything, { env, cwd: '/', logPath: sandbox.path('prompt.log') });
    subject = new Subject(sandbox, repo.root);
    for (let number = 1; number <= operations; number++) {
      const prng = new Prng(seed, number);
      log.push(`${number}: ${operate(new World(repo, prng))}`);
      if (prng.chance(25)) {
        if (subject.serving) await subject.stop();
        else await subject.serve();
        log.push(subject.serving ? 'kept' : 'not kept');
      }
      const before: number = prompt.log.length;
      const answer: PromptFields | undefined = await prompt.ask(repo.root);
      const expected = expectedPrompt(repo);
      if (expected === undefined) {
        result.unanswered++;
        result.reasons.add(prompt.log.slice(before).trim().replaceAll(sandbox.root, ''));
        continue;
      }
      assert.deepEqual(answer, expected, prompt.log.slice(before));
      result.compared++;
    }
    if (subject.serving) await subject.stop();
    assert.equal(await prompt.end(), 0);
  } catch (error) {
    if (error instanceof Error) error.message = `seed ${seed}\n${log.join('\n')}\n${error.message}`;
    throw error;
  } finally {
    subject?.kill();
    prompt?.kill();
    sandbox.remove();
  }
  return result;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string' },
      seeds: { type: 'string' },
      operations: { type: 'string', default: '20' },
      git: { type: 'string' },
    },
  });
  if (values.git !== undefined) useGitOf(values.git);
  let [compared, unanswered, failed] = [0, 0, 0];
  const reasons = new Set<string>();
  for (const seed of seedsOption(values)) {
    try {
      const result = await runPromptSeed(seed, Number(values.operations));
      compared += result.compared;
      unanswered += result.unanswered;
      for (const reason of result.reasons) reasons.add(reason);
    } catch (error) {
      failed++;
      console.log(error instanceof Error ? error.message : error);
    }
  }
  console.log(`${compared} compared, ${unanswered} unanswered, ${failed} seeds failed`);
  for (const reason of reasons) console.log(`unanswered: ${reason}`);
  process.exitCode = failed > 0 ? 1 : 0;
}

if (process.argv[1]?.endsWith('prompt/random.ts')) void main();
