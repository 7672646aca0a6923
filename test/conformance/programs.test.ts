/** The programs of native/testing that the suite itself stands on. */
import { strict as assert } from 'node:assert';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { type Command, runBatch } from '../support/batch';
import { run, TimeoutError } from '../support/run';
import type { Sandbox } from '../support/sandbox';
import { withSandbox } from './case';

const shell = (script: string, cwd = '/', env?: Record<string, string>): Command => ({
  words: ['/bin/sh', '-c', script],
  cwd,
  ...(env ? { env } : {}),
});

describe('a program that is started', () => {
  const options = { cwd: '/usr', env: { PATH: '/bin', GIVEN: 'once', NONE: undefined } };
  const sh = (script: string, ...words: string[]) => run('sh', ['-c', script, 'sh', ...words], options);

  it('has its words, directory, variables and input, and no others', () => {
    const script = 'printf "%s|" "$@"; pwd; env | grep -v -e ^PWD= -e ^_= -e SHLVL | sort; cat; exit 3';
    const input = Buffer.from('a\0\xff', 'latin1');
    const words = ['-c', script, 'sh', '', "it's\n", '\u00e4'];
    const { code, stdout, stderr } = run('sh', words, { ...options, input });
    const said = Buffer.concat([Buffer.from("|it's\n|\u00e4|/usr\nGIVEN=once\nPATH=/bin\n"), input]);
    assert.deepEqual([code, stdout, String(stderr)], [3, said, '']);
  });

  it('says more than a pipe holds, to both', () => {
    const { stdout, stderr } = sh('yes | head -c 300000; yes no | head -c 200001 >&2');
    assert.deepEqual([stdout.length, stderr.length], [300_000, 200_001]);
    assert.equal(stderr.subarray(0, 3).toString(), 'no\n');
  });

  it('ends by a signal as a shell has it', () => {
    assert.equal(sh('kill -9 $$').code, 137);
  });

  it('is killed with all that it started when its time is over', async () => {
    const late = { ...options, timeoutMs: 300 };
    let pid = '';
    await withSandbox((sandbox) => {
      const file = sandbox.path('pid');
      const script = `sleep 60 & echo $! >'${file}'; wait`;
      assert.throws(() => run('sh', ['-c', script], late), TimeoutError);
      pid = readFileSync(file, 'utf8').trim();
    });
    // The kernel ends what is killed when its turn comes, which is after the kill has returned.
    const state = () => sh(`cat /proc/${pid}/stat`).stdout.toString().split(' ')[2] ?? 'Z';
    for (const end = Date.now() + 20_000; state() !== 'Z' && Date.now() < end;) await setTimeout(10);
    assert.equal(state(), 'Z', 'the state of what it started');
  });

  it('that cannot be started is named with the reason', () => {
    assert.throws(() => run('nothing-of-that-name', [], options), /nothing-of-that-name .*No such file/);
    assert.throws(() => run('true', [], { ...options, cwd: '/not/there' }), /in \/not\/there: No such file/);
    assert.equal(sh('true').code, 0, 'the next one is');
  });
});

describe('a batch', () => {
  const env = { PATH: '/usr/bin:/bin', GIVEN: 'once' };

  it('tells outputs and codes in the order of lists and commands', () => {
    const lists = [
      [shell('sleep 0.1; echo first'), shell('echo second; echo said >&2; exit 3')],
      [shell('kill -9 $$')],
      [],
    ];
    const told = runBatch(lists, { env }).map((results) =>
      results.map(({ code, stdout, stderr }) => [code, String(stdout), String(stderr)]),
    );
    assert.deepEqual(told, [
      [
        [0, 'first\n', ''],
        [3, 'second\n', 'said\n'],
      ],
      [[137, '', '']],
      [],
    ]);
  });

  it('passes any bytes, and variables beside its own', () => {
    const script = 'printf "%s|" "$@" "$GIVEN" "$MORE"; cat';
    const words = ['/bin/sh', '-c', script, 'sh', '', "it's", '\xff\n'];
    const [[answer] = []] = runBatch([[{ words, cwd: '/', env: { MORE: 'too' } }]], { env });
    assert.equal(answer?.stdout.toString('latin1'), "|it's|\xff\n|once|too|");
  });

  it('fails in a directory that is gone, and goes on', () => {
    const [[gone, after] = []] = runBatch([[shell('true', '/not/there'), shell('true')]], { env });
    assert.deepEqual([gone?.code, after?.code], [2, 0]);
    assert.match(String(gone?.stderr), /^\/not\/there: /);
  });

  it('names what does not end', () => {
    const lists = [[shell('true'), shell('sleep 60')], [shell('true')]];
    assert.throws(
      () => runBatch(lists, { env, timeoutMs: 500 }),
      (error) => error instanceof TimeoutError && error.message.endsWith(': /bin/sh -c sleep 60 (in /)'),
    );
  });
});

