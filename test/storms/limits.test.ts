/** Where there are too few watches, directories are looked at without being told. */
import { strict as assert } from 'node:assert';
import { Repository } from '../support/repository';
import { run } from '../support/run';
import { limitedTo, limitOnWatches } from '../support/limited';
import { furnish, itAsRoot, type LiveServer, needsRoot, withSandboxOnDisk, withServer } from './storm';

function setLimit(server: LiveServer, watches: number): void {
  const enter = ['--user', '--preserve-credentials', '--target', String(server.pid)];
  const set = run('nsenter', [...enter, 'sh', '-c', `echo ${watches} >${limitOnWatches}`], {
    cwd: '/',
    env: process.env,
  });
  assert.equal(set.code, 0, set.stderr.toString('latin1'));
}

describe('Storms: limits', () => {
  itAsRoot(`fewer watches than directories, and then enough ${needsRoot}`, async () => {
    await withSandboxOnDisk(async (sandbox) => {
      const repo = Repository.init(sandbox, 'w');
      furnish(repo);
      await withServer(
        repo,
        async ({ server, check }) => {
          const state = await server.tells(/^== watching .* polling/);
          const needed = Number(/max_user_watches=(\d+)/.exec(state)?.[1]);
          assert.ok(needed >= 16, state);
          for (const path of ['a/x/deep/3', 'b/y/2', 'c/1', 'top']) repo.write(path, 'edited in place');
          check();
          for (const path of ['a/x/deep', 'b/y', 'c/new', '.']) repo.write(`${path}/new`, '1');
          let from = server.told;
          repo.remove('c/y/deep/3');
          await server.tells(/^ D c\/y\/deep\/3$/, from);
          check();
          repo.rename('a/x', 'c/moved');
          check();
          from = server.told;
          setLimit(server, 1000);
          await server.tells(/^== watching \d+ directories$/, from);
          for (const path of ['a/y/deep/3', 'b/x/2', 'c/moved/deep/3']) repo.write(path, 'watched by now');
          repo.write('c/moved/deep/more/new', '1');
          check();
        },
        { before: limitedTo(12) },
      );
    });
  });

  itAsRoot(`no watch at all ${needsRoot}`, async () => {
    await withSandboxOnDisk(async (sandbox) => {
      const repo = Repository.init(sandbox, 'w');
      furnish(repo);
      await withServer(
        repo,
        async ({ server, check }) => {
          repo.write('a/x/deep/3', 'edited');
          repo.write('new', '1');
          check();
          const from = server.told;
          repo.git('add', 'new');
          await server.tells(/^A {2}new$/, from);
          repo.rename('b', 'moved');
          check();
          setLimit(server, 1000);
          await server.tells(/^== watching \d+ directories$/);
          repo.write('moved/x/deep/3', 'watched by now');
          check();
        },
        { before: limitedTo(0) },
      );
    });
  });
});
