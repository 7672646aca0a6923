/** The worktree or its repository goes away and comes back. */
import { strict as assert } from 'node:assert';
import * as fs from 'node:fs';
import { Repository } from '../support/repository';
import { furnish, storm, withSandboxOnDisk, withServer } from './storm';

describe('Storms: places', () => {
  storm(
    'a worktree is deleted and made again',
    async ({ repo, server }) => {
      repo.destroy();
      await server.tells(/^== failed: .*the worktree was removed$/);
      await server.stop();
      const again = Repository.init(repo.sandbox, 'w');
      furnish(again);
      again.write('a/x/2', 'other');
      await withServer(again, ({ check }) => {
        check();
        again.write('a/x/deep/3', 'other');
        check();
      });
    },
    { serverEnds: true },
  );

  storm('the .git directory is deleted and made again', async ({ repo, server, check }) => {
    const from = server.told;
    repo.remove('.git');
    await server.tells(/^== failed/, from);
    repo.write('a/x/2', 'meanwhile');
    repo.git('init', '-q');
    repo.write('a/x/deep/new', 'meanwhile');
    check();
    repo.commit();
    check();
    repo.write('a/x/deep/3', 'watched');
    check();
    // Another repository replaces it at once.
    fs.cpSync(`${repo.root}/.git`, repo.sandbox.path('copy'), { recursive: true });
    repo.rename('.git', '../old');
    repo.rename('../copy', '.git');
    check();
    repo.git('add', '-A');
    check();
  });

  it('the git directory of a linked worktree is removed', async () => {
    await withSandboxOnDisk(async (sandbox) => {
      const main = Repository.init(sandbox, 'w');
      furnish(main);
      main.git('worktree', 'add', '-q', '../linked');
      const linked = new Repository(sandbox, sandbox.path('linked'));
      await withServer(linked, async ({ server, check }) => {
        linked.write('a/x/2', 'other');
        check();
        const from = server.told;
        main.remove('.git/worktrees/linked');
        await server.tells(/^== failed/, from);
        check();
        assert.ok(server.running);
        linked.write('b/x/2', 'meanwhile');
        check();
      });
    });
  });
});
