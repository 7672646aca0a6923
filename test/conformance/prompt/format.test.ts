/** `git-resident prompt --format`: prints a line for a prompt, and ends. */
import { strict as assert } from 'node:assert';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { residentBinary } from '../../support/binary';
import { fromBuffer } from '../../support/bytes';
import { Repository } from '../../support/repository';
import { run } from '../../support/run';
import { withSandbox } from '../case';
import { Subject } from '../subject';

describe('the process of a prompt', function () {
  this.timeout(120_000);

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

  it('goes by the environment as git does, whoever keeps the worktree', () =>
    withSandbox(async (sandbox) => {
      const repo = Repository.init(sandbox, 'w');
      repo.commit();
      for (const name of ['f', 'g', 'h']) repo.write(name, name);
      repo.git('add', 'f', 'g');
      copyFileSync(join(repo.root, '.git/index'), sandbox.path('two'));
      repo.git('reset', '-q', '--', 'g');
      const other = Repository.init(sandbox, 'other');
      other.git('checkout', '-q', '-b', 'side');
      const keeper = new Subject(sandbox, repo.root);
      const check = (cwd: string, more: NodeJS.ProcessEnv, expected: string): void => {
        const env = { ...sandbox.questionEnv({ spy: false }), ...more };
        const told = run('git', ['status', '--porcelain', '--branch'], { cwd, env }).stdout;
        const [branch = '', ...rows] = fromBuffer(told).trimEnd().split('\n');
        const staged = rows.filter((row) => row.startsWith('A ')).length;
        const untracked = rows.filter((row) => row.startsWith('??')).length;
        const name = branch.replace('## ', '').replace('No commits yet on ', '');
        const git = `${name} ${staged} ${untracked}\n`;
        assert.equal(git, expected, 'the case does not reach its state');
        const format = '--format=%(branch) %(staged) %(untracked)';
        const { stdout, stderr } = run(residentBinary(), ['prompt', format], { cwd, env });
        assert.equal(fromBuffer(stdout), git, fromBuffer(stderr));
      };
      try {
        for (const kept of [false, true]) {
          if (kept) await keeper.serve();
          check(repo.root, {}, 'main 1 2\n');
          check(repo.root, { GIT_INDEX_FILE: sandbox.path('two') }, 'main 2 1\n');
          const elsewhere = { GIT_DIR: join(repo.root, '.git'), GIT_WORK_TREE: repo.root };
          check(sandbox.root, elsewhere, 'main 1 2\n');
          check(repo.root, { GIT_DIR: join(other.root, '.git') }, 'side 0 3\n');
          const config = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'status.showUntrackedFiles' };
          check(repo.root, { ...config, GIT_CONFIG_VALUE_0: 'no' }, 'main 1 0\n');
        }
        await keeper.stop();
      } finally {
        keeper.kill();
      }
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
