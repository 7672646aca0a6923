/**
 * Several writers at once in a worktree that a server keeps. Now and then they are paused; then the server's answers
 * must be git's, byte for byte. At the end its memory must be what it was, and its watches and descriptors those of a
 * server that has just been started.
 *
 * What each writer draws follows from the seed; how the writers meet does not.
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
  /** A repository to clone; without it, one of some hundred files is made. */
  origin?: string;
  /** How long the writers run between two settles, at most. */
  roundMs: number;
  /** Every git asks our hook, and a prompt asks too (see Clients). */
  clients?: boolean;
  /** However long that takes, there are so many settles and operations at least. */
  atLeast?: { settles: number; done: number };
  /** Told after each settle. */
  onSettle?: (sample: Sample, result: SoakResult) => void;
}

export interface Sample extends Gauges {
  /** Since the start. */
  seconds: number;
}

export interface SoakResult extends WriterReport {
  settles: number;
  comparisons: number;
  /** Questions that were asked while writers ran. */
  asked: number;
  samples: Sample[];
  /** Of a server that was started at the end. */
  fresh?: Gauges;
  /** Why the soak failed, and where everything is that it left. */
  failure?: { reason: string; kept: string };
}

/** Everything is put back after so many settles: what grows otherwise is the repository. */
const kSettlesPerReset = 8;
const kResetsPerCollection = 5;
const kAskIntervalMs = 150;
const kPatienceMs = 5000;
const kDirectories = 12;
const kFiles = 20;

/** Memory at the end, at most, given what it was after warming up: what malloc keeps differs by so much. */
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
  // It may ignore everything.
  repo.git('add', '-A', '-f');
  repo.commit();
  return repo;
}

function clone(sandbox: Sandbox, origin: string): Repository {
  sandbox.exec('git', 'clone', '-q', '--no-hardlinks', '--', origin, 'w');
  return new Repository(sandbox, sandbox.path('w'));
}

/** As it was at the start, but for objects that nothing names. */
function putBack(repo: Repository, collect: boolean): void {
  for (const operation of ['rebase', 'cherry-pick', 'revert']) repo.tryGit(operation, '--quit');
  // Its flags keep git from putting files back; and of several that fight for one split index, git can
  // crash and leave its lock.
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

/** What is said in the middle of a storm cannot be compared, but it is said, and git would say as much. */
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
    // 128: a repository that is being rewritten can be one that git refuses.
    if (code !== 0 && code !== 128)
      throw new Error(`exit code ${code} in a storm: ${stderr.toString('latin1')}`);
    await clients?.askMeanwhile();
    result.asked++;
  }
}

function settle(subject: Subject, repo: Repository, result: SoakResult): void {
  // The scan is asked once in a while: a disagreement of both says that the resident model is not what is wrong.
  const sources = result.settles % 10 === 9 ? (['resident', 'scan'] as const) : (['resident'] as const);
  const compare = () => subject.compare(questions.map((asked) => ({ question: asked, sources })));
  try {
    compare();
  } catch (error) {
    // A named difference: it goes away with the edits that the stat data hide.
    if (!(error instanceof Disagreement) || reveal(repo) === 0) throw error;
    compare();
  }
  result.settles++;
  result.comparisons += questions.length * sources.length;
}

/** A server that starts now has to need what the one that has seen everything needs. */
async function checkEnd(
  subject: Subject,
  repo: Repository,
  { result, clients }: { result: SoakResult; clients: boolean },
): Promise<void> {
  const { sandbox } = repo;
  const pid = subject.serverPid ?? 0;
  const problems: string[] = [];
  // The same PATH as the other has: where it leads to git is watched.
  const env = { ...sandbox.questionEnv({ spy: true }), XDG_RUNTIME_DIR: sandbox.path('home') };
  const fresh = await ResidentServer.start(residentBinary(), repo.root, {
    env,
    cwd: sandbox.root,
    logPath: sandbox.path('fresh.log'),
  });
  try {
    // Files around the worktree are watched once a question looked at them, and found them as the one before.
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
 * What one server watches or has open and the other does not, once both have nothing more to do: the connection of the
 * last question is there until the server finds it closed, and one that has just started reads on after it is ready.
 */
async function differences(pid: number, freshPid: number, root: string): Promise<string[]> {
  const patience = Date.now() + kPatienceMs;
  for (;;) {
    const watched = watchedPaths(pid, root);
    const freshlyWatched = watchedPaths(freshPid, root);
    // What is outside of the worktree is watched once a question depends on it.
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

/** What is in `all` more often than in `some`. */
function without(all: readonly string[], some: readonly string[]): string[] {
  const rest = [...some];
  return all.filter((one) => {
    const at = rest.indexOf(one);
    if (at >= 0) rest.splice(at, 1);
    return at < 0;
  });
}

/** Median memory of the first and of the last third, the first tenth being for warming up. */
export function thirds(samples: readonly Sample[]): { firstKb: number; lastKb: number } {
  const warm = samples.slice(Math.floor(samples.length / 10)).map(({ rssKb }) => rssKb);
  const third = Math.max(1, Math.floor(warm.length / 3));
  return { firstKb: median(warm.slice(0, third)), lastKb: median(warm.slice(-third)) };
}
