/**
 * One seed: a repository, and one damage of its files after the other, each repaired again. At each damage
 * the test asks git, a scan, and a resident worktree. The resident lives through the damage, or is started
 * after it. After the repair it must give its earlier answer.
 */
import type { RunResult } from '../../support/run';
import { memoryDirectory, Sandbox } from '../../support/sandbox';
import { ServerError } from '../../support/server';
import { difference, Disagreement, type Source } from '../disagreement';
import { type Question, question, widestMode } from '../questions';
import { Prng } from '../random/prng';
import { Subject } from '../subject';
import { damaged, describeDamage, drawDamage, type Way } from './damages';
import { damageableFiles, isLinked, readFile, replaceFile } from './files';
import { damageables } from './repositories';

/** Percentage of damages after which a new server is started. */
const freshPercent = 15;

const otherQuestions: readonly Question[] = [
  question(),
  question('--porcelain=v2', '--branch', '--show-stash', '-uno'),
  question('-s', '-b'),
  question('--porcelain=v2', '-z', '--no-renames', '--ignore-submodules=none'),
];

/** Kinds of files whose name is derived from their content. */
const contentAddressed: ReadonlySet<string> = new Set(['loose object', 'pack of a pack', 'idx of a pack']);

export interface DamageOptions {
  damages: number;
  /** Numbers of the damages to make, from 1; empty: all. */
  only: readonly number[];
  keep: boolean;
}

export interface DamageResult {
  seed: number;
  kind: string;
  /** Counts by the kind of file and of damage. */
  counts: Record<string, number>;
  delegated: number;
  failure?: { number: number; damage: string; reason: string; script: string; kept?: string };
}

export async function runDamages(seed: number, options: DamageOptions): Promise<DamageResult> {
  const sandbox = new Sandbox(options.keep ? undefined : memoryDirectory());
  const { kind, make } = new Prng(seed).pick(damageables);
  const result: DamageResult = { seed, kind, counts: {}, delegated: 0 };
  let subject: Subject | undefined;
  let number = 0;
  let damage = 'none yet';
  try {
    const repo = make(sandbox);
    // git's untracked cache can miss a file; the tests want the true answer.
    subject = new Subject(sandbox, repo.root, { oracleOptions: ['-c', 'core.untrackedCache=false'] });
    await subject.serve();
    const questions = [widestMode, ...otherQuestions];
    const answers = subject.compare(
      questions.map((each) => ({ question: each, sources: ['resident', 'scan'] })),
    );
    const before = new Map(questions.map((each, i) => [each, answers[i]]));
    const whole = before.get(widestMode);
    if (!whole) throw new Error('no answer');
    const script = sandbox.script.length;
    for (number = 1; number <= options.damages; number++) {
      if (options.only.length > 0 && !options.only.includes(number)) continue;
      sandbox.script.length = script;
      damage = await suffer(subject, new Prng(seed, number), before, result);
      const mended = subject.ask('resident', widestMode);
      const reason = difference(widestMode, whole, mended);
      if (reason !== undefined) {
        throw new Disagreement('resident', widestMode, repo.root, `when all was mended:\n${reason}`);
      }
    }
    await subject.stop();
  } catch (error) {
    if (error instanceof SufferingError) damage = error.damage;
    const cause = error instanceof SufferingError ? error.cause : error;
    const reason = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
    result.failure = { number, damage, reason, script: sandbox.replayScript() };
    if (options.keep) result.failure.kept = sandbox.root;
  } finally {
    subject?.kill();
    result.delegated = subject?.counts.delegated ?? 0;
    if (!options.keep) sandbox.remove();
  }
  return result;
}

class SufferingError extends Error {
  constructor(
    readonly damage: string,
    cause: unknown,
  ) {
    super(damage, { cause });
  }
}

