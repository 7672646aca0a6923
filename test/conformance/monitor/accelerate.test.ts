/** `git-resident accelerate`: its settings, the files that it leaves alone, and its undo. */
import { strict as assert } from 'node:assert';
import { existsSync, readFileSync, readlinkSync, symlinkSync } from 'node:fs';
import { residentBinary } from '../../support/binary';
import { hasDaemon } from '../../support/oracle';
import { Repository } from '../../support/repository';
import { run } from '../../support/run';
import { memoryDirectory, Sandbox } from '../../support/sandbox';

describe('git-resident accelerate', () => {
  let sandbox: Sandbox;
  let repo: Repository;
  const ask = (...args: string[]): { code: number; out: string; err: string } => {
    const env = sandbox.env;
    const { code, stdout, stderr } = run(residentBinary(), ['accelerate', ...args], { cwd: repo.root, env });
    return { code, out: stdout.toString('utf8'), err: stderr.toString('utf8') };
  };
  const config = (): string => readFileSync(`${repo.root}/.git/config`, 'utf8');
  const link = (): string => sandbox.path('home/.local/share/resident-git/git-resident');
  const get = (name: string): string => repo.tryGit('config', name).stdout.toString('utf8').trim();

  beforeEach(() => {
    sandbox = new Sandbox(memoryDirectory());
    repo = Repository.init(sandbox, 'work');
  });
  afterEach(() => sandbox.remove());

  it('says what it writes, writes it, and undoes it to the byte', () => {
    const before = config();
    const { code, out } = ask();
    assert.equal(code, 0);
    for (const [name, value] of [
      ['core.fsmonitor', link()],
      ['core.fsmonitorHookVersion', '2'],
      ['core.untrackedCache', 'true'],
    ] as const) {
      assert.equal(get(name), value);
      assert.ok(out.includes(`${name} = ${value} (was not set)\n`));
    }
    assert.equal(get('feature.manyFiles'), '');
    assert.equal(readlinkSync(link()), residentBinary());
    const written = config();
    assert.match(ask().out, /nothing to write/);
    assert.equal(config(), written);
    assert.equal(ask('--undo').code, 0);
    assert.equal(config(), before);
    assert.match(ask('--undo').out, /nothing to undo/);
  });

  it('says it only, where that is asked', () => {
    const before = config();
    const { code, out } = ask('--dry-run', '--many-files');
    assert.equal(code, 0);
    assert.ok(out.includes(`core.fsmonitor = ${link()} (was not set)\n`));
    assert.match(out, /feature\.manyFiles = true \(was not set\)\n$/);
    assert.equal(config(), before);
    assert.ok(!existsSync(link()));
  });

  it('has git list single untracked files by default, and undoes it to the byte', () => {
    repo.config('status.showUntrackedFiles', 'no');
    const before = config();
    assert.match(ask('--untracked-all').out, /^status\.showUntrackedFiles = all \(was no\)$/m);
    assert.equal(get('status.showUntrackedFiles'), 'all');
    assert.match(ask('--untracked-all').out, /nothing to write/);
    assert.equal(ask('--undo').code, 0);
    assert.equal(config(), before);
    assert.equal(ask('--untracked-all').code, 0);
    repo.config('status.showUntrackedFiles', 'normal');
    assert.match(
      ask('--undo').out,
      /status\.showUntrackedFiles: not restored, because its value has changed/,
    );
    assert.equal(get('status.showUntrackedFiles'), 'normal');
  });

  it('restores values that were there', () => {
    repo.config('core.untrackedCache', 'keep');
    repo.config('core.fsmonitor', 'false');
    const before = config();
    assert.match(ask('--many-files').out, /core.untrackedCache = true \(was keep\)/);
    assert.equal(get('feature.manyFiles'), 'true');
    // After a second run, the undo still restores the first values.
    repo.config('core.untrackedCache', 'keep');
    assert.equal(ask('--many-files').code, 0);
    assert.equal(ask('--undo').code, 0);
    assert.equal(config(), before);
  });

  it('leaves what somebody changed since', () => {
    assert.equal(ask().code, 0);
    repo.config('core.untrackedCache', 'keep');
    assert.match(ask('--undo').out, /core.untrackedCache: not restored, because its value has changed/);
    assert.equal(get('core.untrackedCache'), 'keep');
    assert.equal(get('core.fsmonitor'), '');
    assert.equal(get('residentGit.accelerated'), '');
  });

  it('leaves a monitor that is there already', () => {
    for (const [monitor, said] of [
      ['/usr/bin/another', /core.fsmonitor is already \/usr\/bin\/another \(.*config\); nothing was changed/],
      ['true', /git uses its own fsmonitor daemon; nothing was changed/],
    ] as const) {
      repo.config('core.fsmonitor', monitor);
      const before = config();
      const { code, err } = ask();
      assert.equal(code, 128);
      assert.match(err, said);
      assert.equal(config(), before);
    }
  });

  if (hasDaemon()) {
    it('has git ask on the socket of its daemon, and undoes it to the byte', () => {
      const before = config();
      const { code, out } = ask('--by-socket');
      assert.equal(code, 0);
      for (const name of ['residentGit.standsInForDaemon', 'core.fsmonitor', 'core.untrackedCache']) {
        assert.equal(get(name), 'true');
        assert.ok(out.includes(`${name} = true (was not set)\n`));
      }
      assert.match(out, /Without such a process, git starts its own daemon\./);
      assert.ok(!existsSync(link()));
      assert.match(ask('--by-socket').out, /nothing to write/);
      assert.match(ask().err, /first run: git-resident accelerate --undo/);
      assert.equal(ask('--undo').code, 0);
      assert.equal(config(), before);
    });

    it('takes the place of the hook, and of the daemon that was asked before', () => {
      const before = config();
      assert.equal(ask().code, 0);
      assert.equal(ask('--by-socket').code, 0);
      assert.equal(get('core.fsmonitor'), 'true');
      assert.equal(ask('--undo').code, 0);
      assert.equal(config(), before);
      repo.config('core.fsmonitor', 'true');
      const withDaemon = config();
      assert.equal(ask('--by-socket').code, 0);
      assert.equal(ask('--undo').code, 0);
      assert.equal(config(), withDaemon);
    });
  } else {
    it('refuses to have git ask a daemon that it has not', () => {
      const before = config();
      const { code, err } = ask('--by-socket');
      assert.equal(code, 128);
      assert.match(err, /the git on PATH has no fsmonitor daemon/);
      assert.equal(config(), before);
    });
  }

  it('leads a link that is there to this program', () => {
    assert.equal(ask().code, 0);
    sandbox.exec('rm', link());
    symlinkSync('/not/there', link());
    assert.equal(ask().code, 0);
    assert.equal(readlinkSync(link()), residentBinary());
  });

  it('refuses where there is nothing to write to, or a path that git would give to a shell', () => {
    const before = config();
    sandbox.setVariable('XDG_DATA_HOME', sandbox.path('with space'));
    assert.match(ask().err, /with space.*git cannot run a program at this path/);
    assert.equal(config(), before);
    assert.equal(ask('/not/there').code, 128);
    for (const args of [
      ['--undo', '--many-files'],
      ['--undo', '--dry-run'],
      ['--undo', '--warm'],
      ['--dry-run', '--warm'],
      ['a', 'b'],
      ['--other'],
    ])
      assert.equal(ask(...args).code, 129);
  });
});
