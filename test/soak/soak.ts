/**
 * Several writers change a worktree that a server keeps. They pause now and then; the server's answers must
 * then equal git's, byte for byte. At the end the server's memory must not have grown. Its watches and
 * descriptors must equal those of a fresh server.
 *
 * The seed decides each writer's operations, but not their interleaving.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { memoryDirectory, Sandbox } from '../support/sandbox';
import { Repository } from '../support/repository';
import { forceRemove } from '../support/remove';
import { reveal } from '../support/hidden-edits';
import { ResidentServer } from '../support/server';
import { Prng } from '../conformance/random/prng';
import { content, ignoreFile } from '../conformance/random/names';
import { Disagreement } from '../conformance/disagreement';
import { type Question, question, widestMode } from '../conformance/questions';
import { Subject } from '../conformance/subject';
import { residentBinary } from '../support/binary';
import { withoutCaches } from '../support/oracle';
import { run } from '../support/run';
import { descriptorsOf, type Gauges, gaugesOf, median, watchedPaths } from '../support/gauges';
import { Clients } from './clients';
import type { WriterReport } from './writer';
import { Writers } from './writers';

export interface SoakOptions {
  seconds: number;
  seed: number;
  writers: number;
  /** A repository to clone; without it a generated one of some hundred files. */
  origin?: string;
  /** Longest run of the writers between two settles. */
  roundMs: number;
  /** Every git uses our hook, and a prompt asks too (see Clients). */
  clients?: boolean;
  /** Minimum of settles and operations, however long they take. */
  atLeast?: { settles: number; done: number };
  /** Called after each settle. */
  onSettle?: (sample: Sample, result: SoakResult) => void;
}

export interface Sample extends Gauges {
  /** Time since the start. */
  seconds: number;
}

export interface SoakResult extends WriterReport {
  settles: number;
  comparisons: number;
  /** Number of questions while writers ran. */
  asked: number;
  samples: Sample[];
  /** Resources of a fresh server at the end. */
  fresh?: Gauges;
  /** The reason of the failure, and the folder of the remaining files. */
  failure?: { reason: string; kept: string };
}

/** The repository is restored after this many settles: otherwise it grows. */
const kSettlesPerReset = 8;
const kResetsPerCollection = 5;
const kAskIntervalMs = 150;
const kPatienceMs = 5000;
const kDirectories = 12;
const kFiles = 20;

/** Memory limit at the end, from the memory after warm-up. malloc may keep that much more. */
export function rssLimitKb(firstKb: number): number {
  return 1.2 * firstKb + 8 * 1024;
}

const questions: readonly Question[] = [
  widestMode,
  question('--porcelain=v2', '--branch', '--show-stash'),
  question('--porcelain', '-z', '--untracked-files=normal'),
  question('--porcelain=v2', '-z', '--untracked-files=no', '--ignored=no', '--no-renames'),
  question('-s', '-b', '--ignored=traditional'),
  question(),
  question('--long', '--untracked-files=all', '--', 'src', 'd'),
];

function makeOrigin(sandbox: Sandbox, prng: Prng): Repository {
  const repo = Repository.init(sandbox, 'w');
  for (let directory = 0; directory < kDirectories; directory++) {
    const prefix = ['src', 'd', 'vendor', 'doc'].slice(0, 1 + (directory % 4)).join('/');
    for (let file = 0; file < kFiles; file++) repo.write(`${prefix}/${directory}/f${file}`, content(prng));
  }
  repo.write('.gitignore', ignoreFile(prng));
  // -f: the random .gitignore may ignore every file.
  repo.git('add', '-A', '-f');
  repo.commit();
  return repo;
}

function clone(sandbox: Sandbox, origin: string): Repository {
  sandbox.exec('git', 'clone', '-q', '--no-hardlinks', '--', origin, 'w');
  return new Repository(sandbox, sandbox.path('w'));
}

