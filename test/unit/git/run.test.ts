/** How git is run: in turn, without a terminal, cancellable, and what its failures are called. */
import { strict as assert } from 'node:assert';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { gitEnvironment } from '../../../extension/git/environment';
import { explain, FailureKind } from '../../../extension/git/failures';
import { CancelledError, GitQueue } from '../../../extension/git/GitQueue';
import { lockHolders } from '../../../extension/git/lockHolders';
import { GitCommand, GitResult, runGit } from '../../../extension/git/runGit';
import { Repository } from '../../support/repository';
import { Sandbox } from '../../support/sandbox';

const kForever = new AbortController().signal;

describe('GitQueue', () => {
  it('runs one after the other in a repository, and others meanwhile', async () => {
    const queue = new GitQueue();
    const log: string[] = [];
    const ends: (() => void)[] = [];
    const task = (name: string) => () =>
      new Promise<void>((resolve) => {
        log.push(`+${name}`);
        ends.push(() => {
          log.push(`-${name}`);
          resolve();
        });
      });
    const [first, second, other] = [
      queue.run('r', task('1')),
      queue.run('r', task('2')),
      queue.run('s', task('s')),
    ];
    await new Promise(setImmediate);
    assert.deepEqual(log, ['+1', '+s']);
    assert.ok(queue.isBusy('r') && queue.isBusy('s'));
    ends[0]?.();
    await first;
    await new Promise(setImmediate);
    assert.deepEqual(log, ['+1', '+s', '-1', '+2']);
    for (const end of ends) end();
    await Promise.all([second, other]);
    assert.ok(!queue.isBusy('r') && !queue.isBusy('s'));
  });

  it('goes on after a task that failed', async () => {
    const queue = new GitQueue();
    const failed = queue.run('r', () => Promise.reject(new Error('on purpose')));
    const next = queue.run('r', () => Promise.resolve(2));
    await assert.rejects(failed, /on purpose/);
    assert.equal(await next, 2);
  });

  it('never begins what was cancelled before its turn, and tells what runs', async () => {
    const queue = new GitQueue();
    const began: string[] = [];
    const running = queue.run(
      'r',
      (signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve('ended'))),
    );
    const waiting = queue.run('r', () => {
      began.push('waiting');
      return Promise.resolve();
    });
    await new Promise(setImmediate);
    queue.cancel('other');
    queue.cancel('r');
    assert.equal(await running, 'ended');
    await assert.rejects(waiting, CancelledError);
    assert.deepEqual(began, []);
    assert.ok(!queue.isBusy('r'));
  });

  it('has owners of one key wait for each other, and cancels each alone', async () => {
    const queue = new GitQueue();
    const log: string[] = [];
    const task = (name: string) => async (signal: AbortSignal) => {
      log.push(name);
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    };
    const first = queue.run('common', task('main'), '/main');
    const second = queue.run('common', task('linked'), '/linked');
    await new Promise(setImmediate);
    assert.deepEqual(log, ['main']);
    assert.ok(queue.isBusy('/main') && queue.isBusy('/linked'));
    queue.cancel('/main');
    await first;
    await new Promise(setImmediate);
    assert.deepEqual(log, ['main', 'linked']);
    assert.ok(!queue.isBusy('/main') && queue.isBusy('/linked'));
    queue.cancel('/linked');
    await second;
  });
});

describe('gitEnvironment', () => {
  it('asks nobody at a terminal, and leads to no other repository', () => {
    const env = gitEnvironment({
      GIT_DIR: '/x',
      GIT_INDEX_FILE: '/y',
      LC_ALL: 'de_DE.UTF-8',
      LANGUAGE: 'de',
      PATH: '/bin',
    });
    assert.deepEqual(env, {
      PATH: '/bin',
      LANG: 'de_DE.UTF-8',
      LC_MESSAGES: 'C',
      GIT_TERMINAL_PROMPT: '0',
      GIT_PAGER: 'cat',
      GIT_EDITOR: 'false',
      GIT_SEQUENCE_EDITOR: 'false',
    });
  });

  it("takes what VS Code's own Git adds, and not what would lead it elsewhere", () => {
    const env = gitEnvironment(
      { GIT_ASKPASS: '/mine' },
      { ofBuiltIn: { GIT_ASKPASS: '/askpass.sh', GIT_DIR: '/x' } },
    );
    assert.equal(env.GIT_ASKPASS, '/askpass.sh');
    assert.equal(env.GIT_DIR, undefined);
  });
});

