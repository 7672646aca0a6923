/**
 * A storm: a worktree, a server that survives the changes, and git as the oracle afterwards. The server is
 * `git-resident watch`, which reports each state and each change.
 *
 * STORMS=whole runs the storms at full size (`STORMS=whole npm run test:storms`); otherwise they are a
 * sample.
 */
import { strict as assert } from 'node:assert';
import { type ChildProcess, spawn } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { withSandbox } from '../conformance/case';
import { nineModes, type Question, question } from '../conformance/questions';
import { Subject } from '../conformance/subject';
import { residentBinary } from '../support/binary';
import { processorTimeOf, watchedInodes } from '../support/gauges';
import { Repository } from '../support/repository';
import type { Sandbox } from '../support/sandbox';

/** A size: `sample` for each test run, `whole` on request. */
export function size(sample: number, whole: number): number {
  return process.env.STORMS === 'whole' ? whole : sample;
}

/**
 * Only root may mount file systems and change the kernel's limits. Without root, such tests are skipped, with
 * this reason in the title.
 */
export const itAsRoot = process.getuid?.() === 0 ? it : it.skip;
export const needsRoot = '(needs root)';

const patienceMs = 60_000;

let servers = 0;

export class LiveServer {
  private readonly child: ChildProcess;
  private readonly lines: string[] = [];
  private readonly listeners = new Set<() => void>();
  private readonly output: { descriptor: number; watcher: fs.FSWatcher };
  private rest = '';
  private readonly errorsPath: string;

  /** `before`: prefix of the server's command line, such as `env` or `unshare`. */
  constructor(
    sandbox: Sandbox,
    private readonly worktree: string,
    before: readonly string[] = [],
  ) {
    const [program, ...args] = [...before, residentBinary(), 'watch', '--sweep=off', worktree];
    // Files, because nobody reads a pipe while the test waits for git.
    const outputPath = sandbox.path(`server-${servers++}.out`);
    this.errorsPath = `${outputPath}.err`;
    const [out, errors] = [fs.openSync(outputPath, 'a'), fs.openSync(this.errorsPath, 'a')];
    this.output = {
      descriptor: fs.openSync(outputPath, 'r'),
      watcher: fs.watch(outputPath, () => this.notify()),
    };
    this.child = spawn(program, args, {
      env: sandbox.questionEnv({ spy: false }),
      cwd: sandbox.root,
      stdio: ['ignore', out, errors],
    });
    for (const file of [out, errors]) fs.closeSync(file);
    this.child.once('exit', () => this.notify());
  }

  private get errors(): string {
    return fs.readFileSync(this.errorsPath, 'latin1');
  }

  /** Reads the new output. */
  private read(): void {
    const chunk = Buffer.alloc(1 << 20);
    for (;;) {
      const count = fs.readSync(this.output.descriptor, chunk);
      if (count === 0) return;
      const parts = (this.rest + chunk.toString('latin1', 0, count)).split('\n');
      this.rest = parts.pop() ?? '';
      // Each line begins with the time of day.
      this.lines.push(...parts.map((line) => line.slice(9)));
    }
  }

