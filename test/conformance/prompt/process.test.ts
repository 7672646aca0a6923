/** The process of a prompt: its options, its requests, its resources and its end. */
import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { residentBinary } from '../../support/binary';
import { PromptProcess } from '../../support/promptProcess';
import { watchedInodes } from '../../support/gauges';
import { Repository } from '../../support/repository';
import { run } from '../../support/run';
import type { Sandbox } from '../../support/sandbox';
import { withSandbox } from '../case';
import { everything, startPrompt } from './case';

describe('the process of a prompt', function () {
  this.timeout(120_000);

  async function withPrompt(
    args: readonly string[],
    body: (prompt: PromptProcess, repo: Repository, sandbox: Sandbox) => Promise<void>,
  ): Promise<void> {
    await withSandbox(async (sandbox) => {
      const repo = Repository.init(sandbox, 'w');
      const prompt = startPrompt(sandbox, args);
      try {
        await body(prompt, repo, sandbox);
      } finally {
        prompt.kill();
      }
    });
  }

  it('cuts what it tells as its options say', () =>
    withPrompt(['-s2', '-u', '1', '--max-num-untracked=0', '-c0', '-z', '6'], async (prompt, repo) => {
      for (const name of ['a', 'b', 'c', 'd', 'e']) repo.write(name, 'x\n');
      repo.git('add', '.');
      repo.gitWithInput('0123 \xe2\x82\xac', 'commit', '-q', '-F', '-');
      repo.git('rm', '-q', 'a', 'b', 'c');
      repo.write('d', 'y\n');
      repo.remove('e');
      repo.write('f', 'y\n');
      const told = await prompt.ask(repo.root);
      assert.deepEqual(
        [told?.staged, told?.stagedDeleted, told?.unstaged, told?.untracked, told?.summary],
        ['2', '2', '1', '0', '0123 '],
      );
    }));

  it('tells neither unstaged nor untracked files of an index that is larger than -m', () =>
    withPrompt(['-m', '1', '-s-1', '-u-1', '-d-1'], async (prompt, repo) => {
      repo.write('a', 'a\n');
      repo.git('add', 'a');
      repo.write('a', 'b\n');
      repo.write('b', 'b\n');
      const small = await prompt.ask(repo.root);
      assert.deepEqual([small?.staged, small?.unstaged, small?.untracked], ['1', '1', '1']);
      repo.git('add', 'b');
      repo.write('b', 'c\n');
      const large = await prompt.ask(repo.root);
      assert.deepEqual([large?.staged, large?.unstaged, large?.untracked], ['2', '0', '0']);
    }));

  it('answers the hello, any version, and directories without a repository', () =>
    withPrompt(['-G', 'v0.0.1-*'], async (prompt, repo, sandbox) => {
      prompt.send('}hello\x1f\x1e');
      assert.equal(await prompt.record(), '}hello\x1f0');
      assert.equal(await prompt.ask(sandbox.root), undefined);
      assert.equal(await prompt.ask(`${sandbox.root}/gone`), undefined);
      assert.equal(prompt.log, '');
      mkdirSync(join(repo.root, 'sub/dir'), { recursive: true });
      assert.equal((await prompt.ask(`${repo.root}/sub/dir`))?.worktree, repo.root);
      assert.equal(await prompt.end(), 0);
    }));

  it('answers requests that are none, and goes on', () =>
    withPrompt([], async (prompt, repo) => {
      prompt.send(`id\x1f${repo.root}\x1f2\x1e`);
      assert.equal(await prompt.record(), 'id\x1f0');
      prompt.send(`nothing\x1e\x1e`);
      prompt.send(`long\x1f/${'x'.repeat(1 << 21)}\x1e`);
      assert.equal(await prompt.record(), 'long\x1f0');
      prompt.send(`\xff\x00\x01\n\x1f\xfe\x00\x1e`);
      assert.equal(await prompt.record(), '\xff???\x1f0');
      prompt.send('\x1b]0;x\x07\x1f/\x1e');
      assert.equal(await prompt.record(), '?]0;x?\x1f0');
      assert.equal((await prompt.ask(repo.root))?.branch, 'main');
      prompt.send('an id without an end');
      assert.equal(await prompt.end(), 0);
      for (const what of ['neither 0 nor 1', 'without a directory', 'too long', 'NUL']) {
        assert.ok(prompt.log.includes(what), `${what}: ${prompt.log}`);
      }
    }));

  it('takes git directories, and no worktree of the environment', () =>
    withSandbox(async (sandbox) => {
      const repo = Repository.init(sandbox, 'w');
      repo.commit();
      const other = Repository.init(sandbox, 'other');
      repo.git('worktree', 'add', '-q', '-b', 'side', '../linked');
      repo.git('init', '-q', '--bare', '../bare');
      const prompt = new PromptProcess(everything, {
        env: { ...sandbox.questionEnv({ spy: false }), GIT_DIR: join(other.root, '.git') },
        cwd: '/',
        logPath: sandbox.path('prompt.log'),
      });
      try {
        assert.equal((await prompt.ask(repo.root))?.worktree, repo.root);
        assert.equal((await prompt.ask(`:${repo.root}/.git`))?.branch, 'main');
        const linked = await prompt.ask(`:${repo.root}/.git/worktrees/linked`);
        assert.deepEqual([linked?.branch, linked?.worktree], ['side', sandbox.path('linked')]);
        assert.equal((await prompt.ask(sandbox.path('linked')))?.branch, 'side');
        assert.equal(await prompt.ask(`:${sandbox.path('bare')}`), undefined);
        assert.equal(await prompt.ask(`:${sandbox.root}`), undefined);
        assert.equal(await prompt.ask(sandbox.path('bare')), undefined);
        assert.equal(await prompt.end(), 0);
      } finally {
        prompt.kill();
      }
    }));

  it('runs no program that the repository names', () =>
    withPrompt(everything, async (prompt, repo, sandbox) => {
      repo.write('.gitattributes', '* filter=evil\n');
      repo.write('a', 'a\n');
      repo.git('add', '.');
      repo.commit();
      const evil = `touch ${sandbox.path('was-run')}; cat`;
      for (const name of ['filter.evil.clean', 'core.fsmonitor']) repo.git('config', name, evil);
      repo.write('a', 'b\n');
      await prompt.ask(repo.root);
      assert.equal(run('ls', [sandbox.path('was-run')], { cwd: '/', env: {} }).code, 2, 'it was run');
    }));

  it('watches no more than its budget, and answers nevertheless', () =>
    withPrompt(['--watch-budget=4', '-u-1', '-d-1'], async (prompt, repo, sandbox) => {
      const small = Repository.init(sandbox, 'small');
      for (let i = 0; i < 8; i++) repo.write(`d${i}/f`, 'f\n');
      repo.git('add', '.');
      const watches = (): number => watchedInodes(prompt.pid).length;
      assert.equal((await prompt.ask(small.root))?.untracked, '0');
      const kept = watches();
      assert.ok(kept > 0, 'nothing is watched');
      for (let i = 0; i < 3; i++) {
        repo.write(`d${i}/f`, 'changed\n');
        assert.equal((await prompt.ask(repo.root))?.unstaged, String(i + 1));
      }
      small.write('new', 'new\n');
      assert.equal((await prompt.ask(small.root))?.untracked, '1');
      assert.ok(watches() <= kept + 4, `${watches()} watches, ${kept} before`);
    }));

  it('gives back what nobody asked about for -r seconds', () =>
    withPrompt(['-r', '2', '-d-1'], async (prompt, repo) => {
      assert.equal((await prompt.ask(repo.root))?.untracked, '0');
      assert.ok(watchedInodes(prompt.pid).length > 0, 'nothing is watched');
      const end = Date.now() + 20_000;
      while (watchedInodes(prompt.pid).length > 0 && Date.now() < end)
        await new Promise((next) => setTimeout(next, 50));
      assert.equal(watchedInodes(prompt.pid).length, 0);
      repo.write('new', 'new\n');
      assert.equal((await prompt.ask(repo.root))?.untracked, '1');
    }));

  it('ends with its parent, and with the lock of its shell', () =>
    withSandbox(async (sandbox) => {
      const parent = spawn('sleep', ['600']);
      const prompt = startPrompt(sandbox, ['-p', String(parent.pid)]);
      const lockFile = sandbox.path('lock');
      writeFileSync(lockFile, '');
      const locked = spawn(
        'sh',
        ['-c', `exec 9<>"$1"; exec "$2" prompt -l 9`, 'sh', lockFile, residentBinary()],
        { env: sandbox.questionEnv({ spy: false }), stdio: ['pipe', 'pipe', 'inherit'] },
      );
      const lockedEnd = new Promise((resolve) => locked.once('exit', resolve));
      try {
        prompt.send('}hello\x1f\x1e');
        await prompt.record();
        parent.kill('SIGKILL');
        assert.equal(await prompt.end(true), 0);
        // Nobody locks that file.
        assert.equal(await lockedEnd, 0);
      } finally {
        parent.kill('SIGKILL');
        locked.kill('SIGKILL');
        prompt.kill();
      }
    }));
});
