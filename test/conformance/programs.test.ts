/** Programs of native/testing that the suite itself needs. */
import { strict as assert } from 'node:assert';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Command, runBatch } from '../support/batch';
import { run, TimeoutError } from '../support/run';
import type { Sandbox } from '../support/sandbox';
import { withSandbox } from './case';

/**
 * A shell that is started each time, and a shell that is forked (native/testing/fork_servers.h), because it
 * is named like git.
 */
for (const way of ['started', 'forked']) {
  let folder = '';
  let sh = 'sh';
  const oneIsForked = (): void => {
    if (way === 'started') return;
    folder = mkdtempSync(join(tmpdir(), 'rg-forked-'));
    sh = join(folder, 'git');
    copyFileSync(realpathSync('/bin/sh'), sh);
    chmodSync(sh, 0o755);
    // A program that is seldom started is not forked.
    for (let i = 0; i < 3; i++) run(sh, ['-c', 'true'], { cwd: '/', env: {} });
  };
  const noneIs = (): void => {
    if (way === 'forked') rmSync(folder, { recursive: true });
  };

  describe(`a program that is ${way}`, () => {
    before(oneIsForked);
    after(noneIs);
    const options = { cwd: '/usr', env: { PATH: '/bin', GIVEN: 'once', NONE: undefined } };
    const shell = (script: string, ...words: string[]) => run(sh, ['-c', script, 'sh', ...words], options);

    it('is what the test is about', () => {
      const parent = String(shell('readlink /proc/$PPID/exe').stdout).trim();
      assert.equal(parent === sh, way === 'forked', parent);
    });

    it('has its words, directory, variables and input, and no others', () => {
      const script = 'printf "%s|" "$@"; pwd; env | grep -v -e ^PWD= -e ^_= -e SHLVL | sort; cat; exit 3';
      const input = Buffer.from('a\0\xff', 'latin1');
      const words = ['-c', script, 'sh', '', "it's\n", '\u00e4'];
      const { code, stdout, stderr } = run(sh, words, { ...options, input });
      const said = Buffer.concat([Buffer.from("|it's\n|\u00e4|/usr\nGIVEN=once\nPATH=/bin\n"), input]);
      assert.deepEqual([code, stdout, String(stderr)], [3, said, '']);
    });

    it('has no files but three, and a process group of its own', () => {
      const open = 'for i in 0 1 2 3 4 5 6 7 8 9; do [ -e /proc/$$/fd/$i ] && printf $i; done; echo';
      const script = `${open}; cut -d " " -f 5 /proc/$$/stat; echo $$`;
      const [files, group, process] = String(shell(script).stdout).split('\n');
      assert.deepEqual([files, group], ['012', process]);
    });

    it('shows its words and variables to others', () => {
      const show =
        'tr "\\0" "|" </proc/$$/cmdline; tr "\\0" "|" </proc/$$/environ; cut -d " " -f 2 /proc/$$/stat';
      const [words, variables, name] = String(shell(show.replaceAll('; ', '; echo; '), 'a', '').stdout).split(
        '\n',
      );
      assert.equal(words?.slice(0, 6 + sh.length), `${sh}|-c|tr`);
      assert.ok(words.endsWith('|sh|a||'), words);
      assert.deepEqual([variables, name], ['PATH=/bin|GIVEN=once|', `(${basename(sh)})`]);
    });

    it('has as many words and as long ones as the kernel takes', () => {
      for (const [count, length] of [
        [10_000, 3],
        [3, 100_000],
      ] as const) {
        const words = Array.from({ length: count }, () => 'x'.repeat(length));
        const said = String(shell('echo $# ${#1}', ...words).stdout);
        assert.equal(said, `${count} ${length}\n`);
      }
    });

    it('says more than a pipe holds, to both', () => {
      const { stdout, stderr } = shell('yes | head -c 300000; yes no | head -c 200001 >&2');
      assert.deepEqual([stdout.length, stderr.length], [300_000, 200_001]);
      assert.equal(stderr.subarray(0, 3).toString(), 'no\n');
    });

    it('ends by a signal as a shell has it', () => {
      assert.equal(shell('kill -9 $$').code, 137);
    });

    it('is killed with all that it started when its time is over', async () => {
      const late = { ...options, timeoutMs: 300 };
      let pid = '';
      await withSandbox((sandbox) => {
        const file = sandbox.path('pid');
        const script = `sleep 60 & echo $! >'${file}'; wait`;
        assert.throws(() => run(sh, ['-c', script], late), TimeoutError);
        pid = readFileSync(file, 'utf8').trim();
      });
      // A killed process ends when the kernel schedules it, possibly after kill() returned.
      const state = () => shell(`cat /proc/${pid}/stat`).stdout.toString().split(' ')[2] ?? 'Z';
      for (const end = Date.now() + 20_000; state() !== 'Z' && Date.now() < end;) await setTimeout(10);
      assert.equal(state(), 'Z', 'the state of what it started');
    });

    it('that cannot be started is named with the reason', () => {
      assert.throws(() => run('nothing-of-that-name', [], options), /nothing-of-that-name .*No such file/);
      assert.throws(() => run(sh, [], { ...options, cwd: '/not/there' }), /in \/not\/there: No such file/);
      assert.equal(shell('true').code, 0, 'the next one is');
    });

    const itWhereForked = way === 'forked' ? it : (): void => undefined;
    itWhereForked('is another where another file is written to its place', () => {
      const other = join(folder, 'other');
      copyFileSync(realpathSync('/bin/cat'), other);
      chmodSync(other, 0o755);
      renameSync(other, sh);
      for (let i = 0; i < 5; i++) {
        const input = Buffer.from('said');
        assert.equal(String(run(sh, [], { ...options, input }).stdout), 'said');
      }
    });
  });

  describe(`a batch of what is ${way}`, () => {
    before(oneIsForked);
    after(noneIs);
    const env = { PATH: '/usr/bin:/bin', GIVEN: 'once' };
    const shell = (script: string, cwd = '/'): Command => ({ words: [path(), '-c', script], cwd });
    const path = (): string => (way === 'forked' ? sh : '/bin/sh');

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
      const words = [path(), '-c', script, 'sh', '', "it's", '\xff\n'];
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
        (error) => error instanceof TimeoutError && error.message.endsWith(`: ${path()} -c sleep 60 (in /)`),
      );
      assert.deepEqual(runBatch([[shell('exit 4')]], { env })[0]?.[0]?.code, 4, 'the next one is run');
    });
  });
}

describe('the spy', () => {
  /** Asks through the spy, in one batch. Returns the runs of git behind it, and each result. */
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
