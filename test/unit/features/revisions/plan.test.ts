/** A file in other commits, found by the bytes of its name. */
import { strict as assert } from 'node:assert';
import {
  fileAtQuestion,
  lastChangesQuestion,
  parseCommits,
  parseFileAt,
  type Question,
} from '../../../../extension/features/revisions/plan';
import { fromBytes } from '../../../../extension/model/repoPath';
import { toBuffer } from '../../../support/bytes';
import { Repository } from '../../../support/repository';
import { Sandbox } from '../../../support/sandbox';
import { runsWell } from '../../support/runs';

describe('a file in other commits', () => {
  let sandbox: Sandbox;
  let repository: Repository;
  const run = runsWell(() => repository);

  beforeEach(() => {
    sandbox = new Sandbox();
    repository = Repository.init(sandbox, 'r');
  });
  afterEach(() => {
    sandbox.remove();
  });

  const text = (name: string) => fromBytes(toBuffer(name));
  async function answer(question: Question | undefined): Promise<Uint8Array> {
    assert.ok(question);
    const result = await run(question);
    assert.ok(result);
    return result.stdout;
  }

  for (const name of ['plain', 'two\nlines', ':(top)x', 'd/[b]\xff', '\xff*']) {
    it(`is found by its name ${JSON.stringify(name)}`, async () => {
      const oids: string[] = [];
      for (const content of ['first\n', 'second\n']) {
        repository.write(name, content);
        repository.write('other', content);
        repository.commit();
        oids.unshift(repository.git('rev-parse', 'HEAD').trim());
        repository.write('other', `${content}more\n`);
        repository.commit();
      }
      const commits = parseCommits(await answer(lastChangesQuestion(text(name))));
      assert.deepEqual(commits, oids);
      const blob = parseFileAt(await answer(fileAtQuestion(oids[1] ?? '', text(name))));
      assert.equal(repository.git('cat-file', 'blob', blob ?? ''), 'first\n');
      for (const gone of [text(`${name}x`), text('d\xff')])
        assert.equal(parseFileAt(await answer(fileAtQuestion('HEAD', gone))), undefined);
    });
  }

  it('is no folder', async () => {
    repository.write('d\xff/f', '');
    repository.write('d/f', '');
    repository.commit();
    for (const name of ['d', 'd\xff'])
      assert.equal(parseFileAt(await answer(fileAtQuestion('HEAD', text(name)))), undefined);
  });

  it('is none that git can be asked for, where its name is no text of one line', () => {
    assert.equal(lastChangesQuestion(text('\xff\n')), undefined);
    assert.equal(fileAtQuestion('HEAD', text('\xff\n')), undefined);
  });
});