/** Restores the initial state, except for unreachable objects. */
function putBack(repo: Repository, collect: boolean): void {
  for (const operation of ['rebase', 'cherry-pick', 'revert']) repo.tryGit(operation, '--quit');
  // Flags in the index stop git from restoring files. When several gits write one split index, git can crash
  // and leave its lock.
  for (const file of ['.git/index', '.git/index.lock']) if (repo.exists(file)) repo.remove(file);
  repo.git('symbolic-ref', 'HEAD', 'refs/heads/main');
  repo.git('update-ref', 'refs/heads/main', 'base');
  repo.git('reset', '-q', '--hard');
  repo.git('clean', '-q', '-ffdx');
  for (const branch of ['side', 'other']) repo.tryGit('branch', '-q', '-D', branch);
  repo.git('stash', 'clear');
  for (const left of ['swapped', 'outside']) forceRemove(repo.sandbox.path(left));
  if (collect) {
    repo.git('reflog', 'expire', '--expire=now', '--all');
    repo.git('gc', '-q', '--prune=now');
  }
}

export async function soak(options: SoakOptions): Promise<SoakResult> {
  const sandbox = new Sandbox(memoryDirectory());
  const result: SoakResult = { done: 0, cutShort: 0, settles: 0, comparisons: 0, asked: 0, samples: [] };
  const prng = new Prng(options.seed, -1);
  let subject: Subject | undefined;
  let writers: Writers | undefined;
  let clients: Clients | undefined;
  try {
    const repo = options.origin === undefined ? makeOrigin(sandbox, prng) : clone(sandbox, options.origin);
    repo.git('tag', 'base');
    repo.git('checkout', '-q', '-B', 'main');
    subject = new Subject(sandbox, repo.root, { oracleOptions: withoutCaches });
    await subject.serve();
    if (options.clients) clients = new Clients(repo);
    writers = new Writers(
      Array.from({ length: options.writers }, (_, number) => ({
        sandbox: sandbox.root,
        worktree: repo.root,
        log: sandbox.path(`writer-${number}.log`),
        seed: options.seed,
        number,
      })),
    );
    const started = performance.now();
    const elapsed = (): number => (performance.now() - started) / 1000;
    const { settles = 0, done: operations = 0 } = options.atLeast ?? {};
    while (elapsed() < options.seconds || result.settles < settles || result.done < operations) {
      writers.run();
      const round = options.roundMs / 4 + prng.below((3 * options.roundMs) / 4);
      await askMeanwhile(subject, clients, round, result);
      const { done, cutShort } = await writers.pause();
      result.done += done;
      result.cutShort += cutShort;
      settle(subject, repo, result);
      result.comparisons += (await clients?.check()) ?? 0;
      const sample = { seconds: elapsed(), ...gaugesOf(subject.serverPid ?? 0) };
      result.samples.push(sample);
      options.onSettle?.(sample, result);
      sandbox.script.splice(0);
      if (result.settles % kSettlesPerReset === 0) {
        putBack(repo, result.settles % (kSettlesPerReset * kResetsPerCollection) === 0);
        writers.forget();
        writeFileSync(sandbox.spyLog, '');
      }
    }
    putBack(repo, true);
    settle(subject, repo, result);
    clients?.kill();
    await checkEnd(subject, repo, { result, clients: clients !== undefined });
    await subject.stop();
  } catch (error) {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    result.failure = { reason, kept: sandbox.root };
  } finally {
    writers?.kill();
    clients?.kill();
    subject?.kill();
    if (result.failure === undefined) sandbox.remove();
  }
  return result;
}

/** Asks during a storm. The answers cannot be compared, but the call must succeed where git would. */
async function askMeanwhile(
  subject: Subject,
  clients: Clients | undefined,
  milliseconds: number,
  result: SoakResult,
): Promise<void> {
  const end = performance.now() + milliseconds;
  while (performance.now() < end) {
    await delay(Math.min(kAskIntervalMs, Math.max(0, end - performance.now())));
    const { code, stderr } = subject.ask('resident', widestMode);
    // 128: git can refuse a repository that is being rewritten.
    if (code !== 0 && code !== 128)
      throw new Error(`exit code ${code} in a storm: ${stderr.toString('latin1')}`);
    await clients?.askMeanwhile();
    result.asked++;
  }
}

