/** Reads and undoes the last commit, compared with git. */
import { strict as assert } from 'node:assert';
import { lastCommit, undoCommit } from '../../../../extension/features/commit/git';
import { utf8 } from '../../../support/bytes';
import { Repository } from '../../../support/repository';
import { Sandbox } from '../../../support/sandbox';
import { runs } from '../../support/runs';

describe('the last commit, beside git', () => {
  let sandbox: Sandbox;
  let repository: Repository;

  beforeEach(() => {
    sandbox = new Sandbox();
    repository = Repository.init(sandbox, 'r');
    repository.write('a', 'a\n');
    repository.write('b', 'b\n');
    repository.commit('base');
  });
  afterEach(() => {
    sandbox.remove();
  });

  const run = runs(() => repository);
  const log = (format: string) => repository.git('log', `--format=${format}`).trimEnd();
  const status = () => repository.git('status', '--porcelain').split('\n').slice(0, -1);

  it('is taken back: its changes are staged, its message is returned', async () => {
    repository.append('a', '1\n');
    repository.git('commit', '-q', '-a', '-m', 'title', '-m', 'body\n\nparent of all');
    repository.append('b', 'unstaged\n');
    const last = await lastCommit(run);
    assert.deepEqual(last, { parents: 1, message: 'title\n\nbody\n\nparent of all' });
    assert.ok(await undoCommit(run, last));
    assert.deepEqual([log('%s'), status()], ['base', ['M  a', ' M b']]);
  });

  it('has its message in whatever encoding that was written', async () => {
    for (const [encoding, text] of [
      ['ISO-8859-1', 'caf\xe9'],
      ['UTF-8', utf8('café')],
    ] as const) {
      repository.config('i18n.commitEncoding', encoding);
      repository.gitWithInput(text, 'commit', '-q', '--allow-empty', '--file=-');
      assert.equal((await lastCommit(run))?.message, 'café', encoding);
    }
  });

  it('is taken back where it is the first', async () => {
    const last = await lastCommit(run);
    assert.deepEqual(last, { parents: 0, message: 'base' });
    assert.ok(await undoCommit(run, last));
    assert.deepEqual(status(), ['A  a', 'A  b']);
    assert.equal(await lastCommit(run), undefined);
  });

  it('is left where it is the first and no branch is checked out', async () => {
    repository.git('checkout', '-q', '--detach');
    const last = await lastCommit(run);
    assert.ok(last);
    await assert.rejects(undoCommit(run, last), /no branch is checked out/);
    assert.deepEqual([log('%s'), status()], ['base', []]);
  });

  it('is known as a merge', async () => {
    repository.git('checkout', '-q', '-b', 'theirs');
    repository.commit('theirs');
    repository.git('checkout', '-q', 'main');
    repository.commit('ours');
    repository.git('merge', '-q', '-m', 'merged', 'theirs');
    assert.equal((await lastCommit(run))?.parents, 2);
  });
});
