/**
 * git with our hook (`core.fsmonitor`) gives the same answer as without, for any index writer and any server
 * failure.
 */
import { strict as assert } from 'node:assert';
import { statSync } from 'node:fs';
import { residentBinary } from '../../support/binary';
import { oracleVersion } from '../../support/oracle';
import { Repository } from '../../support/repository';
import { run } from '../../support/run';
import { between, fill, isRightAfter } from './between';
import { soak, World } from './world';

const seedCount = Number(process.env.CONFORMANCE_SEEDS ?? 15);
const firstSeed = Number(process.env.CONFORMANCE_FIRST ?? 1);

describe(`git ${oracleVersion()} with our file system monitor`, function () {
  this.timeout(600_000);
  let world: World;

  beforeEach(async () => {
    world = await World.make();
    fill(world);
  });
  afterEach(() => world.remove());

  it('believes what it is told', () => {
    assert.deepEqual(world.believed().sort(), ['.gitignore', 'a/b/c', 'a/b/new', 'a/d', 'e', 'f/g']);
    const { token, code } = world.hook('');
    assert.equal(code, 0);
    const next = world.hook(token);
    assert.ok(!next.names.includes('/'));
    assert.deepEqual(world.hook(next.token).names, []);
    world.repo.write('a/d', 'other\n');
    assert.deepEqual(world.hook(next.token).names, ['a/d']);
  });

  function addSubmodule(): void {
    const { repo, sandbox } = world;
    const other = Repository.init(sandbox, 'other');
    other.write('file', 'of another\n');
    other.commit();
    repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', '../other', 'sub');
    repo.commit();
  }

  /** Changes with each write of the index. */
  const index = (): string => {
    const { ino, mtimeNs, ctimeNs } = statSync(`${world.repo.root}/.git/index`, { bigint: true });
    return [ino, mtimeNs, ctimeNs].join(' ');
  };

  function writesItsIndexNoMore(): void {
    const written = index();
    for (let i = 0; i < 4; i++) {
      world.check();
      assert.equal(index(), written);
    }
  }

  /** Ages all files: git always writes the index for racily clean entries. */
  function makeOld(): void {
    const { repo } = world;
    for (const path of repo.git('ls-files').trimEnd().split('\n'))
      repo.touch(path, { seconds: 1_500_000_000 });
    world.check();
  }

  it('writes its index no more while edits stand', () => {
    const { repo } = world;
    makeOld();
    repo.write('a/d', 'edited\n');
    repo.write('a/b/untracked', '');
    repo.remove('f/g');
    world.check();
    writesItsIndexNoMore();
    world.check('-uall');
    // The monitor does not trust marks of another program.
    repo.git('update-index', '--fsmonitor-valid', 'a/d');
    world.check();
    assert.ok(!world.believed().includes('a/d'));
    world.check();
  });

  it('writes its index no more where there are submodules', () => {
    addSubmodule();
    makeOld();
    world.repo.write('sub/file', 'edited\n');
    world.repo.write('a/d', 'edited\n');
    world.check();
    writesItsIndexNoMore();
    // Makes the index newer than the second in which the submodule appeared.
    world.repo.touch('.git/index', { seconds: Math.ceil(Date.now() / 1000) + 10 });
    writesItsIndexNoMore();
  });

  it('looks at everything where nobody keeps the worktree, and after another one does', async () => {
    await world.end('asked');
    assert.equal(world.hook('').code, 1);
    world.repo.write('a/d', 'other\n');
    world.repo.write('a/untracked', '');
    world.check();
    world.repo.tryGit('diff', '--quiet');
    world.repo.write('f/untracked', '');
    await world.start();
    world.repo.tryGit('diff', '--quiet');
    world.repo.tryGit('diff', '--quiet');
    world.check();
    world.check();
  });

  it('is told of a repository in a directory that was empty, which the untracked cache alone overlooks', async () => {
    const { repo, sandbox } = world;
    for (const directory of ['out', 'later']) repo.mkdir(directory);
    for (let i = 0; i < 3; i++) world.check();
    const untracked = (): string => repo.ask('status', '--porcelain').stdout.toString();
    run('git', ['init', '-q', 'out'], { cwd: repo.root, env: sandbox.env });
    assert.equal(untracked(), '?? out/\n');
    await world.end('asked');
    run('git', ['init', '-q', 'later'], { cwd: repo.root, env: sandbox.env });
    world.check();
    await world.start();
    untracked();
    assert.equal(untracked(), '?? later/\n?? out/\n');
  });

  it('waits no longer than a second for a server that is stopped', () => {
    world.signal('SIGSTOP');
    world.repo.write('a/d', 'other\n');
    const begin = Date.now();
    assert.equal(world.hook('').code, 1);
    assert.ok(Date.now() - begin < 10_000);
    world.check();
    world.signal('SIGCONT');
    world.check();
  });

  it('is told everything after events were lost', () => {
    const { token } = world.hook(world.hook('').token);
    const { repo } = world;
    world.overflow(
      () => repo.write('a/d', 'other\n'),
      () => {
        repo.rename('a/b', 'moved');
        repo.write('f/lost', '');
      },
    );
    assert.deepEqual(world.hook(token).names, ['/']);
    world.check();
    repo.write('moved/later', '');
    world.check('-uall');
  });

  it('is told everything with another index, repository or worktree', () => {
    const { token } = world.hook(world.hook('').token);
    const everything = (env: NodeJS.ProcessEnv): boolean => world.hook(token, env).names.includes('/');
    assert.ok(!everything({}));
    assert.ok(!everything({ GIT_DIR: '.git', GIT_INDEX_FILE: '.git/index', GIT_WORK_TREE: '.' }));
    assert.ok(everything({ GIT_INDEX_FILE: '.git/other' }));
    assert.ok(everything({ GIT_INDEX_FILE: '/not/there' }));
    assert.ok(everything({ GIT_DIR: '/not/there' }));
    assert.ok(everything({ GIT_WORK_TREE: '..' }));
  });

  // Before 2.43 git sometimes shows such a file as deleted.
  it('compares a tree with files of which it is told nothing', () => {
    for (let i = 0; i < 60; i++) {
      assert.equal(world.repo.git('diff', '--name-status', 'HEAD'), '');
      assert.equal(world.repo.git('diff-index', 'HEAD'), '');
    }
  });

  it('is not asked by a git that the server asks', () => {
    assert.equal(world.hook('', { RESIDENT_GIT_ASKS: '1' }).code, 1);
  });

  it('answers version 1, which has no tokens, with everything', () => {
    const { code, stdout } = run(residentBinary(), ['1', '1700000000'], {
      cwd: world.repo.root,
      env: world.sandbox.env,
    });
    assert.deepEqual([code, stdout.toString()], [0, '/\0']);
    for (const args of [['fsmonitor'], ['fsmonitor', '3', 't'], ['fsmonitor', '2'], ['2', 't', 'x']])
      assert.equal(run(residentBinary(), args, { cwd: world.repo.root, env: world.sandbox.env }).code, 129);
  });

  it('tells who polls what changed', () => {
    const since = (...args: string[]): string[] => {
      const { code, stdout } = run(residentBinary(), ['since', '-z', ...args], {
        cwd: world.sandbox.root,
        env: world.sandbox.env,
      });
      assert.equal(code, 0);
      return stdout.toString('utf8').split('\0').slice(0, -1);
    };
    const [token = '', ...all] = since('', world.repo.root);
    assert.deepEqual(all, ['/']);
    world.repo.write('a/d', 'other\n');
    world.repo.write('new\nline', '');
    const [next = '', ...names] = since(token, world.repo.root);
    assert.deepEqual(names.sort(), ['a/d', 'new\nline']);
    assert.deepEqual(since(next, world.repo.root), [next]);
  });

  it('is quiet enough for our own status', () => {
    world.repo.write('a/d', 'other\n');
    const { stdout, stderr } = run(residentBinary(), ['status', '--source=resident', '--porcelain'], {
      cwd: world.repo.root,
      env: world.sandbox.env,
    });
    assert.deepEqual([stdout.toString(), stderr.toString()], [' M a/d\n', '']);
  });

  it('lets git stage what it writes itself when a submodule is moved or removed', () => {
    const { repo } = world;
    addSubmodule();
    for (let i = 0; i < 2; i++) world.check();
    repo.git('mv', 'sub', 'moved');
    assert.equal(repo.git('status', '--porcelain'), 'M  .gitmodules\nR  sub -> moved\n');
    repo.commit();
    for (let i = 0; i < 2; i++) world.check();
    repo.git('rm', '-q', 'moved');
    assert.equal(repo.git('status', '--porcelain'), 'M  .gitmodules\nD  moved\n');
    world.check();
  });

  for (const [name, act] of Object.entries(between)) {
    it(`is right after ${name}`, () => isRightAfter(name, act, world));
  }

  for (let first = firstSeed; first < firstSeed + seedCount; first += 10) {
    const last = Math.min(first + 9, firstSeed + seedCount - 1);
    it(`is right in random repositories, seeds ${first} to ${last}`, async () => {
      for (let seed = first; seed <= last; seed++) await soak(seed, 30);
    });
  }
});
