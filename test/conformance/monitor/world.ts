/**
 * A repository whose git asks us for changes (core.fsmonitor), through our hook or on the socket of its own
 * daemon. It has the answering server, and random actions for both.
 */
import { strict as assert } from 'node:assert';
import { lutimesSync, readFileSync } from 'node:fs';
import { residentBinary } from '../../support/binary';
import type { Bytes } from '../../support/bytes';
import { withoutCaches } from '../../support/oracle';
import { Repository } from '../../support/repository';
import { run } from '../../support/run';
import { oursListens } from '../../support/daemonSocket';
import { memoryDirectory, Sandbox } from '../../support/sandbox';
import { ResidentServer } from '../../support/server';
import { signalled } from '../../support/signals';
import { Prng } from '../random/prng';
import { isFaultOfGit } from './untrackedCache';

/** Limit of events in one inotify queue. */
const queueLength = (): number => Number(readFileSync('/proc/sys/fs/inotify/max_queued_events', 'latin1'));

const withoutMonitor = ['-c', 'core.fsmonitor=false'];

/** How git asks. On the socket, only our server may listen when `check` asks. */
export type Way = 'hook' | 'socket';

const settings: Readonly<Record<Way, Readonly<Record<string, string>>>> = {
  hook: { 'core.fsmonitor': residentBinary(), 'core.fsmonitorHookVersion': '2' },
  socket: { 'core.fsmonitor': 'true', 'residentGit.standsInForDaemon': 'true' },
};

export class World {
  readonly sandbox = new Sandbox(memoryDirectory());
  readonly repo = Repository.init(this.sandbox, 'work');
  private server: ResidentServer | undefined;
  readonly done: string[] = [];

  private constructor(readonly way: Way) {}

  static async make(way: Way = 'hook'): Promise<World> {
    const world = new World(way);
    const { repo } = world;
    for (const [name, value] of Object.entries(settings[way])) repo.config(name, value);
    repo.config('core.untrackedCache', 'true');
    await world.start();
    return world;
  }

  /** Resolves once the server answers. */
  async start(): Promise<void> {
    this.server = await ResidentServer.start(residentBinary(), this.repo.root, {
      env: this.sandbox.env,
      cwd: this.sandbox.root,
      logPath: this.sandbox.path('server.log'),
    });
    if (this.way === 'socket') await oursListens(`${this.repo.root}/.git`);
  }

  get isServed(): boolean {
    return this.server !== undefined;
  }

  async end(how: 'asked' | 'killed'): Promise<void> {
    if (how === 'asked') await this.server?.stop();
    else await this.server?.killed();
    this.server = undefined;
  }

  /** While the server is stopped, git gets no answer. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    if (this.server) signalled(this.server.pid, signal);
  }

  /** The server loses all events after `before`: its queue overflows. */
  overflow(before: () => void, after: () => void): void {
    this.signal('SIGSTOP');
    try {
      before();
      // Different events: the kernel merges equal ones in a row.
      for (let i = 0; i < queueLength(); i++)
        lutimesSync(`${this.repo.root}/.git${i % 2 === 0 ? '' : '/description'}`, i, i);
      after();
    } finally {
      this.signal('SIGCONT');
    }
  }

  /** Runs the hook for this token. Returns the names for git, and the next token. */
  hook(token: string, env: NodeJS.ProcessEnv = {}): { code: number; token: string; names: string[] } {
    const { code, stdout } = run(residentBinary(), ['2', token], {
      cwd: this.repo.root,
      env: { ...this.sandbox.env, ...env },
    });
    const [next = '', ...names] = stdout.toString('utf8').split('\0');
    names.pop();
    return { code, token: next, names };
  }

  /** Files that git believes to be unchanged. */
  believed(): Bytes[] {
    return this.repo
      .git('ls-files', '-f')
      .split('\n')
      .filter((line) => /^[a-z] /.test(line))
      .map((line) => line.slice(2));
  }

