/** A process that gets no more memory: the worktree that wants it is given up, with a reason, and the others go on. */
import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { readFileSync, truncateSync } from 'node:fs';
import { residentBinary } from '../support/binary';
import { Repository } from '../support/repository';
import { Sandbox } from '../support/sandbox';
import { HelperProcess, installHelper, removeHelper } from './helperProcess';
import { addonPath } from './realAddon';

const kMiB = 1024 * 1024;
/** It takes no room on the disk, and is read whole. */
const kHuge = 400 * kMiB;
/** Enough for all but that. */
const kEnough = 300 * kMiB;

describe('memory that cannot be had', () => {
  let folder: string;
  let sandbox: Sandbox;

  before(() => {
    folder = installHelper(addonPath());
  });
  after(() => {
    removeHelper(folder);
  });
  beforeEach(() => {
    sandbox = new Sandbox();
  });
  afterEach(() => {
    sandbox.remove();
  });

  function repositoryOf(name: string): Repository {
    const repository = Repository.init(sandbox, name);
    repository.write('a', 'a\n');
    repository.commit('first');
    return repository;
  }
  function writeHuge(repository: Repository): void {
    repository.write('.git/huge', '');
    truncateSync(`${repository.root}/.git/huge`, kHuge);
    // At once, so that nobody sees an empty one.
    repository.rename('.git/huge', '.gitignore');
  }

  it('ends one worktree of a helper, not the helper', async () => {
    const helper = await HelperProcess.start(folder, sandbox.env);
    try {
      const [hungry, other] = [repositoryOf('hungry'), repositoryOf('other')];
      const roots = await Promise.all(
        [hungry, other].map(async ({ root }) => (await helper.open(root)).root),
      );
      const [hungryRoot = '', otherRoot = ''] = roots;
      const isWatching = (root: string) => helper.view(root).state?.state === 'watching';
      await helper.until(() => roots.every(isWatching));
      const pid = String(helper.child.pid);
      const size = Number(/VmSize:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
      const limited = spawnSync('prlimit', ['--pid', pid, `--as=${size + kHuge / 4}`]);
      assert.equal(limited.status, 0, String(limited.stderr));

      writeHuge(hungry);
      await helper.until(() => helper.closes.length > 0);
      assert.deepEqual(helper.closes, [
        { root: hungryRoot, message: `${hungryRoot}: not enough memory for this worktree` },
      ]);
      other.append('a', 'more\n');
      await helper.until(() => helper.view(otherRoot).lines.length === 1);
      assert.deepEqual(helper.view(otherRoot).lines, ['.M a']);

      hungry.remove('.gitignore');
      hungry.append('a', 'more\n');
      await helper.open(hungryRoot);
      // Until it is told anew, the view has what was told last.
      await helper.until(() => helper.view(hungryRoot).lines.includes('.M a'));
      assert.deepEqual(helper.view(hungryRoot).lines, ['.M a']);
    } finally {
      await helper.stop();
    }
  });

  it('is a fatal error of a command, as it is of git', () => {
    const repository = repositoryOf('hungry');
    const ask = (...command: string[]) =>
      spawnSync('prlimit', [`--as=${kEnough}`, ...command], { cwd: repository.root, env: sandbox.env });
    assert.equal(ask(residentBinary(), 'status').status, 0);
    writeHuge(repository);
    assert.equal(ask('git', 'status').status, 128);
    const ours = ask(residentBinary(), 'status');
    assert.deepEqual([ours.status, String(ours.stdout)], [128, '']);
    assert.equal(String(ours.stderr), 'fatal: git-resident: not enough memory\n');
  });
});
