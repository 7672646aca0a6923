/** `git-resident prompt --format`: a line for a prompt, and the end of it. */
import { strict as assert } from 'node:assert';
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
