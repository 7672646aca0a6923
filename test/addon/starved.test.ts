/** The helper without free processors: it may be late, but stays correct and loses no version. */
import { strict as assert } from 'node:assert';
import { type ChildProcess, spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { Repository } from '../support/repository';
import { Sandbox } from '../support/sandbox';
import { HelperProcess, installHelper, removeHelper } from './helperProcess';
import { addonPath } from './realAddon';

const kFiles = 300;
/** At a lower priority, so that the machine stays usable. */
const kSpin = ['-n', '5', process.execPath, '-e', 'for (;;);'];

describe('helper without a processor of its own', () => {
  let folder: string;
  let sandbox: Sandbox;
  let helper: HelperProcess;
  let repository: Repository;
  let spinners: ChildProcess[];

  before(() => {
    folder = installHelper(addonPath());
  });
  after(() => {
    removeHelper(folder);
  });
  beforeEach(async () => {
    sandbox = new Sandbox();
    repository = Repository.init(sandbox, 'r');
    for (let i = 0; i < kFiles; i++) repository.write(`d${i % 10}/f${i}`, `${i}\n`);
    repository.commit();
    helper = await HelperProcess.start(folder, sandbox.env);
    spinners = Array.from({ length: 2 * availableParallelism() }, () =>
      spawn('nice', kSpin, { stdio: 'ignore' }),
    );
  });
  afterEach(async () => {
    for (const spinner of spinners) spinner.kill('SIGKILL');
    await helper.stop();
    sandbox.remove();
  });

  const shown = (): string[] =>
    helper
      .view(repository.root)
      .lines.map((line) => line.slice(0, 2).replaceAll('.', ' ') + line.slice(2))
      .sort();
  const asGit = (): string[] =>
    repository.git('status', '--porcelain', '-uall', '-z').split('\0').filter(Boolean).sort();

  it('tells every storm to its end', async () => {
    await helper.open(repository.root);
    for (let round = 0; round < 3; round++) {
      for (let i = round; i < kFiles; i += 3) repository.append(`d${i % 10}/f${i}`, 'more\n');
      for (let i = 0; i < kFiles; i++) repository.write(`new${round}/n${i}`, '');
      repository.git('add', '-A', 'd1', 'd2');
      const expected = JSON.stringify(asGit());
      assert.ok(expected.length > kFiles);
      await helper.until(() => JSON.stringify(shown()) === expected);
    }
    repository.git('reset', '-q', '--hard');
    repository.git('clean', '-qfd');
    assert.deepEqual(asGit(), []);
    await helper.until(() => shown().length === 0);
    assert.equal(helper.view(repository.root).gaps, 0);
    assert.ok(spinners.every(({ exitCode, signalCode }) => exitCode === null && signalCode === null));
  });
});
