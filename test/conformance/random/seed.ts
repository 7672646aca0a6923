/** One seed: a repository, a number of operations, and a comparison after each. */
import { memoryDirectory, Sandbox } from '../../support/sandbox';
import { unprivileged } from '../../support/unprivileged';
import type { Source } from '../disagreement';
import type { Question } from '../questions';
import { Subject } from '../subject';
import { drawQuestions } from './asking';
import { kindsOf, kindsOfLong } from './kinds';
import { operations } from './operations/all';
import { Prng } from './prng';
import { buildShape, unprivilegedKind } from './shape';
import { World } from './world';

/** Percentage of seeds that ask as a user to whom file modes apply. */
const unprivilegedPercent = 12;

export interface SeedOptions {
  operations: number;
  /** Numbers of skipped operations (from 1): a smaller way to the same failure. */
  skip: ReadonlySet<number>;
  keep: boolean;
  sources: readonly Source[];
  /** The directory of the repositories; default: in memory, or with `keep` the temporary directory. */
  in?: string;
}

export interface SeedResult {
  seed: number;
  /** Undefined if every answer was git's. */
  failure?: { reason: string; log: string[]; script: string; kept?: string };
  /** Number of steps with questions. */
  steps: number;
  /** Number of answers that were compared with git's. */
  comparisons: number;
  delegated: number;
  /** Number of comparisons that showed each kind of state. */
  kinds: Record<string, number>;
}

export async function runSeed(seed: number, options: SeedOptions): Promise<SeedResult> {
  const sandbox = new Sandbox(options.in ?? (options.keep ? undefined : memoryDirectory()));
  const log: string[] = [];
  const result: SeedResult = { seed, steps: 0, comparisons: 0, delegated: 0, kinds: {} };
  let subject: Subject | undefined;
  try {
    const { repo, traits } = buildShape(sandbox, new Prng(seed));
    const privileged = !new Prng(seed, -2).chance(unprivilegedPercent);
    if (!privileged) traits.push(unprivilegedKind);
    log.push(`shape: ${traits.join(', ') || 'plain'}`);
    // git's untracked cache can miss a file of the same second; the tests want the true answer.
    const oracleOptions = ['-c', 'core.untrackedCache=false'];
    const launcher = privileged ? [] : unprivileged();
    subject = new Subject(sandbox, repo.root, { oracleOptions, launcher });
    await subject.serve();
    compare(subject, new World(repo, new Prng(seed, -1)), options.sources, traits, result);
    for (let number = 1; number <= options.operations; number++) {
      if (options.skip.has(number)) continue;
      // A separate generator, so that a skipped operation changes the others as little as possible.
      const prng = new Prng(seed, number);
      const world = new World(repo, prng, privileged);
      const name = operate(world);
      log.push(`${number}: ${name}`);
      sandbox.script.push(`# ${number}: ${name}`);
      if (prng.chance(4)) {
        await subject.stop();
        await subject.serve();
        log.push(`${number}: the server starts anew`);
      }
      compare(subject, world, options.sources, traits, result);
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

/** Runs a random operation that applies, and returns its name. */
export function operate(world: World): string {
  for (let tries = 0; tries < 20; tries++) {
    const { name, kinds = [], run } = world.prng.weighted(operations);
    if (run(world) === false) continue;
    for (const kind of world.kinds)
      if (!kinds.includes(kind)) throw new Error(`${name}: ${kind} is not expected`);
    world.kinds.add(`operation: ${name}`);
    return [name, ...[...world.kinds].filter((kind) => kinds.includes(kind))].join(': ');
  }
  return 'nothing';
}

/**
 * Asks the resident every question of the step. A scan is slower: it gets every third question, in turn. A
 * step has at least three questions, so a scan gets at least one. If a scan is the only source, it gets all.
 */
function compare(
  subject: Subject,
  world: World,
  sources: readonly Source[],
  traits: readonly string[],
  result: SeedResult,
): void {
  const asked = drawQuestions(world.prng, world);
  const answers = subject.compare(
    asked.map(({ question, elsewhere }, i) => {
      const due = sources.filter(
        (source) => source === 'resident' || sources.length === 1 || i % 3 === result.steps % 3,
      );
      result.comparisons += due.length;
      return { question, sources: elsewhere ? due.map(elsewhereOf) : due };
    }),
  );
  result.steps++;
  const kinds = new Set([...traits, ...world.kinds]);
  answers.forEach((answer, i) => {
    const { question, kinds: asks = [] } = asked[i] ?? {};
    asks.forEach((kind) => kinds.add(kind));
    const shown = question && isForMachines(question) ? kindsOf(answer) : kindsOfLong(answer);
    shown.forEach((kind) => kinds.add(kind));
  });
  for (const kind of kinds) result.kinds[kind] = (result.kinds[kind] ?? 0) + 1;
}

/** For another worktree than the served one; `auto` detects that. */
function elsewhereOf(source: Source): Source {
  return source === 'resident' ? 'auto' : source;
}

/** True if `kindsOf` can parse the answer. */
function isForMachines({ args }: Question): boolean {
  return args[0] === '--porcelain=v2' && args.includes('-z');
}