  /** Fails if git with our monitor differs from git without it. */
  check(...options: string[]): void {
    const status = ['status', '--porcelain=v2', '--branch', ...options];
    const ask = (): string => this.repo.ask(...status).stdout.toString('latin1');
    let told = ask();
    const expected = this.askWith(withoutCaches, status);
    if (isFaultOfGit(told, expected, this.repo)) {
      // The fault disappears after the second answer that is not "everything".
      if (!this.isServed || this.isToldEverything()) return;
      for (let i = 0; i < 2; i++) told = ask();
    }
    // git's untracked cache compares whole seconds. Assume a file is removed in the second in which git read
    // its directory. The cache keeps the file if the index is written in the next second.
    const isOfCache = (): boolean => !this.isServed && told === this.askWith(withoutMonitor, status);
    if (told !== expected && isOfCache()) return;
    assert.equal(told, expected, this.done.join('\n'));
  }

  /** git's answer with these options; writes nothing. */
  private askWith(options: readonly string[], status: readonly string[]): string {
    const env = { ...this.sandbox.env, GIT_OPTIONAL_LOCKS: '0' };
    return run('git', [...options, ...status], { cwd: this.repo.root, env }).stdout.toString('latin1');
  }

  /** True while two questions in a row give no names: a directory exists whose name git refuses. */
  private isToldEverything(): boolean {
    return this.hook(this.hook('0').token).names.includes('/');
  }

  remove(): void {
    this.server?.kill();
    this.sandbox.remove();
  }
}

const directories = ['', 'a/', 'a/b/', 'a/b/c/', 'd/', 'd e/', 'out/', 'new/', 'new/er/'];
const files = ['f', 'g', 'h.o', 'i j', '\u00e9'];
/** git refuses to add these, and does not invalidate its untracked cache for them. */
const refused = ['git~1', 'd/git~1', 'a/.GIT', 'git~1/f', 'a/git~1/b/f'];

interface Operation {
  weight: number;
  name: string;
  act(world: World, prng: Prng): Promise<void> | void;
}

const path = (prng: Prng): string => prng.pick(directories) + prng.pick(files);
const directory = (prng: Prng): string => prng.pick(directories.slice(1)).slice(0, -1);
const other = (prng: Prng): string => (prng.chance(50) ? path(prng) : directory(prng));
const gitOf =
  (...args: (string | ((prng: Prng) => string))[]): Operation['act'] =>
  ({ repo }, prng) => {
    repo.tryGit(...args.map((arg) => (typeof arg === 'string' ? arg : arg(prng))));
  };
const commit = (prng: Prng): string => prng.pick(['HEAD', 'HEAD~1', 'HEAD~2', 'side', 'main']);

/** Wraps an action: errors of the file system (such as a file in place of a directory) are ignored. */
const plain =
  (act: (repo: Repository, prng: Prng) => void): ((world: World, prng: Prng) => void) =>
  ({ repo }, prng) => {
    try {
      act(repo, prng);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    }
  };

let contents = 0;
const content = (): string => `${++contents % 7}\n`;

/** These operations ask nobody. */
const edits: Operation[] = [
  { weight: 20, name: 'write', act: plain((repo, prng) => repo.write(path(prng), content())) },
  { weight: 4, name: 'atomically', act: plain((repo, prng) => repo.writeAtomically(path(prng), content())) },
  { weight: 8, name: 'remove', act: plain((repo, prng) => repo.remove(other(prng))) },
  { weight: 8, name: 'rename', act: plain((repo, prng) => repo.rename(other(prng), other(prng))) },
  {
    weight: 8,
    name: 'away and back',
    act: plain((repo, prng) => {
      const [from, between] = [directory(prng), `../away${prng.below(3)}`];
      repo.rename(from, between);
      const below = prng.pick(['', 'b/', 'b/c/', 'er/']) + prng.pick(files);
      if (prng.chance(70)) repo.write(`${between}/${below}`, content());
      if (prng.chance(20)) repo.write(`${from}/f`, content());
      if (prng.chance(80)) repo.rename(between, prng.chance(70) ? from : directory(prng));
    }),
  },
  { weight: 1, name: 'refused', act: plain((repo, prng) => repo.write(prng.pick(refused), content())) },
  {
    weight: 4,
    name: 'exchange',
    act: plain((repo, prng) => {
      const [one, two] = [directory(prng), directory(prng)];
      repo.rename(one, '../one');
      repo.rename(two, one);
      repo.rename('../one', two);
    }),
  },
  { weight: 2, name: 'refused no more', act: plain((repo, prng) => repo.remove(prng.pick(refused))) },
  { weight: 2, name: 'link', act: plain((repo, prng) => repo.link(path(prng), path(prng))) },
  { weight: 2, name: 'symlink', act: plain((repo, prng) => repo.symlink(other(prng), other(prng))) },
  { weight: 2, name: 'chmod', act: plain((repo, prng) => repo.chmod(path(prng), prng.pick([0o644, 0o755]))) },
  {
    weight: 3,
    name: 'ignore',
    act: plain((repo, prng) =>
      repo.write(`${prng.pick(directories)}.gitignore`, `${prng.pick(['*.o', 'out', 'b', '!h.o', 'f'])}\n`),
    ),
  },
  {
    weight: 1,
    name: 'exclude',
    act: plain((repo, prng) => repo.write('.git/info/exclude', `${directory(prng)}\n`)),
  },
  { weight: 1, name: 'attributes', act: plain((repo) => repo.write('.gitattributes', '* text=auto\n')) },
];

