/** One seed: a repository, a number of operations, and a comparison after each. */
import { Sandbox } from '../../support/sandbox';
import type { Source } from '../disagreement';
import { nineModes } from '../questions';
import { Subject } from '../subject';
import { kindsOf } from './kinds';
import { operations } from './operations/all';
import { Prng } from './prng';
import { buildShape } from './shape';
import { World } from './world';

export interface SeedOptions {
  operations: number;
  /** Numbers of operations (from 1) that are left out: a smaller way to the same failure. */
  skip: ReadonlySet<number>;
  keep: boolean;
  sources: readonly Source[];
}

export interface SeedResult {
  seed: number;
  /** Undefined where every answer was git's. */
  failure?: { reason: string; log: string[]; script: string; kept?: string };
  comparisons: number;
  delegated: number;
  /** How many comparisons showed each kind of state. */
  kinds: Record<string, number>;
  operationCounts: Record<string, number>;
}

/** How many of the nine modes a scan is asked for after each operation. */
const scannedModes = 3;

export async function runSeed(seed: number, options: SeedOptions): Promise<SeedResult> {
  const sandbox = new Sandbox();
  const log: string[] = [];
  const result: SeedResult = { seed, comparisons: 0, delegated: 0, kinds: {}, operationCounts: {} };
  let subject: Subject | undefined;
  try {
    const { repo, traits } = buildShape(sandbox, new Prng(seed));
    log.push(`shape: ${traits.join(', ') || 'plain'}`);
    // git's untracked cache can miss a file made within one second; what is asked for is the truth.
    const oracleOptions = ['-c', 'core.untrackedCache=false'];
    subject = new Subject(sandbox, repo.root, { oracleOptions });
    await subject.serve();
    compare(subject, new Prng(seed, -1), options.sources, traits, result);
    for (let number = 1; number <= options.operations; number++) {
      if (options.skip.has(number)) continue;
      // A generator of its own, so that leaving out another operation changes this one as little as can be.
      const prng = new Prng(seed, number);
      const name = operate(new World(repo, prng));
      log.push(`${number}: ${name}`);
      sandbox.script.push(`# ${number}: ${name}`);
      result.operationCounts[name] = (result.operationCounts[name] ?? 0) + 1;
      if (prng.chance(4)) {
        await subject.stop();
        await subject.serve();
        log.push(`${number}: the server starts anew`);
      }
      compare(subject, prng, options.sources, traits, result);
    }
    await subject.stop();
  } catch (error) {
    const reason =
      error instanceof Error
        ? error.name === 'Disagreement'
          ? error.message
          : String(error.stack)
        : String(error);
    result.failure = { reason, log, script: sandbox.replayScript() };
    if (options.keep) result.failure.kept = sandbox.root;
  } finally {
    subject?.kill();
    result.delegated = subject?.counts.delegated ?? 0;
    if (!options.keep) sandbox.remove();
  }
  return result;
}

/** Runs one operation that applies, and returns its name. */
function operate(world: World): string {
  for (let tries = 0; tries < 20; tries++) {
    const operation = world.prng.weighted(operations);
    if (operation.run(world) !== false) return operation.name;
  }
  return 'nothing';
}

function compare(
  subject: Subject,
  prng: Prng,
  sources: readonly Source[],
  traits: readonly string[],
  result: SeedResult,
): void {
  const scanned = new Set(prng.sample(nineModes, scannedModes));
  const asked = nineModes.map((question) => ({
    question,
    sources: sources.filter((source) => source !== 'scan' || scanned.has(question)),
  }));
  const answers = subject.compare(asked);
  result.comparisons++;
  const kinds = new Set(traits);
  for (const answer of answers) for (const kind of kindsOf(answer)) kinds.add(kind);
  for (const kind of kinds) result.kinds[kind] = (result.kinds[kind] ?? 0) + 1;
}
