/** What prompts are told, field by field beside git's own commands. */
import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Bytes, fromBuffer } from '../support/bytes';
import { residentBinary } from '../support/binary';
import { atLeast } from '../support/oracle';
import { type PromptFields, PromptProcess } from '../support/promptProcess';
import { Repository } from '../support/repository';
import { run } from '../support/run';
import type { Sandbox } from '../support/sandbox';
import { withSandbox } from './case';
import { expectedPrompt, type PromptModes } from './promptOracle';
import { runPromptSeed } from './promptRandom';
import { Subject } from './subject';

const everything = ['-s', '-1', '-u', '-1', '-c', '-1', '-d', '-1', '-z', '-1'];

function startPrompt(sandbox: Sandbox, args: readonly string[] = everything): PromptProcess {
  return new PromptProcess(args, {
    env: sandbox.questionEnv({ spy: false }),
    cwd: '/',
    logPath: sandbox.path('prompt.log'),
  });
}

interface Context {
  sandbox: Sandbox;
  repo: Repository;
  /** Compares what a model of the prompt's own says, and what the process that keeps the worktree says, with git. */
  check(wanted?: Partial<PromptFields>, modes?: PromptModes): Promise<void>;
}

function promptCase(
  title: string,
  body: (context: Context) => Promise<void>,
  options: { init?: string[]; args?: string[] } = {},
): void {
  it(title, async () => {
    await withSandbox(async (sandbox) => {
      const repo = Repository.init(sandbox, 'w', ...(options.init ?? []));
      const prompt = startPrompt(sandbox, [...everything, ...(options.args ?? [])]);
      const keeper = new Subject(sandbox, repo.root);
      const alone = startPrompt(sandbox, [...everything, ...(options.args ?? [])]);
      try {
        await body({
          sandbox,
          repo,
          check: async (wanted = {}, modes = {}) => {
            const flag = modes.withoutIndex ? '1' : '0';
            const expected = expectedPrompt(repo, modes);
            assert.ok(expected, 'git says nothing');
            assert.deepEqual({ ...expected, ...wanted }, expected, 'the case does not reach its state');
            assert.deepEqual(await prompt.ask(repo.root, flag), expected, `its own model: ${prompt.log}`);
            await keeper.serve();
            assert.deepEqual(await alone.ask(repo.root, flag), expected, `the keeper: ${alone.log}`);
            await keeper.stop();
          },
        });
        assert.equal(await prompt.end(), 0);
        assert.equal(await alone.end(), 0);
      } finally {
        keeper.kill();
        prompt.kill();
        alone.kill();
      }
    });
  });
}

/** Two branches that changed the same line, and are each some commits away from their parent. */
function makeConflict(repo: Repository): void {
  const commit = (content: Bytes, message: string): void => {
    repo.write('f', content);
    repo.git('add', 'f');
    repo.git('commit', '-q', '-m', message);
  };
  commit('base\n', 'base');
  repo.git('checkout', '-q', '-b', 'topic');
  commit('topic\n', 'topic 1');
  commit('topic 2\n', 'topic 2');
  repo.git('checkout', '-q', 'main');
  commit('main\n', 'main');
}

