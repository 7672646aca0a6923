/**
 * With too few watches, directories are polled. With too few threads, fewer threads do the work, or an error
 * says so.
 */
import { strict as assert } from 'node:assert';
import { chmodSync, copyFileSync } from 'node:fs';
import { residentBinary } from '../support/binary';
import { enoughMarks, limitedTo, limitedToThreads, limitedUser, limitWatchesOf } from '../support/limited';
import { Repository } from '../support/repository';
import { run, type RunResult } from '../support/run';
import type { Sandbox } from '../support/sandbox';
import { ResidentServer, ServerError } from '../support/server';
import { furnish, itAsRoot, needsRoot, type Storm, withSandboxOnDisk, withServer } from './storm';

const status = ['status', '--porcelain=v2', '--branch', '-uall', '--ignored'];
const noThread = /Resource temporarily unavailable/;

/** True for git's answer. False for an allowed error. */
function isRight({ code, stdout, stderr }: RunResult, git: RunResult, which: string): boolean {
  const said = `${which}: exit code ${code}\n${stderr.toString('latin1')}`;
  if (code === 0) {
    assert.equal(stdout.toString('latin1'), git.stdout.toString('latin1'), said);
    return true;
  }
  assert.ok(code <= 128, said);
  return false;
}

/** Prepares a repository, and starts a server with the prefix `before`. */
async function withFurnished(
  before: readonly string[],
  body: (storm: Storm) => Promise<void>,
  prepare?: (repo: Repository) => void,
): Promise<void> {
  await withSandboxOnDisk(async (sandbox) => {
    const repo = Repository.init(sandbox, 'w');
    furnish(repo);
    prepare?.(repo);
    await withServer(repo, body, { before });
  });
}

describe('Storms: limits', () => {
  itAsRoot(`fewer watches than directories, and then enough ${needsRoot}`, () =>
    withFurnished(limitedTo(12), async ({ repo, server, check }) => {
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
      limitWatchesOf(server.pid, 1000);
      await server.tells(/^== watching \d+ directories$/, from);
      for (const path of ['a/y/deep/3', 'b/x/2', 'c/moved/deep/3']) repo.write(path, 'watched by now');
      repo.write('c/moved/deep/more/new', '1');
      check();
    }),
  );

  itAsRoot(`fewer inotify watches than directories, and fanotify ${needsRoot}`, () =>
    withFurnished(limitedTo(5, enoughMarks), async ({ repo, server, check }) => {
      await server.tells(/^== watching \d+ directories$/);
      for (const path of ['a/x/deep/3', 'b/y/2', 'c/1', 'top']) repo.write(path, 'edited in place');
      check();
      for (const path of ['a/x/deep', 'b/y', 'c/new', '.']) repo.write(`${path}/new`, '1');
      check();
      // The server reports these changes without a question.
      let from = server.told;
      repo.remove('c/y/deep/3');
      await server.tells(/^ D c\/y\/deep\/3$/, from);
      repo.rename('a/x', 'c/moved');
      check();
      repo.write('c/moved/deep/more/new', '1');
      check();
      repo.remove('c/moved');
      repo.git('checkout', '--', 'a');
      check();
      from = server.told;
      repo.write('a/x/deep/3', 'edited again');
      await server.tells(/^ M a\/x\/deep\/3$/, from);
      repo.git('add', '-A');
      check();
      assert.ok(!server.hasTold(/polling/));
    }),
  );

  itAsRoot(`a directory that may be read by and by, told by fanotify ${needsRoot}`, () => {
    const asNobody = ['setpriv', '--bounding-set=-dac_override,-dac_read_search'];
    const prepare = (repo: Repository): void => {
      repo.write('a/new/1', '1');
      chmodSync(repo.absolute('a/new'), 0);
    };
    return withFurnished(
      [...limitedTo(0, enoughMarks), ...asNobody],
      async ({ repo, server, check }) => {
        let from = server.told;
        chmodSync(repo.absolute('a/new'), 0o755);
        await server.tells(/^\?\? a\/new\/1$/, from);
        from = server.told;
        chmodSync(repo.absolute('b/x'), 0);
        repo.write('b/x/2', 'edited');
        chmodSync(repo.absolute('b/x'), 0o755);
        await server.tells(/^ M b\/x\/2$/, from);
        check();
      },
      prepare,
    );
  });

  itAsRoot(`no watch at all ${needsRoot}`, () =>
    withFurnished(limitedTo(0), async ({ repo, server, check }) => {
      repo.write('a/x/deep/3', 'edited');
      repo.write('new', '1');
      check();
      const from = server.told;
      repo.git('add', 'new');
      await server.tells(/^A {2}new$/, from);
      repo.rename('b', 'moved');
      check();
      limitWatchesOf(server.pid, 1000);
      await server.tells(/^== watching \d+ directories$/);
      repo.write('moved/x/deep/3', 'watched by now');
      check();
    }),
  );

  itAsRoot(`fewer threads than it would have ${needsRoot}`, async () => {
    await withSandboxOnDisk(async (sandbox: Sandbox) => {
      const repo = Repository.init(sandbox, 'w');
      furnish(repo);
      repo.write('a/x/deep/3', 'edited');
      repo.write('new', '1');
      const binary = sandbox.path('git-resident');
      copyFileSync(residentBinary(), binary);
      chmodSync(binary, 0o755);
      sandbox.exec('chown', '-R', `${limitedUser}:${limitedUser}`, sandbox.root);
      const env = sandbox.questionEnv({ spy: false });
      const ask = (threads: number, words: string[]): RunResult => {
        const [program = '', ...args] = [...limitedToThreads(threads), ...words];
        return run(program, args, { cwd: repo.root, env });
      };
      const enough = 1000;
      const git = ask(enough, ['git', ...status]);
      assert.match(git.stdout.toString('latin1'), /^1 \.M .* a\/x\/deep\/3$/m, git.stderr.toString('latin1'));

      let right = 0;
      let refused = 0;
      for (let threads = 1; threads <= 24; threads++) {
        const which = `${threads} threads`;
        const scanned = ask(threads, [binary, ...status, '--source=scan']);
        if (!isRight(scanned, git, which)) assert.match(scanned.stderr.toString('latin1'), noThread, which);
        const logPath = sandbox.path(`serve-${threads}.log`);
        const launcher = limitedToThreads(threads);
        const options = { env, cwd: sandbox.root, logPath, launcher };
        let server: ResidentServer | undefined;
        try {
          server = await ResidentServer.start(binary, repo.root, options);
          const answer = ask(enough, [binary, ...status, '--source=resident']);
          const answered = isRight(answer, git, which);
          if (answered) right++;
          else refused++;
          if (!answered) {
            const reason = `${server.log}${answer.stderr.toString('latin1')}`;
            assert.match(reason, noThread, `${which}: exit code ${answer.code}\n${reason}`);
          }
          await server.stop();
        } catch (error) {
          server?.kill();
          if (!(error instanceof ServerError)) throw error;
          assert.match(error.message, /ended with exit code 128 before it was ready/);
          assert.match(error.message, /^fatal: .*Resource temporarily unavailable$/m);
          refused++;
        }
      }
      assert.ok(right > 0 && refused > 0, `${right} right, ${refused} refused`);
    });
  });
});