function settle(subject: Subject, repo: Repository, result: SoakResult): void {
  // The scan is asked less often. If both differ from git, the resident model is not the cause.
  const sources = result.settles % 10 === 9 ? (['resident', 'scan'] as const) : (['resident'] as const);
  const compare = () => subject.compare(questions.map((asked) => ({ question: asked, sources })));
  try {
    compare();
  } catch (error) {
    // A known difference: it disappears with the edits that stat data hide.
    if (!(error instanceof Disagreement) || reveal(repo) === 0) throw error;
    compare();
  }
  result.settles++;
  result.comparisons += questions.length * sources.length;
}

/** A fresh server must need the same resources as the old one. */
async function checkEnd(
  subject: Subject,
  repo: Repository,
  { result, clients }: { result: SoakResult; clients: boolean },
): Promise<void> {
  const { sandbox } = repo;
  const pid = subject.serverPid ?? 0;
  const problems: string[] = [];
  // The same PATH for both servers, because its way to git is watched.
  const env = { ...sandbox.questionEnv({ spy: true }), XDG_RUNTIME_DIR: sandbox.path('home') };
  const fresh = await ResidentServer.start(residentBinary(), repo.root, {
    env,
    cwd: sandbox.root,
    logPath: sandbox.path('fresh.log'),
  });
  try {
    // Files around the worktree are watched once a question found them unchanged since the last question.
    const words = ['status', '--source=resident', ...widestMode.args];
    for (let times = 0; times < 2; times++) {
      run(residentBinary(), words, { cwd: repo.root, env });
      if (clients) run(residentBinary(), ['prompt', '--format=%(stashes)'], { cwd: repo.root, env });
    }
    problems.push(...(await differences(pid, fresh.pid, sandbox.root)));
    result.fresh = gaugesOf(fresh.pid);
  } finally {
    await fresh.stop();
  }
  const { firstKb, lastKb } = thirds(result.samples);
  if (lastKb > rssLimitKb(firstKb)) {
    problems.push(`memory grew from ${firstKb} to ${lastKb} KB; at most ${rssLimitKb(firstKb)} is expected`);
  }
  if (existsSync(sandbox.path('w/.git/index.lock'))) problems.push('index.lock was left behind');
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

/**
 * Returns watches and descriptors that only one of the servers has, after both are idle. The last question's
 * connection remains until the server finds it closed. A fresh server still reads after it is ready.
 */
async function differences(pid: number, freshPid: number, root: string): Promise<string[]> {
  const patience = Date.now() + kPatienceMs;
  for (;;) {
    const watched = watchedPaths(pid, root);
    const freshlyWatched = watchedPaths(freshPid, root);
    // Files outside of the worktree are watched once a question depends on them.
    const unwatched = without(freshlyWatched, watched).filter((path) => /^w($|\/(?!\.git($|\/)))/.test(path));
    const open = descriptorsOf(pid);
    const freshlyOpen = descriptorsOf(freshPid);
    const found = [
      ...told('watches', unwatched, without(watched, freshlyWatched)),
      ...told('descriptors', without(freshlyOpen, open), without(open, freshlyOpen)),
    ];
    if (found.length === 0 || Date.now() >= patience) return found;
    await delay(10);
  }
}

function told(what: string, missing: readonly string[], left: readonly string[]): string[] {
  if (missing.length + left.length === 0) return [];
  return [`${what}: ${missing.join(' ')} missing, ${left.join(' ')} too many`];
}

/** Items that occur more often in `all` than in `some`. */
function without(all: readonly string[], some: readonly string[]): string[] {
  const rest = [...some];
  return all.filter((one) => {
    const at = rest.indexOf(one);
    if (at >= 0) rest.splice(at, 1);
    return at < 0;
  });
}

/** Median memory of the first and the last third. The first tenth is warm-up. */
export function thirds(samples: readonly Sample[]): { firstKb: number; lastKb: number } {
  const warm = samples.slice(Math.floor(samples.length / 10)).map(({ rssKb }) => rssKb);
  const third = Math.max(1, Math.floor(warm.length / 3));
  return { firstKb: median(warm.slice(0, third)), lastKb: median(warm.slice(-third)) };
}
