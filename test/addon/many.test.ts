/** Many worktrees in one helper: scarce resources are shared, and a hanging worktree blocks no other. */
import { strict as assert } from 'node:assert';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { requests } from '../../extension/protocol';
import { repositoryCopies } from '../support/copies';
import { descriptorsOf } from '../support/gauges';
import { Repository } from '../support/repository';
import { Sandbox } from '../support/sandbox';
import { HelperProcess, installHelper, removeHelper } from './helperProcess';
import { addonPath } from './realAddon';

/** RESIDENT_WORKTREES=1000 is the size of a large checkout of many repositories. */
const kWorktrees = Number(process.env.RESIDENT_WORKTREES ?? 150);
const kFiles = 50;
/** A user has 128 inotify instances. We use one; node uses another for all its watches. */
const kInstances = 2;

describe('many worktrees', () => {
  let folder: string;
  let sandbox: Sandbox;
  let helper: HelperProcess;

  before(() => {
    folder = installHelper(addonPath());
  });
  after(() => {
    removeHelper(folder);
  });
  beforeEach(async () => {
    sandbox = new Sandbox();
    helper = await HelperProcess.start(folder, sandbox.env);
  });
  afterEach(async () => {
    if (helper.child.exitCode === null && helper.child.signalCode === null) await helper.stop();
    sandbox.remove();
  });

  const pid = (): number => helper.child.pid ?? 0;
  const threads = (): number => readdirSync(`/proc/${pid()}/task`).length;
  const instances = (): number =>
    descriptorsOf(pid()).filter((target) => target === 'anon_inode:inotify').length;
  const isWatching = (root: string): boolean =>
    helper.changes.some((change) => change.root === root && change.state?.state === 'watching');

  it('are kept by one inotify instance, one pool of workers and two descriptors each', async () => {
    const roots = repositoryCopies(sandbox, kWorktrees, kFiles).map(({ root }) => root);
    const before = { threads: threads(), descriptors: descriptorsOf(pid()).length };
    await Promise.all(roots.map((root) => helper.open(root)));
    await helper.until(() => roots.every(isWatching));
    assert.ok(instances() <= kInstances, `${instances()} inotify instances`);
    // The workers, and one thread each for inotify, mounts, sockets and git.
    const limit = before.threads + availableParallelism() + 4;
    await until(() => threads() <= limit);
    const perWorktree = (descriptorsOf(pid()).length - before.descriptors - 20) / kWorktrees;
    assert.ok(perWorktree <= 2, `${perWorktree} descriptors for each worktree`);

    for (const [i, root] of roots.entries())
      new Repository(sandbox, root).append(`d1/f${1 + 5 * (i % 9)}`, 'x');
    await helper.until(() => roots.every((root) => helper.view(root).lines.length === 1));
    for (const [i, root] of roots.entries()) {
      assert.deepEqual(helper.view(root).lines, [`.M d1/f${1 + 5 * (i % 9)}`]);
    }
    // Closing a worktree takes no resource from the others.
    const [kept = '', ...closed] = roots;
    await Promise.all(closed.map((root) => helper.request(requests.close, { root })));
    new Repository(sandbox, kept).write('new', '');
    await helper.until(() => helper.view(kept).lines.length === 2);
    assert.equal(helper.view(kept).gaps, 0);
  });

  it('cost two calls of git each, one for all, and none while they change', async () => {
    const count = 20;
    sandbox.installSpy();
    const spied = await HelperProcess.start(folder, sandbox.questionEnv({ spy: true }));
    const roots = repositoryCopies(sandbox, count, kFiles).map(({ root }) => root);
    const calls = (): string[] => readFileSync(sandbox.spyLog, 'utf8').split('\n').filter(Boolean);
    const before = calls().length;
    await Promise.all(roots.map((root) => spied.open(root)));
    await spied.until(() =>
      roots.every((root) => spied.changes.some((to) => to.root === root && to.state?.state === 'watching')),
    );
    const opening = calls().slice(before);
    const of = (word: string): number => opening.filter((call) => call.split(/[ \t]/).includes(word)).length;
    assert.deepEqual(
      { find: of('rev-parse'), config: of('config'), all: opening.length - of('version') },
      { find: count, config: count, all: 2 * count },
    );
    assert.ok(of('version') <= 1, `${of('version')} times the version`);

    for (const root of roots) new Repository(sandbox, root).append('d1/f1', 'x');
    await spied.until(() => roots.every((root) => spied.view(root).lines.length === 1));
    assert.deepEqual(calls().slice(before + opening.length), []);
    await spied.stop();
  });

  it('are all asked at once, however few workers there are', async () => {
    // More than the workers that may wait at the same time (executor.cc).
    const count = availableParallelism() + 70;
    const roots = repositoryCopies(sandbox, count, kFiles).map(({ root }) => root);
    await Promise.all(roots.map((root) => helper.open(root)));
    // These questions arrive during the first scans.
    const answers = await Promise.all(
      roots.map((root) => helper.request(requests.ignored, { root, paths: ['d1/f1'] })),
    );
    assert.deepEqual(
      answers.map(({ ignored }) => ignored),
      roots.map(() => [false]),
    );
  });

  it('go on while filters of others hang, and so does the end', async () => {
    const hanging = Array.from({ length: availableParallelism() + 4 }, (_, i) => {
      const repo = Repository.init(sandbox, `hanging${i}`);
      repo.write('.gitattributes', 'f filter=hang\n');
      repo.write('f', '1');
      repo.commit();
      const mark = sandbox.path(`filter${i}`);
      // The filter ignores SIGTERM, too.
      const filter = `echo $$ >${mark}.new; mv ${mark}.new ${mark}; trap "" TERM; while :; do sleep 1000; done`;
      repo.git('config', 'filter.hang.clean', filter);
      repo.write('f', '2');
      return { root: repo.root, mark };
    });
    await Promise.all(hanging.map(({ root }) => helper.open(root)));
    await until(() => hanging.every(({ mark }) => existsSync(mark)));

    const sound = Repository.init(sandbox, 'sound');
    sound.write('new', '');
    await helper.open(sound.root);
    await helper.until(() => helper.view(sound.root).lines.join() === '?? new');
    const [first] = hanging;
    assert.ok(first);
    await helper.request(requests.close, { root: first.root });
    sound.write('newer', '');
    await helper.until(() => helper.view(sound.root).lines.length === 2);

    // stop() fails after 5 seconds.
    await helper.stop();
    for (const { mark } of hanging) await ended(Number(readFileSync(mark, 'utf8')));
  });
});

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}

function ended(process: number): Promise<void> {
  const isRunning = (): boolean =>
    existsSync(`/proc/${process}`) && !readFileSync(`/proc/${process}/stat`, 'latin1').includes(') Z ');
  return until(() => !isRunning());
}