describe('the spy', () => {
  /** Asks through the spy, in one batch; how often the git behind it ran, and what came of each call. */
  async function asked(
    commands: (sandbox: Sandbox) => readonly Command[],
    atRest = true,
  ): Promise<{ calls: number; noted: string[]; said: string[] }> {
    let found = { calls: 0, noted: [] as string[], said: [] as string[] };
    await withSandbox((sandbox) => {
      sandbox.installSpy();
      const git = sandbox.path('git');
      const calls = sandbox.path('calls');
      writeFileSync(calls, '');
      writeFileSync(git, `#!/bin/sh\necho x >>'${calls}'\necho "$*"\necho "$TOLD" >&2\nexit 5\n`, {
        mode: 0o755,
      });
      mkdirSync(sandbox.path('d'));
      const env = { ...sandbox.questionEnv({ spy: true }), RESIDENT_SPY_GIT: git };
      const options = atRest ? { env, keepAnswersIn: sandbox.path('run') } : { env };
      const [results = []] = runBatch([commands(sandbox)], options);
      found = {
        calls: readFileSync(calls, 'latin1').length / 2,
        noted: readFileSync(sandbox.spyLog, 'latin1').split('\n').slice(0, -1),
        said: results.map(({ code, stdout, stderr }) => `${code} ${String(stdout)}${String(stderr)}`),
      };
    });
    return found;
  }

  const git = (sandbox: Sandbox, words: string[], more: Partial<Command> = {}): Command => ({
    words: [sandbox.path('bin/git'), ...words],
    cwd: sandbox.root,
    ...more,
  });

  it('asks git once for what does not change, and notes every call', async () => {
    const words = ['config', '--list', '-z'];
    const { calls, noted, said } = await asked((sandbox) => [git(sandbox, words), git(sandbox, words)]);
    assert.equal(calls, 1);
    assert.deepEqual(noted, ['config --list -z', 'config --list -z']);
    assert.deepEqual(said, ['5 config --list -z\n\n', '5 config --list -z\n\n']);
  });

  it('asks again in another directory, environment or words', async () => {
    const { calls, said } = await asked((sandbox) => [
      git(sandbox, ['rev-parse', 'HEAD']),
      git(sandbox, ['rev-parse', 'HEAD'], { cwd: sandbox.path('d') }),
      git(sandbox, ['rev-parse', 'HEAD'], { env: { TOLD: 'else' } }),
      git(sandbox, ['rev-parse', 'main']),
    ]);
    assert.equal(calls, 4);
    assert.equal(said[2], '5 rev-parse HEAD\nelse\n');
  });

  it('asks git each time for a status, for what may change something, and while anything may change', async () => {
    for (const words of [['status'], ['config', 'a.b', 'c'], ['hash-object', '--stdin']]) {
      const { calls } = await asked((sandbox) => [git(sandbox, words), git(sandbox, words)]);
      assert.equal(calls, 2, words.join(' '));
    }
    const busy = await asked((sandbox) => [git(sandbox, ['rev-parse']), git(sandbox, ['rev-parse'])], false);
    assert.equal(busy.calls, 2);
  });
});
