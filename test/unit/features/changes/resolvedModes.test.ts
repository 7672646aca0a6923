/** The mode of a file whose conflict is marked resolved, compared with git. */
import { strict as assert } from 'node:assert';
import { stage } from '../../../../extension/features/changes/git';
import { planStage } from '../../../../extension/features/changes/plan';
import { parsePorcelain } from '../../../../extension/git/porcelain';
import { Repository } from '../../../support/repository';
import { Sandbox } from '../../../support/sandbox';
import { runsWell } from '../../support/runs';

describe('resolved modes, beside git', () => {
  let sandbox: Sandbox;
  let repository: Repository;

  beforeEach(() => {
    sandbox = new Sandbox();
    repository = Repository.init(sandbox, 'r');
  });
  afterEach(() => {
    sandbox.remove();
  });

  const run = runsWell(() => repository);

  it('stages a resolved program as one where the bits on the disk do not count', async () => {
    const names = ['plain', '-dash', ':(top)magic', '#hash', 'line\nbreak', 'bad\xffname'];
    const put = (who: string) => {
      for (const name of names) repository.write(name, `${who}\n`);
      repository.git('add', '-A');
    };
    put('base');
    for (const name of names.slice(1)) repository.chmod(name, 0o755);
    repository.commit();
    repository.git('checkout', '-q', '-b', 'other');
    put('theirs');
    repository.commit('theirs');
    repository.git('checkout', '-q', 'main');
    put('ours');
    repository.commit('ours');
    repository.tryGit('merge', '-q', 'other');
    repository.config('core.fileMode', 'false');
    for (const name of names) {
      repository.chmod(name, 0o644);
      repository.write(name, 'resolved\n');
    }
    repository.remove('#hash');
    const entries = parsePorcelain(repository.ask('status', '--porcelain=v2', '-z').stdout);
    await stage(run, repository.root, planStage(entries));
    const modes = repository.git('ls-files', '--stage', '-z').split('\0').slice(0, -1);
    assert.equal(modes.length, names.length - 1);
    for (const line of modes)
      assert.equal(line.slice(0, 6), line.endsWith('\tplain') ? '100644' : '100755', line);
  });
});