describe('a prompt', function () {
  this.timeout(120_000);

  promptCase('of a new repository', async ({ repo, check }) => {
    await check({ commit: '', branch: 'main', indexSize: '0' });
    repo.write('a', 'a\n');
    repo.git('add', 'a');
    repo.write('d/b', 'b\n');
    repo.write('d/c', 'c\n');
    await check({ staged: '1', stagedNew: '1', untracked: '1' });
    repo.git('commit', '-q', '-m', 'one\ntwo\n\nthree');
    await check({ summary: 'one two', staged: '0' });
  });

  promptCase('counts what was changed', async ({ repo, check }) => {
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) repo.write(name, `${name}\n`.repeat(20));
    repo.git('add', '.');
    repo.commit();
    repo.write('a', 'other\n');
    repo.remove('b');
    repo.git('rm', '-q', 'c');
    repo.git('mv', 'd', 'moved');
    repo.write('new', 'new\n');
    repo.git('add', 'new');
    repo.write('intended', 'x\n');
    repo.git('add', '-N', 'intended');
    repo.symlink('a', 'link');
    await check({
      staged: '4',
      stagedNew: '2',
      stagedDeleted: '2',
      unstaged: '3',
      unstagedDeleted: '1',
      untracked: '1',
    });
    await check({ staged: '0', unstaged: '0', untracked: '0', indexSize: '0' }, { withoutIndex: true });
    repo.git('update-index', '--assume-unchanged', 'a');
    repo.git('update-index', '--skip-worktree', 'e', 'f');
    await check({ assumeUnchanged: '1', skipWorktree: '2', unstaged: '2' });
  });

  promptCase('knows upstream, push remote and stashes', async ({ sandbox, repo, check }) => {
    repo.write('f', 'one\n');
    repo.git('add', 'f');
    repo.commit();
    for (const name of ['up', 'mine']) {
      repo.git('init', '-q', '--bare', sandbox.path(name));
      repo.git('remote', 'add', name, sandbox.path(name));
      repo.git('push', '-q', name, 'main');
    }
    repo.git('push', '-q', 'up', 'main:trunk');
    await check({ upstream: '', remote: '' });
    repo.git('branch', '-q', '--set-upstream-to=up/trunk');
    repo.git('config', 'url.https://example.com/.insteadOf', sandbox.root);
    await check({ upstream: 'trunk', remote: 'up', remoteUrl: 'https://example.com//up', ahead: '0' });
    repo.git('commit', '-q', '--allow-empty', '-m', 'two');
    repo.git('config', 'remote.pushDefault', 'mine');
    await check({ ahead: '1', behind: '0', pushRemote: 'mine', pushAhead: '1', pushBehind: '0' });
    repo.git('config', '--unset', 'url.https://example.com/.insteadOf');
    repo.git('push', '-q', 'mine', 'main');
    repo.git('commit', '-q', '--amend', '-m', 'two again', '--allow-empty');
    await check({ ahead: '1', pushAhead: '1', pushBehind: '1' });
    repo.git('config', 'branch.main.pushRemote', 'up');
    await check({ pushRemote: 'up', pushAhead: '1', pushBehind: '0' });
    for (const content of ['two\n', 'three\n']) {
      repo.write('f', content);
      repo.git('stash', '-q');
    }
    await check({ stashes: '2' });
    repo.git('stash', 'drop', '-q', 'stash@{1}');
    await check({ stashes: '1' });
    repo.git('update-ref', '-d', 'refs/remotes/up/trunk');
    await check({ upstream: '', remote: '', ahead: '0' });
    repo.git('checkout', '-q', '-b', 'local', '--track', 'main');
    await check({ branch: 'local', upstream: 'main', remote: '.', remoteUrl: '' });
    repo.git('checkout', '-q', '--detach');
    await check({ branch: '', remote: '', pushRemote: '' });
  });

  promptCase('follows tags', async ({ repo, check }) => {
    repo.commit();
    await check({ tag: '' });
    repo.git('tag', 'v1');
    const described = fromBuffer(repo.ask('describe', '--tags', '--exact-match').stdout).trim();
    await check({ tag: described });
    repo.git('tag', '-a', '-m', 'x', 'release/1.0');
    await check({ tag: 'v1' });
    repo.git('tag', '-d', 'v1');
    await check({ tag: 'release/1.0' });
    repo.git('tag', 'release/2.0');
    await check({ tag: 'release/2.0' });
    repo.git('pack-refs', '--all');
    await check({ tag: 'release/2.0' });
    repo.git('tag', 'release/3.0');
    repo.git('tag', 'tree', 'HEAD^{tree}');
    await check({ tag: 'release/3.0' });
    repo.git('commit', '-q', '--allow-empty', '-m', 'two');
    await check({ tag: '' });
    repo.git('tag', '-f', 'release/3.0');
    await check({ tag: 'release/3.0' });
  });

  promptCase('names what git is in the middle of', async ({ repo, check }) => {
    makeConflict(repo);
    repo.tryGit('merge', 'topic');
    await check({ action: 'merge', conflicted: '1' });
    repo.git('merge', '--abort');
    await check({ action: '', conflicted: '0' });
    repo.tryGit('cherry-pick', 'topic~');
    await check({ action: 'cherry', conflicted: '1' });
    repo.git('cherry-pick', '--abort');
    repo.tryGit('cherry-pick', 'topic~', 'topic');
    await check({ action: 'cherry-seq' });
    repo.git('cherry-pick', '--abort');
    repo.tryGit('revert', '--no-edit', 'main~');
    await check({ action: 'revert' });
    repo.git('revert', '--abort');
    repo.tryGit('revert', '--no-edit', 'main~', 'main');
    repo.tryGit('revert', '--abort');
    await check({ action: '' });
    repo.git('checkout', '-q', 'topic');
    repo.tryGit('rebase', '--merge', 'main');
    await check({ branch: '', action: atLeast(2, 26) ? expectedRebase(repo) : 'rebase-m 1/2' });
    repo.git('rebase', '--abort');
    repo.tryGit('rebase', '--apply', 'main');
    await check({ action: 'rebase 1/2' });
    repo.git('rebase', '--abort');
    await check({ branch: 'topic', action: '' });
    const patch = fromBuffer(repo.ask('format-patch', '--stdout', '-1', 'main').stdout);
    repo.write('../patch', patch);
    repo.tryGit('am', '../patch');
    await check({ action: 'am 1/1' });
    repo.git('am', '--abort');
    repo.git('bisect', 'start');
    await check({ action: 'bisect' });
    repo.git('bisect', 'reset');
    await check({ action: '' });
  });

  promptCase('tells the encoding of a commit, and its summary as it is', async ({ repo, check }) => {
    repo.config('i18n.commitEncoding', 'ISO-8859-1');
    repo.gitWithInput('caf\xe9 \x1b[31m\n', 'commit', '-q', '--allow-empty', '-F', '-');
    await check({ encoding: 'ISO-8859-1', summary: 'caf\xe9 ?[31m' });
    repo.git('config', '--unset', 'i18n.commitEncoding');
    repo.gitWithInput(
      '\n\n  caf\xc3\xa9  \n\ttwo\nthree\n\nfour\n',
      'commit',
      '-q',
      '--allow-empty',
      '-F',
      '-',
    );
    await check({ encoding: '', summary: '  caf\xc3\xa9 ?two three' });
  });

  for (const [cone, title] of [
    [true, 'a sparse index'],
    [false, 'a sparse checkout without cones'],
  ] as const) {
    if (!atLeast(2, 37)) continue;
    promptCase(`counts all of ${title}, with a worktree's own config`, async ({ repo, check }) => {
      for (const name of ['a/1', 'a/b/2', 'c/3', 'c/d/4', 'c/d/5', 'top']) repo.write(name, `${name}\n`);
      repo.git('add', '.');
      repo.commit();
      repo.git('config', 'extensions.worktreeConfig', 'true');
      const how = cone ? ['--cone', '--sparse-index'] : ['--no-cone'];
      repo.git('sparse-checkout', 'set', ...how, 'a');
      const skipped = cone ? '3' : '4';
      await check({ indexSize: '6', skipWorktree: skipped, unstaged: '0' });
      repo.write('a/1', 'changed\n');
      await check({ unstaged: '1' });
      repo.git('config', '--worktree', 'bash.showDirtyState', 'false');
      await check({ unstaged: '0' });
    });
  }

  if (atLeast(2, 29)) {
    promptCase(
      'in a repository of SHA-256',
      async ({ repo, check }) => {
        repo.write('a', 'a\n');
        repo.git('add', 'a');
        repo.commit();
        repo.git('tag', '-a', '-m', 'x', 'v1');
        await check({ tag: 'v1', branch: 'main' });
      },
      { init: ['--object-format=sha256'] },
    );
  }
  if (atLeast(2, 45)) {
    promptCase(
      'in a repository whose refs are reftables',
      async ({ repo, check }) => {
        repo.write('a', 'a\n');
        repo.git('add', 'a');
        repo.commit();
        await check({ tag: '', stashes: '0' });
        repo.git('tag', 'a/v1');
        await check({ tag: 'a/v1' });
        repo.write('a', 'b\n');
        repo.git('stash', '-q');
        await check({ stashes: '1' });
        makeConflict(repo);
        repo.tryGit('cherry-pick', 'topic~');
        await check({ action: 'cherry' });
      },
      { init: ['--ref-format=reftable'] },
    );
  }

  promptCase('counts a submodule by the rules of git', async ({ sandbox, repo, check }) => {
    const library = Repository.init(sandbox, 'library');
    library.write('f', 'f\n');
    library.git('add', 'f');
    library.commit();
    repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', '../library', 'sub');
    repo.commit();
    await check({ unstaged: '0' });
    repo.write('sub/f', 'changed\n');
    await check({ unstaged: '1' });
    repo.git('config', 'submodule.sub.ignore', 'dirty');
    await check({ unstaged: '0' });
    repo.at('sub').git('commit', '-q', '-a', '-m', 'two');
    await check({ unstaged: '1' });
  });

  for (const [setting, option] of [
    ['status.showUntrackedFiles', '-U'],
    ['bash.showUntrackedFiles', '-W'],
    ['bash.showDirtyState', '-D'],
  ] as const) {
    const prepare = (repo: Repository): void => {
      repo.write('a', 'a\n');
      repo.git('add', 'a');
      repo.commit();
      repo.write('a', 'b\n');
      repo.write('b', 'b\n');
    };
    const what = option === '-D' ? 'unstaged' : 'untracked';
    promptCase(`heeds ${setting}`, async ({ repo, check }) => {
      prepare(repo);
      await check({ unstaged: '1', untracked: '1' });
      repo.git('config', setting, 'no');
      await check({ [what]: '0' });
    });
    promptCase(
      `counts with ${option} what ${setting} hides`,
      async ({ repo, check }) => {
        prepare(repo);
        repo.git('config', setting, 'no');
        await check({ [what]: '1' }, { ignoresSettings: true });
      },
      { args: [option] },
    );
  }

  promptCase(
    'counts files in untracked directories with -e',
    async ({ repo, check }) => {
      for (const name of ['d/a', 'd/b', 'e/f/c']) repo.write(name, 'x\n');
      await check({ untracked: '3' }, { recursesUntracked: true });
    },
    { args: ['-e'] },
  );
});

