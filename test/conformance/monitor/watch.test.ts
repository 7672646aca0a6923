/** `git-resident watch --json`: the status first, then each step, a line of JSON each. */
import { strict as assert } from 'node:assert';
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { residentBinary } from '../../support/binary';
import { Repository } from '../../support/repository';
import { memoryDirectory, Sandbox } from '../../support/sandbox';

interface Line {
  base: number;
  version: number;
  more: boolean;
  state?: string;
  branch?: { name: string; oid: string | null };
  changed?: { path: unknown; xy: string }[];
  untracked?: unknown[];
  removed?: unknown[];
  removedUntracked?: unknown[];
}

describe('git-resident watch --json', () => {
  let sandbox: Sandbox;
  let repo: Repository;
  let child: ChildProcess;
  let lines: AsyncIterator<string>;

  /** The next line for which `wanted` holds. */
  async function next(wanted: (line: Line) => boolean): Promise<Line> {
    for (;;) {
      const { value, done } = (await lines.next()) as IteratorResult<string, undefined>;
      assert.ok(!done, 'it ended');
      const line = JSON.parse(value) as Line;
      if (wanted(line)) return line;
    }
  }

  beforeEach(() => {
    sandbox = new Sandbox(memoryDirectory());
    repo = Repository.init(sandbox, 'work');
    repo.write('a', 'a\n');
    repo.commit();
    repo.write('a', 'changed\n');
    repo.write('untracked', '');
    child = spawn(residentBinary(), ['watch', '--json', repo.root], {
      env: sandbox.env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    assert.ok(child.stdout);
    lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  });
  afterEach(() => {
    child.kill('SIGKILL');
    sandbox.remove();
  });

  it('tells everything again from where a repository moved to, and then what changes', async () => {
    await next((line) => line.untracked !== undefined);
    repo.git('init', '-q', '--separate-git-dir', sandbox.path('moved.git'));
    const again = await next(({ base, untracked }) => base === 0 && untracked !== undefined);
    assert.deepEqual(again.changed, [{ path: 'a', xy: '.M' }]);
    assert.equal(again.branch?.name, 'main');
    repo.write('new', '');
    assert.deepEqual((await next((line) => line.untracked !== undefined)).untracked, ['new']);
    repo.git('add', 'new');
    const { changed, state } = await next((line) => line.changed !== undefined);
    assert.deepEqual(changed, [{ path: 'new', xy: 'A.' }]);
    assert.notEqual(state, 'delegated');
  });

  it('tells the status, then what changes, with every path', async () => {
    const first = await next((line) => line.changed !== undefined);
    assert.deepEqual(first.changed, [{ path: 'a', xy: '.M' }]);
    assert.deepEqual(first.untracked, ['untracked']);
    assert.equal(first.branch?.name, 'main');
    repo.write('new "one"\n', '');
    repo.write('\xff', '');
    const found: unknown[] = [];
    while (found.length < 2) {
      const line = await next(({ untracked }) => untracked !== undefined);
      assert.equal(line.version, line.base + 1);
      found.push(...(line.untracked ?? []));
    }
    assert.deepEqual(
      new Set(found.map((path) => JSON.stringify(path))),
      new Set(['"new \\"one\\"\\n"', '{"base64":"/w=="}']),
    );
    repo.git('checkout', '-q', '--', 'a');
    assert.deepEqual((await next(({ removed }) => removed !== undefined)).removed, ['a']);
  });

  it('ends when it is asked to, and when the worktree goes', async () => {
    await next((line) => line.changed !== undefined);
    const ended = new Promise<[number | null, NodeJS.Signals | null]>((resolve) =>
      child.once('exit', (code, signal) => resolve([code, signal])),
    );
    repo.destroy();
    const last = await next(({ state }) => state === 'gone');
    assert.equal(last.base, 0);
    assert.deepEqual(await ended, [0, null]);
  });
});