  private notify(): void {
    for (const listener of [...this.listeners]) listener();
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  get running(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Number of lines so far: a start position for tells(). */
  get told(): number {
    this.read();
    return this.lines.length;
  }

  /** True if any line so far matches. */
  hasTold(pattern: RegExp): boolean {
    this.read();
    return this.lines.some((line) => pattern.test(line));
  }

  /** Resolves once a line from number `from` on matches `wanted`. */
  async tells(wanted: RegExp, from = 0): Promise<string> {
    let looked = from;
    const find = (): string | undefined => {
      this.read();
      for (; looked < this.lines.length; looked++) {
        const line = this.lines[looked] ?? '';
        if (wanted.test(line)) return line;
      }
      return undefined;
    };
    return this.await(find, () => `no line like ${wanted}; the last:\n${this.lines.slice(-20).join('\n')}`);
  }

  async ends(): Promise<void> {
    await this.await(
      () => (this.running ? undefined : true),
      () => 'has not ended',
    );
  }

  private await<T>(find: () => T | undefined, problem: () => string): Promise<T> {
    return new Promise((resolve, reject) => {
      const settle = (): boolean => {
        const found = find();
        if (found === undefined && this.running) return false;
        clearTimeout(timer);
        this.listeners.delete(settle);
        if (found !== undefined) resolve(found);
        else reject(new Error(`the server ended: ${problem()}\n${this.errors}`));
        return true;
      };
      const timer = setTimeout(() => {
        this.listeners.delete(settle);
        reject(new Error(`within ${patienceMs} ms: ${problem()}\n${this.errors}`));
      }, patienceMs);
      if (!settle()) this.listeners.add(settle);
    });
  }

  signal(name: NodeJS.Signals): void {
    assert.ok(this.child.kill(name), `${name} could not be sent`);
  }

  /** Number of watched directories and files, over all queues. */
  get watches(): number {
    return watchedInodes(this.pid).length;
  }

  /** Resident memory without file pages, in MiB. */
  get memory(): number {
    const status = fs.readFileSync(`/proc/${this.pid}/status`, 'latin1');
    return Number(/RssAnon:\s*(\d+) kB/.exec(status)?.[1] ?? Number.NaN) / 1024;
  }

  /** Peak resident memory, in MiB. */
  get peakMemory(): number {
    const status = fs.readFileSync(`/proc/${this.pid}/status`, 'latin1');
    return Number(/VmHWM:\s*(\d+) kB/.exec(status)?.[1] ?? Number.NaN) / 1024;
  }

  /** CPU time so far, in seconds. */
  get cpu(): number {
    return processorTimeOf(this.pid);
  }

  async stop(): Promise<void> {
    assert.ok(this.running, `the server of ${this.worktree} has ended by itself\n${this.errors}`);
    this.signal('SIGTERM');
    await this.ends();
    assert.equal(this.child.exitCode, 0, this.errors);
  }

  /** Kills the server, and closes its output. */
  dispose(): void {
    if (this.running) this.child.kill('SIGKILL');
    this.output.watcher.close();
    fs.closeSync(this.output.descriptor);
  }
}

export interface Storm {
  sandbox: Sandbox;
  repo: Repository;
  server: LiveServer;
  /** Compares the resident answer with git's in all nine modes. */
  check(): void;
  /** Compares these questions; each of `shows` must also match git's answer. */
  checkThat(questions: readonly Question[], ...shows: RegExp[]): void;
}

/** A question whose answer contains every path. */
export const everything: Question = question('--porcelain=v1', '-uall', '--ignored=matching');

export interface StormOptions {
  /** Creates and commits the initial files before the server starts. */
  furnish?: (repo: Repository) => void;
  /** Prefix of the server's command line. */
  before?: readonly string[];
  /** The server ends by itself. */
  serverEnds?: boolean;
}

/** Storms use the user's kind of file system, not a file system in memory. */
export function withSandboxOnDisk(body: (sandbox: Sandbox) => void | Promise<void>): Promise<void> {
  return withSandbox(body, tmpdir());
}

/** Without `asRoot` the test needs no privileges. */
export function storm(
  title: string,
  body: (storm: Storm) => void | Promise<void>,
  options: StormOptions & { asRoot?: boolean } = {},
): void {
  const test = options.asRoot ? itAsRoot : it;
  test(options.asRoot ? `${title} ${needsRoot}` : title, async () => {
    await withSandboxOnDisk(async (sandbox) => {
      const repo = Repository.init(sandbox, 'w');
      (options.furnish ?? furnish)(repo);
      await withServer(repo, body, options);
    });
  });
}

export async function withServer(
  repo: Repository,
  body: (storm: Storm) => void | Promise<void>,
  options: StormOptions = {},
): Promise<void> {
  const { sandbox } = repo;
  const server = new LiveServer(sandbox, repo.root, options.before);
  try {
    await server.tells(/^== watching/);
    const subject = new Subject(sandbox, repo.root);
    const checkThat = (questions: readonly Question[], ...shows: RegExp[]): void => {
      const answers = subject.compare(questions.map((asked) => ({ question: asked, sources: ['resident'] })));
      const said = answers.map(({ stdout }) => stdout.toString('latin1')).join('');
      for (const wanted of shows)
        assert.match(said, wanted, 'git does not say what the storm should lead to');
    };
    const check = (): void => checkThat(nineModes);
    await body({ sandbox, repo, server, check, checkThat });
    if (!options.serverEnds) {
      assert.deepEqual(subject.delegations, [], 'git answered in our stead');
      await server.stop();
    }
  } finally {
    server.dispose();
  }
}

/** A few directories, three deep, with a tracked file in each; an ignored directory; a clean status. */
export function furnish(repo: Repository): void {
  repo.write('.gitignore', '*.o\n/build/\nout/\n');
  repo.write('top', 'top\n');
  for (const a of ['a', 'b', 'c']) {
    repo.write(`${a}/1`, a);
    for (const b of ['x', 'y']) {
      repo.write(`${a}/${b}/2`, a + b);
      repo.write(`${a}/${b}/deep/3`, a + b);
    }
  }
  repo.commit();
}