function expectedRebase(repo: Repository): string {
  return repo.exists('.git/rebase-merge/interactive') ? 'rebase-i 1/2' : 'rebase-m 1/2';
}

/** The inotify watches of all its descriptors. */
function watchesOf(prompt: PromptProcess): number {
  const folder = `/proc/${prompt.pid}/fdinfo`;
  return readdirSync(folder)
    .map((fd) => readFileSync(join(folder, fd), 'latin1').split('\n'))
    .flat()
    .filter((line) => line.startsWith('inotify ')).length;
}

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
      const watches = (): number => watchesOf(prompt);
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
      assert.ok(watchesOf(prompt) > 0, 'nothing is watched');
      const end = Date.now() + 20_000;
      while (watchesOf(prompt) > 0 && Date.now() < end) await new Promise((next) => setTimeout(next, 50));
      assert.equal(watchesOf(prompt), 0);
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

  it('prints a format, and says nothing where there is no repository', () =>
    withSandbox((sandbox) => {
      const repo = Repository.init(sandbox, 'w');
      repo.commit();
      repo.write('f', 'f\n');
      const print = (cwd: string, ...args: string[]): [number, string] => {
        const { code, stdout } = run(residentBinary(), ['prompt', ...args], {
          cwd,
          env: sandbox.questionEnv({ spy: false }),
        });
        return [code, fromBuffer(stdout)];
      };
      assert.deepEqual(print(repo.root, '--format'), [0, 'main ?1\n']);
      assert.deepEqual(print('/', '--format=%(branch)', repo.root), [0, 'main\n']);
      repo.git('checkout', '-q', '-b', 'a%b#c');
      assert.deepEqual(print(repo.root, '--format=%(head)', '--escape=zsh'), [0, 'a%%b#c\n']);
      assert.deepEqual(print(repo.root, '--format=%(head)', '--escape=tmux'), [0, 'a%b##c\n']);
      assert.deepEqual(print(sandbox.root, '--format'), [1, '']);
      assert.equal(print(repo.root, '--format=%(nothing)')[0], 10);
    }));

  it('prints what git describe prints, of a keeper and without one', () =>
    withSandbox(async (sandbox) => {
      const repo = Repository.init(sandbox, 'w');
      const keeper = new Subject(sandbox, repo.root);
      const format = '--format=%(describe)|%(describe-tags)|%(nearest-tag)|%(tag-distance)';
      const check = (when: string): void => {
        const git = (...args: string[]): string => {
          const { code, stdout } = repo.ask('describe', ...args);
          return code === 0 ? fromBuffer(stdout).trimEnd() : '';
        };
        const [, tag = '', distance = '0'] = /^(.*)-([0-9]+)-g/.exec(git('--tags', '--long')) ?? [];
        const { stdout } = run(residentBinary(), ['prompt', format], {
          cwd: repo.root,
          env: sandbox.questionEnv({ spy: false }),
        });
        assert.equal(fromBuffer(stdout), `${git()}|${git('--tags')}|${tag}|${distance}\n`, when);
      };
      try {
        for (const kept of [false, true]) {
          if (kept) await keeper.serve();
          const when = kept ? 'kept' : 'not kept';
          check(`nothing new, ${when}`);
          repo.commit();
          check(`a commit, ${when}`);
          repo.git('tag', '-a', '-m', 'x', `heavy-${when.replace(' ', '')}`);
          repo.commit();
          check(`an annotated tag, ${when}`);
          repo.git('tag', `light-${when.replace(' ', '')}`, 'HEAD');
          check(`a lightweight tag, ${when}`);
          repo.git('config', 'core.abbrev', '12');
          repo.commit();
          check(`core.abbrev, ${when}`);
        }
        await keeper.stop();
      } finally {
        keeper.kill();
      }
    }));
});

describe('a prompt in random repositories', function () {
  this.timeout(600_000);
  this.slow(120_000);
  const seeds = Number(process.env.CONFORMANCE_PROMPT_SEEDS ?? 12);

  it(`seeds 1 to ${seeds}`, async () => {
    let [compared, unanswered] = [0, 0];
    for (let seed = 1; seed <= seeds; seed++) {
      const result = await runPromptSeed(seed, 15);
      compared += result.compared;
      unanswered += result.unanswered;
    }
    assert.ok(compared > 4 * unanswered, `${compared} answers were compared, ${unanswered} were none`);
  });
});
