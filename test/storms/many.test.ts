/**
 * A thousand real repositories in one helper. They are opened, closed and changed in random order, and the
 * helper is killed meanwhile. At the end the view must equal git's answer, and scarce resources must be
 * shared.
 */
import { strict as assert } from 'node:assert';
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { addonPath } from '../addon/realAddon';
import { HelperProcess, installHelper, removeHelper } from '../addon/helperProcess';
import { Prng } from '../conformance/random/prng';
import type { StatusEntry } from '../../extension/protocol';
import { requests } from '../../extension/protocol';
import { repositoryCopies, trackedFile } from '../support/copies';
import { residentBinary } from '../support/binary';
import { descriptorsOf } from '../support/gauges';
import type { Repository } from '../support/repository';
import { run } from '../support/run';
import { memoryDirectory, Sandbox } from '../support/sandbox';
import { size } from './storm';

const worktrees = size(120, 1000);
const files = 50;
/** Total of steps, four for each worktree; some are changes by git. */
const steps = 4 * worktrees;
const kills = 3;
const kPatienceMs = 120_000;
/** STORM_SEED repeats a run. */
const seed = Number(process.env.STORM_SEED ?? 1);

/** An entry as a line of `git status --porcelain=v2 -z`, without modes and ids, which entries do not have. */
function lineOf(entry: StatusEntry): string {
  if (entry.kind === 'untracked') return `? ${entry.path}`;
  if (entry.kind === 'unmerged') return `u ${entry.conflict} ${entry.submodule ?? 'N...'} ${entry.path}`;
  const letters = `${entry.index}${entry.worktree} ${entry.submodule ?? 'N...'}`;
  return entry.from === undefined
    ? `1 ${letters} ${entry.path}`
    : `2 ${letters} R${entry.score} ${entry.path} ${entry.from}`;
}

/** Converts git's answer to the same lines. */
function linesOf(answer: string): string[] {
  const lines: string[] = [];
  const records = answer.split('\0').slice(0, -1);
  for (let i = 0; i < records.length; i++) {
    const [kind = '', letters = '', submodule = '', ...rest] = (records[i] ?? '').split(' ');
    if (kind === '?') lines.push(records[i] ?? '');
    else if (kind === '2') {
      lines.push(`2 ${letters} ${submodule} ${rest[5]} ${rest.slice(6).join(' ')} ${records[++i]}`);
    } else lines.push(`${kind} ${letters} ${submodule} ${rest.slice(kind === 'u' ? 7 : 5).join(' ')}`);
  }
  return lines.sort();
}

/** Makes a random change: a file, a directory, the index, HEAD, or ignore rules. */
function change(repo: Repository, random: Prng): void {
  const file = trackedFile(random.below(files));
  const name = `d${random.below(6)}/new${random.below(4)}`;
  const has = repo.exists(file);
  switch (random.below(12)) {
    case 0:
      if (has) repo.remove(file);
      return;
    case 1:
      repo.writeAtomically(file, `${random.below(100)}\n`);
      return;
    case 2:
      repo.write(name, 'new\n');
      return;
    case 3:
      if (repo.exists(name)) repo.remove(name);
      return;
    case 4:
      if (has) repo.rename(file, `d${random.below(8)}/moved${random.below(4)}`);
      return;
    case 5:
      repo.write('.gitignore', random.below(2) === 0 ? 'new*\n' : '*1\n');
      return;
    case 6:
      repo.tryGit('add', '-A');
      return;
    case 7:
      repo.tryGit('commit', '-q', '--allow-empty', '-a', '-m', 'storm');
      return;
    case 8:
      repo.tryGit('reset', '-q', random.below(2) === 0 ? '--hard' : '--mixed', 'HEAD');
      return;
    default:
      repo.append(file, 'x\n');
  }
}

