/**
 * git asks its own daemon (`core.fsmonitor=true`), and our server answers in the daemon's place. The status
 * must equal git's without a monitor.
 */
import { strict as assert } from 'node:assert';
import { existsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { residentBinary } from '../../support/binary';
import { oursListens, saidOnDaemonSocket } from '../../support/daemonSocket';
import { hasDaemon, oracleVersion } from '../../support/oracle';
import { Repository } from '../../support/repository';
import { run } from '../../support/run';
import { ResidentServer } from '../../support/server';
import { between, fill, isRightAfter } from './between';
import { soak, World } from './world';

const seedCount = Number(process.env.CONFORMANCE_SEEDS ?? 15);
const firstSeed = Number(process.env.CONFORMANCE_FIRST ?? 1);

if (hasDaemon()) {
  describe(`git ${oracleVersion()} with a server of ours in place of its daemon`, function () {
    this.timeout(600_000);
    let world: World;
    const daemon = (command: string) => world.repo.ask('fsmonitor--daemon', command);

    beforeEach(async () => {
      world = await World.make('socket');
      fill(world);
    });
    afterEach(() => {
      world.remove();
    });

    it('believes what it is told', () => {
      assert.deepEqual(world.believed().sort(), ['.gitignore', 'a/b/c', 'a/b/new', 'a/d', 'e', 'f/g']);
      world.repo.write('a/d', 'other\n');
      world.check();
      assert.deepEqual(world.believed().sort(), ['.gitignore', 'a/b/c', 'a/b/new', 'e', 'f/g']);
    });

    it('takes the place of a daemon that runs', async () => {
      await world.end('asked');
      daemon('start');
      assert.match((await saidOnDaemonSocket(`${world.repo.root}/.git`, 'a token')).slice(4), /^builtin:/);
      // git's daemon does not report this change.
      world.repo.rename('a', 'z');
      world.repo.commit();
      world.repo.tryGit('status');
      world.repo.write('z/b/c', 'edited\n');
      world.repo.tryGit('status');
      await world.start();
      world.check();
      world.repo.write('z/b/c', 'edited again\n');
      world.check();
    });

    it('leaves the place where git says so, and takes it once it is asked for again', async () => {
      const { repo } = world;
      assert.equal(daemon('status').code, 0);
      assert.equal(daemon('stop').code, 0);
      assert.equal(daemon('status').code, 1);
      assert.ok(!existsSync(`${repo.root}/.git/fsmonitor--daemon.ipc`));
      repo.config('residentGit.standsInForDaemon', 'false');
      repo.tryGit('-c', 'core.fsmonitor=false', 'status');
      assert.equal(residentSaid('status', '--source=resident', '-z'), '');
      repo.config('residentGit.standsInForDaemon', 'true');
      assert.equal(residentSaid('status', '--source=resident', '-z'), '');
      await oursListens(`${repo.root}/.git`);
      world.check();
    });

    const residentSaid = (...args: string[]): string => {
      const { stdout } = run(residentBinary(), args, { cwd: world.repo.root, env: world.sandbox.env });
      return stdout.toString('utf8');
    };

    it('tells everything where it cannot know who asks, or what for', async () => {
      const gitDir = `${world.repo.root}/.git`;
      // This process has another working directory; "flush" is a command, not a token.
      for (const command of ['a token', 'flush'])
        assert.equal((await saidOnDaemonSocket(gitDir, command)).slice(4), 'resident:none\0/\x000000');
    });

    it('is another one for another index', () => {
      const { repo, sandbox } = world;
      const env = { ...sandbox.env, GIT_INDEX_FILE: '.git/other' };
      const other = (...args: string[]): string =>
        run('git', args, { cwd: repo.root, env }).stdout.toString('utf8');
      other('read-tree', 'HEAD');
      for (let i = 0; i < 3; i++) assert.equal(other('status', '--porcelain'), '');
      repo.write('a/d', 'other\n');
      world.check();
      assert.equal(other('status', '--porcelain'), ' M a/d\n');
      world.check();
    });

    it('has no daemon started by a git that we ask', () => {
      const { repo } = world;
      repo.write('.git/info/grafts', repo.git('rev-parse', 'HEAD'));
      assert.equal(daemon('stop').code, 0);
      repo.write('a/d', 'other\n');
      assert.equal(residentSaid('status', '--source=resident', '-z'), ' M a/d\0');
      assert.ok(!existsSync(`${repo.root}/.git/fsmonitor--daemon.ipc`));
    });

    it('goes with the server, where that is asked to end', async () => {
      await world.end('asked');
      assert.ok(!existsSync(`${world.repo.root}/.git/fsmonitor--daemon.ipc`));
    });

    it('is followed where a killed server left its socket', async () => {
      await world.end('killed');
      assert.ok(existsSync(`${world.repo.root}/.git/fsmonitor--daemon.ipc`));
      world.repo.write('a/d', 'other\n');
      await world.start();
      world.check();
    });

    it('answers in a linked worktree, and where the path is longer than that of a socket may be', async () => {
      const { repo, sandbox } = world;
      // Its git directory gets the same long name.
      const place = sandbox.path('linked-'.repeat(12));
      repo.git('worktree', 'add', '-q', place, 'before');
      const linked = new Repository(sandbox, place);
      const server = await ResidentServer.start(residentBinary(), place, {
        env: sandbox.env,
        cwd: sandbox.root,
        logPath: sandbox.path('linked.log'),
      });
      try {
        const socket = `${linked.git('rev-parse', '--absolute-git-dir').trim()}/fsmonitor--daemon.ipc`;
        assert.ok(socket.length > 107);
        const isBelieved = (): boolean => {
          if (!existsSync(socket)) return false;
          assert.equal(linked.git('status', '--porcelain'), '');
          return /^h e$/m.test(linked.git('ls-files', '-f'));
        };
        const end = Date.now() + 20_000;
        while (!isBelieved()) {
          assert.ok(Date.now() < end, 'git believes what it is told');
          await setTimeout(10);
        }
        linked.write('e', 'other\n');
        assert.equal(linked.git('status', '--porcelain'), ' M e\n');
        world.check();
      } finally {
        await server.stop();
      }
    });

    for (const [name, act] of Object.entries(between)) {
      it(`is right after ${name}`, () => isRightAfter(name, act, world));
    }

    for (let first = firstSeed; first < firstSeed + seedCount; first += 10) {
      const last = Math.min(first + 9, firstSeed + seedCount - 1);
      it(`is right in random repositories, seeds ${first} to ${last}`, async () => {
        for (let seed = first; seed <= last; seed++) await soak(seed, 30, 'socket');
      });
    }
  });
}