function editSome(world: World, prng: Prng): void {
  for (let i = prng.below(4); i >= 0; i--) void prng.weighted(edits).act(world, prng);
}

/** On the socket git may start its own daemon, which is no oracle: another server of ours follows. */
async function endServer(world: World, prng: Prng, how: 'asked' | 'killed'): Promise<void> {
  await world.end(how);
  if (world.way === 'hook') return;
  editSome(world, prng);
  if (how === 'asked' && prng.chance(50)) {
    world.repo.tryGit('status');
    editSome(world, prng);
  }
  await world.start();
}

const operations: Operation[] = [
  ...edits,
  {
    weight: 1,
    name: 'nested',
    act: ({ repo, sandbox }, prng) =>
      void run('git', ['init', '-q', directory(prng)], { cwd: repo.root, env: sandbox.env }),
  },
  { weight: 8, name: 'add', act: gitOf('add', other) },
  { weight: 4, name: 'add all', act: gitOf('add', '-A') },
  { weight: 2, name: 'intent', act: gitOf('add', '-N', path) },
  { weight: 5, name: 'commit', act: gitOf('commit', '-q', '-m', 'c') },
  { weight: 3, name: 'commit all', act: gitOf('commit', '-q', '-a', '-m', 'c') },
  { weight: 4, name: 'reset mixed', act: gitOf('reset', '-q', commit) },
  { weight: 2, name: 'reset a path', act: gitOf('reset', '-q', commit, '--', path) },
  { weight: 3, name: 'reset hard', act: gitOf('reset', '-q', '--hard', commit) },
  { weight: 2, name: 'reset keep', act: gitOf('reset', '-q', '--keep', commit) },
  { weight: 3, name: 'checkout', act: gitOf('checkout', '-q', commit) },
  { weight: 2, name: 'checkout -f', act: gitOf('checkout', '-q', '-f', commit) },
  { weight: 2, name: 'checkout -b', act: gitOf('checkout', '-q', '-B', 'side') },
  { weight: 3, name: 'checkout a path', act: gitOf('checkout', '-q', commit, '--', other) },
  { weight: 3, name: 'stash', act: gitOf('stash', '-q') },
  { weight: 2, name: 'stash -u', act: gitOf('stash', '-q', '-u') },
  { weight: 3, name: 'stash pop', act: gitOf('stash', 'pop', '-q') },
  { weight: 2, name: 'merge', act: gitOf('merge', '-q', '-m', 'm', commit) },
  { weight: 1, name: 'merge --abort', act: gitOf('merge', '--abort') },
  { weight: 2, name: 'rebase', act: gitOf('rebase', '-q', commit) },
  { weight: 1, name: 'rebase --abort', act: gitOf('rebase', '--abort') },
  { weight: 1, name: 'cherry-pick', act: gitOf('cherry-pick', commit) },
  { weight: 2, name: 'rm', act: gitOf('rm', '-q', '-r', '--cached', other) },
  { weight: 2, name: 'mv', act: gitOf('mv', other, other) },
  { weight: 1, name: 'clean', act: gitOf('clean', '-q', '-f', '-d') },
  { weight: 2, name: 'read-tree', act: gitOf('read-tree', commit) },
  { weight: 1, name: 'read-tree -m', act: gitOf('read-tree', '-m', commit) },
  { weight: 1, name: 'read-tree -u', act: gitOf('read-tree', '-m', '-u', 'HEAD', commit) },
  { weight: 2, name: 'refresh', act: gitOf('update-index', '-q', '--really-refresh') },
  { weight: 2, name: 'believed', act: gitOf('update-index', '--fsmonitor-valid', path) },
  { weight: 2, name: 'assume', act: gitOf('update-index', '--assume-unchanged', path) },
  { weight: 1, name: 'assume no more', act: gitOf('update-index', '--no-assume-unchanged', path) },
  {
    weight: 2,
    name: 'cacheinfo',
    act: ({ repo }, prng) => {
      const blob = repo.gitWithInput(content(), 'hash-object', '-w', '--stdin').stdout.toString().trim();
      repo.tryGit('update-index', '--add', '--cacheinfo', `100644,${blob},${path(prng)}`);
    },
  },
  {
    weight: 2,
    name: 'add -p',
    act: ({ repo }, prng) =>
      void repo.gitWithInput(prng.pick(['y\n', 'a\n', 'n\ny\n']), 'add', '-p', prng.pick(['.', 'a'])),
  },
  { weight: 1, name: 'sparse', act: gitOf('sparse-checkout', 'set', '--cone', () => 'a', directory) },
  { weight: 1, name: 'sparse no more', act: gitOf('sparse-checkout', 'disable') },
  { weight: 2, name: 'split', act: gitOf('update-index', '--split-index') },
  { weight: 2, name: 'split no more', act: gitOf('update-index', '--no-split-index') },
  { weight: 4, name: 'diff', act: gitOf('diff', '--quiet') },
  { weight: 2, name: 'status without', act: gitOf('-c', 'core.fsmonitor=false', 'status') },
  { weight: 2, name: 'status without both', act: gitOf(...withoutCaches, 'status') },
  { weight: 2, name: 'status of a part', act: gitOf('status', other) },
  {
    weight: 2,
    name: 'another index',
    act: ({ repo, sandbox }) => {
      const env = { ...sandbox.env, GIT_INDEX_FILE: '.git/other' };
      for (const args of [['read-tree', 'HEAD'], ['status'], ['add', '-A']])
        run('git', args, { cwd: repo.root, env });
    },
  },
  {
    weight: 2,
    name: 'a config',
    act: gitOf('config', 'core.fileMode', (prng) => prng.pick(['true', 'false'])),
  },
  { weight: 3, name: 'killed', act: (world, prng) => endServer(world, prng, 'killed') },
  { weight: 1, name: 'ended', act: (world, prng) => endServer(world, prng, 'asked') },
  {
    weight: 8,
    name: 'served',
    act: async (world) => {
      if (!world.isServed) await world.start();
    },
  },
  {
    weight: 3,
    name: 'overflowed',
    act: (world, prng) => {
      const some = (): void => editSome(world, prng);
      if (world.isServed) world.overflow(some, some);
    },
  },
  {
    weight: 1,
    name: 'stopped',
    act: (world, prng) => {
      // git waits without a timeout for the listener on that socket.
      if (world.way === 'socket') return;
      world.signal('SIGSTOP');
      plain((repo) => repo.write(path(prng), content()))(world, prng);
      world.repo.tryGit('status');
      world.signal('SIGCONT');
    },
  },
];

/** Runs one seed. Fails with the list of all actions if git with our monitor differs. */
export async function soak(seed: number, count: number, way: Way = 'hook'): Promise<void> {
  const prng = new Prng(seed);
  const world = await World.make(way);
  try {
    for (let i = 0; i < 12; i++) plain((repo) => repo.write(path(prng), content()))(world, prng);
    world.repo.commit();
    world.repo.git('branch', 'side');
    for (let i = 0; i < count; i++) {
      const operation = prng.weighted(operations);
      const burst = prng.chance(20) ? 4 : 1;
      for (let n = 0; n < burst; n++) await operation.act(world, prng);
      world.done.push(`${i}: ${operation.name}`);
      if (prng.chance(85))
        world.check(...(prng.chance(10) ? ['-uall'] : prng.chance(10) ? ['--ignored'] : []));
    }
    world.check();
  } catch (error) {
    throw new Error(`seed ${seed}: ${String(error)}\n${world.sandbox.replayScript()}`, { cause: error });
  } finally {
    world.remove();
  }
}