describe('runGit', () => {
  let sandbox: Sandbox;
  let repository: Repository;
  let env: NodeJS.ProcessEnv;

  beforeEach(() => {
    sandbox = new Sandbox();
    repository = Repository.init(sandbox, 'r');
    env = gitEnvironment(sandbox.env);
  });
  afterEach(() => {
    sandbox.remove();
  });

  const git = (command: GitCommand | string[], signal = kForever): Promise<GitResult> => {
    const whole = Array.isArray(command) ? { args: command } : command;
    return runGit({ path: 'git', env }, repository.root, whole, signal);
  };
  function hook(name: string, script: string): void {
    repository.write(`.git/hooks/${name}`, `#!/bin/sh\n${script}\n`);
    chmodSync(repository.absolute(`.git/hooks/${name}`), 0o755);
  }
  async function fails(args: string[], kind: FailureKind, message: RegExp) {
    const result = await git(args);
    assert.notEqual(result.code, 0);
    const failure = explain(args[0] ?? '', result);
    assert.equal(failure.kind, kind, JSON.stringify(failure) + result.stderr.toString());
    assert.match(failure.message, message);
    return failure;
  }

  it('gives input and output as bytes', async () => {
    const input = Buffer.from([0x62, 0xff, 0x00, 0x0a]);
    const { stdout } = await git({ args: ['hash-object', '-w', '--stdin'], input });
    const back = await git(['cat-file', 'blob', stdout.toString().trim()]);
    assert.ok(back.stdout.equals(input));
  });

  it('keeps the end of a long output, and everything where that is asked for', async () => {
    const input = Buffer.alloc(3 << 20, 'x');
    input.write('end', input.length - 3);
    const blob = (await git({ args: ['hash-object', '-w', '--stdin'], input })).stdout.toString().trim();
    const kept = await git(['cat-file', 'blob', blob]);
    assert.equal(kept.stdout.length, 1 << 20);
    assert.ok(kept.stdout.toString().endsWith('end'));
    const all = await git({ args: ['cat-file', 'blob', blob], keepsAll: true });
    assert.ok(all.stdout.equals(input));
  });

  it('has no terminal to ask at', async () => {
    hook('pre-commit', '(: </dev/tty) 2>/dev/null && echo terminal >&2; exit 1');
    const { stderr } = await git(['commit', '-q', '--allow-empty', '-m', 'x']);
    assert.equal(stderr.toString(), '');
  });

  it('ends git and its hook when it is cancelled, and leaves no lock', async () => {
    const pid = `${repository.root}/pid`;
    // A FIFO tells when the hook runs, without a look now and then.
    sandbox.exec('mkfifo', pid);
    hook('pre-commit', `echo $$ >"${pid}"; sleep 60`);
    repository.write('f', 'f\n');
    repository.git('add', 'f');
    const controller = new AbortController();
    const commit = git(['commit', '-q', '-a', '-m', 'x'], controller.signal);
    await (await open(pid, 'r')).close();
    controller.abort();
    const result = await commit;
    assert.ok(result.isCancelled);
    assert.notEqual(result.code, 0);
    assert.equal(repository.exists('.git/index.lock'), false);
    assert.equal((await git(['rev-parse', '--verify', '-q', 'HEAD'])).code, 1, 'nothing was committed');
  });

  it('rejects where there is no such program', async () => {
    const program = { path: '/nowhere/git', env };
    await assert.rejects(runGit(program, repository.root, { args: ['version'] }, kForever), /ENOENT/);
  });

  describe('names', () => {
    it('a lock, and who may hold it', async () => {
      hook('pre-commit', 'read line <"$FIFO"');
      const fifo = sandbox.path('fifo');
      sandbox.exec('mkfifo', fifo);
      env.FIFO = fifo;
      const holding = git(['commit', '-q', '--allow-empty', '-m', 'holding']);
      // Opens once the hook reads.
      const file = await open(fifo, 'w');
      try {
        const holders = await lockHolders([repository.root]);
        assert.ok(
          holders.some(({ command }) => command.includes('commit -q --allow-empty')),
          JSON.stringify(holders),
        );
        assert.deepEqual(await lockHolders([sandbox.path('elsewhere')]), []);
        writeFileSync(repository.absolute('.git/index.lock'), '', { flag: 'a' });
        repository.write('f', 'f\n');
        const { lock } = await fails(['add', 'f'], 'locked', /Another git process has locked .*index\.lock/);
        assert.equal(lock, `${repository.root}/.git/index.lock`);
      } finally {
        await file.close();
        await holding;
      }
    });

    it('a missing identity', async () => {
      writeFileSync(sandbox.path('gitconfig'), '[user]\n\tuseConfigOnly = true\n');
      const failure = await fails(['commit', '-q', '--allow-empty', '-m', 'x'], 'noIdentity', /user\.name/);
      assert.match(failure.command ?? '', /git config --global user\.name/);
    });

    it('a hook that refuses, with what it says', async () => {
      hook('pre-commit', 'echo "lint: 3 problems" >&2; exit 1');
      await fails(
        ['commit', '-q', '--allow-empty', '-m', 'x'],
        'hook',
        /hook refused the commit: lint: 3 problems/,
      );
    });

    it("a hook whose words look like git's own", async () => {
      for (const words of ['error: could not compile `x`', 'fatal: no such tool']) {
        hook('pre-commit', `echo '${words}' >&2; exit 1`);
        const reason = words.replace(/^\w+: /, '');
        await fails(
          ['commit', '-q', '--allow-empty', '-m', 'x'],
          'hook',
          new RegExp(`hook refused.*: ${reason}$`),
        );
      }
    });

    it('a hook that refuses a merge, with what it says', async () => {
      repository.commit();
      repository.git('checkout', '-q', '-b', 'theirs');
      repository.commit();
      repository.git('checkout', '-q', 'main');
      hook('pre-merge-commit', 'echo "lint: 3 problems" >&2; exit 1');
      await fails(
        ['merge', '--no-ff', '--no-edit', 'theirs'],
        'hook',
        /hook refused the commit: lint: 3 problems$/,
      );
    });

    it('an editor that fails, which is no hook', async () => {
      await fails(['commit', '--allow-empty'], 'other', /^There was a problem with the editor/);
    });

    it('a lock on a config, and a branch that is renamed without its settings', async () => {
      repository.commit();
      repository.git('branch', 'old');
      repository.config('branch.old.remote', 'origin');
      writeFileSync(repository.absolute('.git/config.lock'), '');
      const { lock } = await fails(
        ['remote', 'add', 'o', '/x'],
        'locked',
        /has locked \.git\/config\.lock\./,
      );
      assert.equal(lock, '.git/config.lock');
      await fails(
        ['branch', '-m', 'old', 'new'],
        'other',
        /was renamed, but its settings were not: \.git\/config /,
      );
    });

    it('a lock at the remote for no lock of ours', async () => {
      repository.commit();
      const remote = Repository.init(sandbox, 'remote', '--bare');
      repository.git('remote', 'add', 'origin', remote.root);
      mkdirSync(`${remote.root}/refs/heads`, { recursive: true });
      writeFileSync(`${remote.root}/refs/heads/m.lock`, '');
      await fails(
        ['push', 'origin', 'HEAD:refs/heads/m'],
        'refused',
        /remote refused the request: .*cannot lock ref/,
      );
    });

    it('a signature that fails', async () => {
      repository.config('gpg.program', '/bin/false');
      const commit = ['commit', '-q', '--allow-empty', '-S', '-m', 'x'];
      await fails(commit, 'signing', /Signing failed: gpg failed to sign the data\. Check/);
      repository.config('gpg.program', '/nowhere/gpg');
      await fails(
        commit,
        'signing',
        /Signing failed: cannot (run|exec) .*\/nowhere\/gpg'?: No such file or directory\. Check/,
      );
      repository.config('gpg.format', 'ssh');
      repository.config('user.signingKey', '/nowhere/key');
      await fails(
        commit,
        'signing',
        /Signing failed: Couldn't load public key \/nowhere\/key: No such file or directory\./,
      );
      const key = sandbox.path('locked');
      sandbox.exec('ssh-keygen', '-q', '-t', 'ed25519', '-N', 'a passphrase', '-f', key);
      repository.config('user.signingKey', key);
      await fails(commit, 'signing', /Signing failed: Load key .*locked".*passphrase/);
      repository.config('gpg.ssh.program', '/nowhere/ssh-keygen');
      await fails(commit, 'signing', /Signing failed: cannot (run|exec) .*\/nowhere\/ssh-keygen/);
      repository.git('config', '--unset', 'user.signingKey');
      await fails(commit, 'signing', /Signing failed: either user\.signingkey or .* needs to be configured/i);
    });

    it('a repository of another user', async () => {
      env.GIT_TEST_ASSUME_DIFFERENT_OWNER = '1';
      const { command } = await fails(['add', '.'], 'unsafe', /safe\.directory/);
      assert.equal(command, `git config --global --add safe.directory ${repository.root}`);
    });

    it('nothing to commit', async () => {
      repository.commit();
      await fails(['commit', '-m', 'x'], 'nothingToCommit', /nothing to commit/);
      repository.write('f', 'f\n');
      repository.commit();
      repository.git('rm', '-q', '--cached', 'f');
      await fails(['commit', '-q', '--amend', '--no-edit'], 'nothingToCommit', /would have no changes/);
    });

    it('a message that was not written', async () => {
      env.GIT_EDITOR = 'true';
      await fails(['commit', '--allow-empty'], 'noMessage', /Nothing was committed/);
    });

    it('a branch without an upstream, and a push that the remote refuses', async () => {
      repository.commit();
      Repository.init(sandbox, 'remote', '--bare');
      repository.git('remote', 'add', 'origin', '../remote');
      await fails(['push'], 'noUpstream', /no upstream/);
      await git(['push', '-q', '-u', 'origin', 'main']);
      const other = new Repository(sandbox, sandbox.path('other'));
      sandbox.exec('git', 'clone', '-q', 'remote', 'other');
      other.commit();
      other.git('push', '-q');
      repository.commit('another');
      await fails(['push'], 'rejected', /Pull first/);
    });

    it('conflicts, and changes that would be overwritten', async () => {
      repository.write('f', 'base\n');
      repository.commit();
      repository.git('checkout', '-q', '-b', 'theirs');
      repository.write('f', 'theirs\n');
      repository.commit();
      repository.git('checkout', '-q', 'main');
      repository.write('f', 'dirty\n');
      await fails(['checkout', 'theirs'], 'dirty', /Commit, stash or discard/);
      repository.commit();
      await fails(['merge', 'theirs'], 'conflicts', /Resolve them/);
      await fails(['commit', '-m', 'x'], 'conflicts', /Resolve them/);
    });

    it('a remote that asks for a password, with nobody to answer', () => {
      const stderr = Buffer.from(
        "fatal: could not read Username for 'https://x': terminal prompts disabled\n",
      );
      const failure = explain('push', { code: 128, stdout: Buffer.alloc(0), stderr });
      assert.equal(failure.kind, 'authentication');
    });

    it('anything else by its own words', async () => {
      await fails(['restore', 'nowhere'], 'other', /^pathspec 'nowhere' did not match/);
      const silent = explain('gc', { code: 3, stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) });
      assert.equal(silent.message, 'git gc ended with exit code 3.');
    });
  });
});