describe('Storms: many', function () {
  let folder: string;
  let sandbox: Sandbox;
  let helper: HelperProcess;
  /** Number of wrong base versions, over all helpers. */
  let gaps = 0;

  before(() => {
    folder = installHelper(addonPath());
    sandbox = new Sandbox(memoryDirectory());
  });
  after(async () => {
    if (helper.child.exitCode === null && helper.child.signalCode === null) helper.kill();
    await helper.exited;
    removeHelper(folder);
    sandbox.remove();
  });

  const askOf = (root: string, program: string, ...options: string[]): string => {
    const args = ['status', ...options, '--porcelain=v2', '-z', '-uall'];
    const { code, stdout, stderr } = run(program, args, {
      cwd: root,
      env: sandbox.questionEnv({ spy: false }),
    });
    assert.equal(code, 0, `${program} in ${root}: ${stderr.toString('utf8')}`);
    return stdout.toString('utf8');
  };
  const pid = (): number => helper.child.pid ?? 0;
  const isRight = (root: string): boolean => helper.view(root).state?.state === 'watching';

  it(`${worktrees} repositories are opened, changed and closed while the helper is killed, seed ${seed}`, async () => {
    const random = new Prng(seed);
    const repositories = repositoryCopies(sandbox, worktrees, files);
    const open = new Set<Repository>();
    /** Running opens and closes. The next helper repeats those that a killed helper lost. */
    let pending: Promise<unknown>[] = [];
    const ask = (step: Promise<unknown>): void => void pending.push(step.catch(() => undefined));
    const start = async (): Promise<void> => {
      helper = await HelperProcess.start(folder, sandbox.env);
      for (const { root } of open) ask(helper.open(root));
    };
    await start();
    const idle = {
      threads: readdirSync(`/proc/${pid()}/task`).length,
      descriptors: descriptorsOf(pid()).length,
    };

    const killAt = new Set(
      Array.from({ length: kills }, (_, i) => Math.floor(((i + 0.7) * steps) / (kills + 1))),
    );
    for (let step = 0; step < steps; step++) {
      const repository = repositories[random.below(worktrees)];
      assert.ok(repository);
      const die = random.below(8);
      if (die < 3) change(repository, random);
      else if (die < 6 || !open.has(repository)) {
        open.add(repository);
        ask(helper.open(repository.root));
      } else {
        open.delete(repository);
        ask(helper.request(requests.close, { root: repository.root }));
      }
      if (killAt.has(step)) {
        gaps += helper.gaps;
        helper.kill();
        await helper.exited;
        pending = [];
        await start();
      }
      // Lets other work run now and then.
      if (random.below(10) === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all(pending);
    for (const repository of repositories) {
      if (open.has(repository)) continue;
      open.add(repository);
      ask(helper.open(repository.root));
    }
    await Promise.all(pending);
    // One more change in each: the test waits for all of them.
    for (const repository of repositories) repository.write('last', 'x');

    const expected = new Map<string, string[]>();
    for (const { root } of repositories) expected.set(root, linesOf(askOf(root, 'git')));
    const shown = (root: string): string[] => [...helper.view(root).entries.values()].map(lineOf).sort();
    const differs = (root: string): boolean =>
      !isRight(root) || shown(root).join('\n') !== expected.get(root)?.join('\n');
    const left = repositories.map(({ root }) => root);
    const timer = setTimeout(() => {
      const root = left.at(-1) ?? '';
      assert.deepEqual(
        shown(root),
        expected.get(root),
        `${root} is ${JSON.stringify(helper.view(root).state)}`,
      );
    }, kPatienceMs);
    await helper.until(() => {
      while (left.length > 0 && !differs(left.at(-1) ?? '')) left.pop();
      return left.length === 0;
    });
    clearTimeout(timer);
    for (const { root } of repositories) {
      assert.deepEqual(shown(root), expected.get(root), root);
      // Byte for byte through the socket of the same process: with modes and ids.
      const [ours, theirs] = [askOf(root, residentBinary(), '--source=resident'), askOf(root, 'git')];
      assert.equal(ours, theirs, root);
    }
    assert.equal(gaps + helper.gaps, 0, 'versions followed each other without a gap');

    const targets = descriptorsOf(pid());
    const instances = targets.filter((target) => target === 'anon_inode:inotify').length;
    assert.ok(instances <= 2, `${instances} inotify instances: one of ours, and one of node's`);
    const threads = readdirSync(`/proc/${pid()}/task`).length;
    assert.ok(
      // The workers, and one thread each for inotify, mounts, sockets and git.
      threads <= idle.threads + availableParallelism() + 4,
      `${threads} threads, ${idle.threads} before`,
    );
    const each = (targets.length - idle.descriptors - 20) / worktrees;
    assert.ok(each <= 2, `${each} descriptors for each worktree`);

    await Promise.all(repositories.map(({ root }) => helper.request(requests.close, { root })));
    const rest = descriptorsOf(pid()).length;
    assert.ok(
      rest <= idle.descriptors + 20,
      `${rest} descriptors after all were closed, ${idle.descriptors} before`,
    );
    await helper.stop();
  });
});
