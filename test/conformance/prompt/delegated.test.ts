/** Prompts in a worktree for which git answers: all fields from git's commands. */
import { strict as assert } from 'node:assert';
import { residentBinary } from '../../support/binary';
import { fromBuffer } from '../../support/bytes';
import { atLeast } from '../../support/oracle';
import { Repository } from '../../support/repository';
import { run } from '../../support/run';
import { withSandbox } from '../case';
import { Subject } from '../subject';
import { everything, makeConflict, promptCase, startPrompt } from './case';
import { expectedPrompt } from './oracle';

/** Settings that prevent the model from answering. The first does not change git's answer. */
const reasons: Record<string, (repo: Repository) => void> = {
  'attr.tree': (repo) => repo.config('attr.tree', 'HEAD'),
  grafts: (repo) =>
    repo.write(
      '.git/info/grafts',
      `${fromBuffer(repo.ask('rev-parse', 'HEAD').stdout).trim()} ${fromBuffer(repo.ask('rev-parse', 'v1^{commit}').stdout).trim()}\n`,
    ),
  'a submodule with entries below it': (repo) => {
    const commit = fromBuffer(repo.ask('rev-parse', 'HEAD').stdout).trim();
    const blob = fromBuffer(repo.ask('rev-parse', 'HEAD:f').stdout).trim();
    const entries = `160000 ${commit}\tsub\n100644 ${blob}\tsub/f\n`;
    repo.gitWithInput(entries, 'update-index', '--add', '--index-info');
  },
  'a path that is too long for the index': (repo) => {
    const blob = fromBuffer(repo.ask('rev-parse', 'HEAD:f').stdout).trim();
    repo.gitWithInput(`100644 ${blob}\t${'n'.repeat(4096)}\n`, 'update-index', '--add', '--index-info');
  },
  'a ref that replaces nothing': (repo) => repo.git('update-ref', 'refs/replace/no-id', 'HEAD'),
};

/** Some commits, tags, a remote with two branches, and no clean file. */
function furnish(repo: Repository): void {
  repo.write('f', 'one\n');
  repo.write('d/g', 'one\n');
  repo.git('add', '.');
  repo.commit('one\n\nmore');
  repo.git('tag', '-a', '-m', 'x', 'v1');
  for (const content of ['two\n', 'three\n', 'four\n']) {
    repo.write('f', content);
    repo.git('commit', '-q', '-a', '-m', content);
  }
  repo.git('init', '-q', '--bare', '../origin');
  repo.git('remote', 'add', 'origin', '../origin');
  repo.git('push', '-q', 'origin', 'HEAD~1:refs/heads/trunk', 'HEAD~2:refs/heads/main');
  repo.git('branch', '-q', '--set-upstream-to=origin/trunk');
  repo.config('remote.pushDefault', 'origin');
  repo.write('f', 'changed\n');
  repo.git('stash', '-q');
  repo.write('f', 'changed again\n');
  repo.write('new', 'new\n');
}

describe('a prompt, where git answers for the whole worktree', function () {
  this.timeout(240_000);

  for (const [title, leave] of Object.entries(reasons)) {
    promptCase(
      title,
      async ({ repo, check }) => {
        furnish(repo);
        leave(repo);
        await check({
          branch: 'main',
          upstream: 'trunk',
          pushRemote: 'origin',
          stashes: '1',
          untracked: '1',
        });
        await check({ untracked: '0', summary: 'four' }, { withoutIndex: true });
        repo.git('tag', '-a', '-m', 'x', 'v2');
        repo.git('update-index', '--assume-unchanged', 'd/g');
        repo.git('add', 'new');
        await check({ tag: 'v2', assumeUnchanged: '1', untracked: '0' });
        repo.git('update-ref', '-d', 'refs/remotes/origin/trunk');
        repo.config('bash.showDirtyState', 'false');
        await check({ upstream: '', pushRemote: 'origin', unstaged: '0' });
        repo.git('checkout', '-q', '--detach');
        await check({ branch: '', pushRemote: '' });
      },
      { leavesToGit: true },
    );
  }

  promptCase(
    'grafts make another history',
    async ({ repo, check }) => {
      furnish(repo);
      await check({ pushAhead: '2' });
      reasons.grafts?.(repo);
      await check({ pushAhead: '1' });
      repo.remove('.git/info/grafts');
      await check({ pushAhead: '2' });
    },
    { leavesToGit: true },
  );

  promptCase(
    'with conflicts, and in the middle of something',
    async ({ repo, check }) => {
      repo.config('attr.tree', 'HEAD');
      await check({ commit: '' });
      makeConflict(repo);
      repo.tryGit('merge', 'topic');
      await check({ action: 'merge', conflicted: '1', unstaged: '0' });
      repo.git('merge', '--abort');
      repo.tryGit('rebase', 'topic');
      await check({ action: 'rebase-i 1/1', branch: '' });
      repo.git('rebase', '--abort');
      repo.tryGit('cherry-pick', 'topic~');
      await check({ action: 'cherry' });
    },
    { leavesToGit: true },
  );

  promptCase(
    'without a commit, where HEAD is another ref of that name',
    async ({ repo, check }) => {
      repo.write('f', 'one\n');
      repo.git('add', 'f');
      repo.commit();
      repo.git('update-ref', 'refs/tags/HEAD', 'HEAD');
      await check({ branch: 'main', tag: 'HEAD' });
      repo.git('symbolic-ref', 'HEAD', 'refs/heads/unborn');
      await check({ branch: 'unborn', staged: '0' });
    },
    { leavesToGit: true },
  );

  if (atLeast(2, 45)) {
    promptCase(
      'of reftables',
      async ({ repo, check }) => {
        furnish(repo);
        repo.config('attr.tree', 'HEAD');
        await check({ stashes: '1', upstream: 'trunk' });
        makeConflict(repo);
        repo.tryGit('revert', 'main~');
        await check({ action: 'revert' });
      },
      { init: ['--ref-format=reftable'], leavesToGit: true },
    );
  }

  it('is a line with --format, and none where nobody is trusted', () =>
    withSandbox(async (sandbox) => {
      const repo = Repository.init(sandbox, 'w');
      furnish(repo);
      repo.config('attr.tree', 'HEAD');
      sandbox.installSpy();
      const print = (...args: string[]): [number, string] => {
        const { code, stdout } = run(residentBinary(), ['prompt', ...args], {
          cwd: repo.root,
          env: sandbox.questionEnv({ spy: true }),
        });
        return [code, fromBuffer(stdout)];
      };
      const format =
        '--format=%(branch) %(ahead) %(push-ahead) %(untracked) %(unstaged) %(nearest-tag) %(tag-distance)';
      const line: [number, string] = [0, 'main 1 2 1 1 v1 3\n'];
      assert.deepEqual(print(format, '--trust'), line);
      assert.equal(print(format)[1], '');
      const keeper = new Subject(sandbox, repo.root);
      const prompt = startPrompt(sandbox, everything, { spy: true });
      try {
        assert.equal(await prompt.ask(repo.root), undefined);
        assert.match(prompt.log, /attr\.tree is set; only git can answer/);
        await keeper.serve();
        assert.deepEqual(print(format), line);
        assert.deepEqual(await prompt.ask(repo.root), expectedPrompt(repo));
      } finally {
        keeper.kill();
        prompt.kill();
      }
    }));
});