/** Damages one file, asks, repairs it. Returns a description. */
async function suffer(
  subject: Subject,
  prng: Prng,
  before: ReadonlyMap<Question, RunResult | undefined>,
  result: DamageResult,
): Promise<string> {
  const { sandbox } = subject;
  const files = damageableFiles(sandbox);
  const kind = prng.pick([...new Set(files.map((file) => file.kind))]);
  const { path } = prng.pick(files.filter((file) => file.kind === kind));
  const content = readFile(sandbox, path);
  const damage = drawDamage(prng, content);
  const drawn = prng.pick<Way>(['in place', 'by rename']);
  // A clone on the same disk shares objects by hard links: in place, the damage would reach it.
  const way = isLinked(sandbox, path) ? 'by rename' : drawn;
  const wayBack = prng.pick<Way>(['in place', 'by rename']);
  // An object file changes without an event, as its name promises the content. A user restores it by rename.
  const restored = contentAddressed.has(kind) ? 'by rename' : wayBack;
  const fresh = prng.chance(freshPercent);
  const asked = [widestMode, prng.pick(otherQuestions)];
  if (!damage) return 'none';
  const told = `${path}, ${way}${fresh ? ', before the server starts' : ''}: ${describeDamage(damage, content)}`;
  for (const name of [`file: ${kind}`, `damage: ${damage.kind}`]) {
    result.counts[name] = (result.counts[name] ?? 0) + 1;
  }
  try {
    if (fresh) await subject.stop();
    replaceFile(sandbox, path, damaged(content, damage), way);
    if (fresh) await serveUpon(subject);
    // An object's file is not read twice: a server may remember the content from before the damage.
    const remembers = !fresh && contentAddressed.has(kind);
    // If another repository is found, it has no server.
    const server = kind === '.git' ? 'auto' : 'resident';
    const sources: Source[] = subject.serving && !remembers ? [server, 'scan'] : ['scan'];
    try {
      const answers = subject.compare(asked.map((each) => ({ question: each, sources })));
      if (remembers) {
        asked.forEach((each, i) => compareWithEither(subject, each, answers[i], before.get(each)));
      }
    } catch (error) {
      const known =
        error instanceof Disagreement &&
        (isKnown(error) ? 'known difference' : whyGitDiffers(subject, error));
      if (!known) throw error;
      result.counts[known] = (result.counts[known] ?? 0) + 1;
    }
    replaceFile(sandbox, path, content, restored);
    if (!subject.serving) await subject.serve();
  } catch (error) {
    throw new SufferingError(told, error);
  }
  return `${told}; mended ${restored}`;
}

/** A git that reads beyond the end of a damaged file answers at random, or dies by a signal. */
function whyGitDiffers(subject: Subject, { question: asked, reason }: Disagreement): string | undefined {
  if (/git's is 1(34|35|39)$/m.test(reason)) return 'git was ended by a signal';
  if (/^exit code 135,.*/m.test(reason) && reason.includes('unknown index entry format')) {
    return 'git was ended by a signal';
  }
  // With this variable git is started, not forked (native/testing/fork_servers.h): its memory then has other
  // contents.
  const env = { ...asked.env, MALLOC_ARENA_MAX: '8' };
  const started = Array.from({ length: 5 }, () => subject.askGit({ ...asked, env }));
  const answers = [...started, subject.askGit(asked)];
  if (answers.some(({ code }) => code > 128)) return 'git was ended by a signal';
  const [first] = answers;
  return first && answers.some((answer) => difference(asked, first, answer) !== undefined)
    ? 'git differs from itself'
    : undefined;
}

/** native/DIFFERENCES.md: in a sparse index, an id without an object. */
function isKnown({ reason }: Disagreement): boolean {
  return /git's stderr: error: invalid object \d+ [0-9a-f]+ for /.test(reason);
}

function compareWithEither(subject: Subject, asked: Question, now?: RunResult, before?: RunResult): void {
  const said = subject.ask('resident', asked);
  const reason = now && difference(asked, now, said);
  if (reason === undefined || (before && difference(asked, before, said) === undefined)) return;
  throw new Disagreement(
    'resident',
    asked,
    subject.worktree,
    `neither git's nor what it was before:\n${reason}`,
  );
}

/** Starts a server; if git refuses the repository, the server may fail too. */
async function serveUpon(subject: Subject): Promise<void> {
  try {
    await subject.serve();
  } catch (error) {
    const refused = subject.askGit(widestMode).code !== 0;
    if (!(error instanceof ServerError) || !refused) throw error;
  }
}
