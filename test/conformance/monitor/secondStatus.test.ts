/** After `git-resident accelerate`, the second `git status` reads only the changes. */
import { strict as assert } from 'node:assert';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { residentBinary } from '../../support/binary';
import { oursListens } from '../../support/daemonSocket';
import { hasDaemon, oracleVersion } from '../../support/oracle';
import { Repository } from '../../support/repository';
import { run } from '../../support/run';
import { memoryDirectory, Sandbox } from '../../support/sandbox';
import { ResidentServer } from '../../support/server';

const directoryCount = 40;
const filesPerDirectory = 20;

/** Counts of one `git status`, by git itself. */
interface Work {
  said: string;
  isToldEverything: boolean;
  names: number;
  lstats: number;
  directoriesRead: number;
}

interface TraceEvent {
  event: string;
  key?: string;
  value?: string;
}

describe(`git ${oracleVersion()} after git-resident accelerate`, function () {
  this.timeout(120_000);
  let sandbox: Sandbox;
  let repo: Repository;
  let server: ResidentServer | undefined;

  beforeEach(() => {
    sandbox = new Sandbox(memoryDirectory());
    repo = Repository.init(sandbox, 'work');
    for (let d = 0; d < directoryCount; d++)
      for (let f = 0; f < filesPerDirectory; f++) repo.write(`d${d}/f${f}`, `${f}\n`);
    repo.commit();
  });
  afterEach(() => {
    server?.kill();
    server = undefined;
    sandbox.remove();
  });

  async function serve(): Promise<void> {
    const logPath = sandbox.path('server.log');
    server = await ResidentServer.start(residentBinary(), repo.root, {
      env: sandbox.env,
      cwd: sandbox.root,
      logPath,
    });
  }

  function accelerate(...options: string[]): { code: number; out: string; err: string } {
    const { code, stdout, stderr } = run(residentBinary(), ['accelerate', ...options], {
      cwd: repo.root,
      env: sandbox.env,
    });
    return { code, out: stdout.toString('utf8'), err: stderr.toString('utf8') };
  }

  function status(): Work {
    const trace = sandbox.path('trace');
    rmSync(trace, { force: true });
    const env = { ...sandbox.env, GIT_TRACE2_EVENT: trace, GIT_TRACE2_EVENT_NESTING: '100' };
    const { stdout } = run('git', ['status', '--porcelain'], { cwd: repo.root, env });
    const lines = readFileSync(trace, 'utf8').trimEnd().split('\n');
    const events = lines.map((line) => JSON.parse(line) as TraceEvent);
    const valuesOf = (wanted: string): number[] =>
      events
        .filter(({ event, key }) => event === 'data' && key?.split('/').slice(-1)[0] === wanted)
        .map(({ value }) => Number(value));
    const sum = (key: string): number => valuesOf(key).reduce((total, value) => total + value, 0);
    const names = valuesOf('apply_count');
    return {
      said: stdout.toString('utf8'),
      isToldEverything: names.length === 0,
      names: sum('apply_count'),
      lstats: sum('sum_lstat'),
      directoriesRead: sum('opendir'),
    };
  }

  function readsOnlyChanges(): void {
    repo.write('d3/f4', 'edited\n');
    repo.write('d5/new', 'new\n');
    const second = status();
    assert.deepEqual(second, {
      said: ' M d3/f4\n?? d5/new\n',
      isToldEverything: false,
      names: 2,
      lstats: 1,
      directoriesRead: second.directoriesRead,
    });
    // The changed directories, and their parent.
    assert.ok(second.directoriesRead <= 3, `${second.directoriesRead} directories read`);
  }

  const ways = [
    ['by the hook', []],
    ...(hasDaemon() ? [['on the socket of its daemon', ['--by-socket']] as const] : []),
  ] as const;
  for (const [way, options] of ways) {
    it(`reads only the changes with the second git status, asked ${way}`, async () => {
      await serve();
      assert.equal(accelerate(...options).code, 0);
      if (options.length > 0) await oursListens(`${repo.root}/.git`);
      const first = status();
      assert.equal(first.said, '');
      assert.ok(first.isToldEverything);
      assert.ok(first.lstats >= directoryCount * filesPerDirectory);
      assert.ok(first.directoriesRead >= directoryCount);
      readsOnlyChanges();
    });

    it(`runs the first git status for the user, asked ${way}`, async () => {
      await serve();
      const { code, out, err } = accelerate('--warm', ...options);
      assert.deepEqual([code, err], [0, '']);
      assert.match(out, /^git status is fast from now on\.$/m);
      readsOnlyChanges();
      assert.ok(!existsSync(`${repo.root}/.git/index.lock`));
    });
  }

  it('runs it twice where the index had an untracked cache', async () => {
    repo.git('-c', 'core.untrackedCache=true', 'status');
    await serve();
    assert.equal(accelerate('--warm').code, 0);
    readsOnlyChanges();
  });

  it('runs it for a repository that was accelerated before', async () => {
    assert.equal(accelerate().code, 0);
    await serve();
    assert.match(accelerate('--warm').out, /nothing to write/);
    readsOnlyChanges();
  });

  it('says what to do where no process keeps the worktree', () => {
    assert.match(
      accelerate().out,
      /^Open .*\/work in VS Code, or run git-resident serve\. Then run git status once\.$/m,
    );
    const { code, err } = accelerate('--warm');
    assert.equal(code, 128);
    assert.match(err, /^fatal: no process keeps the worktree\. Open /);
  });

  it('says where git still reads every file', async () => {
    repo.config('core.ignoreCase', 'true');
    await serve();
    const { code, err } = accelerate('--warm');
    assert.equal(code, 128);
    assert.match(err, /^fatal: git status still reads every file: git got no list of changes for /);
  });
});
