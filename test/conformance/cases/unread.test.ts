/**
 * A terminal that nobody reads: neither the model nor its clients wait, and a later read shows the current
 * state.
 */
import { strict as assert } from 'node:assert';
import { type ChildProcess, spawn } from 'node:child_process';
import { residentBinary } from '../../support/binary';
import { Repository } from '../../support/repository';
import { run } from '../../support/run';
import { memoryDirectory, Sandbox } from '../../support/sandbox';

/** Far more than a pipe holds. */
const kFiles = 1200;

describe('git-resident watch that nobody reads', function () {
  this.timeout(120_000);
  let sandbox: Sandbox;
  let repo: Repository;
  let child: ChildProcess;

  beforeEach(async () => {
    sandbox = new Sandbox(memoryDirectory());
    repo = Repository.init(sandbox, 'w');
    repo.write('tracked', 'tracked\n');
    repo.commit();
    child = spawn(residentBinary(), ['watch', repo.root], {
      env: sandbox.env,
      cwd: sandbox.root,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child.stdout?.setEncoding('utf8');
    await new Promise<void>((resolve) => {
      child.stdout?.on('data', (text: string) => {
        if (text.includes('== watching')) resolve();
      });
    });
    child.stdout?.pause().removeAllListeners('data');
  });
  afterEach(() => {
    child.kill('SIGKILL');
    sandbox.remove();
  });

  const name = (i: number): string => `${'long-'.repeat(40)}${i}`;

  function storm(): void {
    for (let i = 0; i < kFiles; i++) repo.write(name(i), '');
    assertAnswered();
    for (let i = 0; i < kFiles; i++) repo.remove(name(i));
    assertAnswered();
  }

  function assertAnswered(): void {
    const options = { cwd: repo.root, env: sandbox.env, timeoutMs: 30_000 };
    const ours = run(residentBinary(), ['status', '--source=resident', '--porcelain', '-uall'], options);
    assert.deepEqual(ours.stdout, run('git', ['status', '--porcelain', '-uall'], options).stdout);
    assert.equal(ours.code, 0);
  }

  it('keeps the model right, and then says what is true', async () => {
    storm();
    storm();
    repo.write('tracked', 'changed\n');
    repo.write('last', '');
    assertAnswered();
    const rows = new Map<string, string>();
    let lines = 0;
    let rest = '';
    await new Promise<void>((resolve) => {
      child.stdout?.on('data', (text: string) => {
        const split = (rest + text).split('\n');
        rest = split.pop() ?? '';
        lines += split.length;
        for (const line of split) {
          const [, letters = '', path = ''] = /^\S+ (..) (.*)$/.exec(line) ?? [];
          if (letters.trim() === '') rows.delete(path);
          else if (!/[#=!]/.test(letters)) rows.set(path, letters);
          if (rows.has('last') && rows.has('tracked')) resolve();
        }
      });
      child.stdout?.resume();
    });
    assert.deepEqual([...rows].filter(([path]) => !path.startsWith('long-')).sort(), [
      ['last', '??'],
      ['tracked', ' M'],
    ]);
    // Four times as many changes were made.
    assert.ok(lines < 2 * kFiles, `${lines} lines`);
  });

  it('ends when it is asked to, however full its pipe is', async () => {
    storm();
    const ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal)));
    child.kill('SIGTERM');
    assert.equal(await ended, 0);
  });
});
