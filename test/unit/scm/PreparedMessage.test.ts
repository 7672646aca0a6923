/** What git has prepared as a message stands in the box, beside git. */
import { strict as assert } from 'node:assert';
import type { SourceControlInputBox } from 'vscode';
import type { Repository as Model } from '../../../extension/model/Repository';
import { PreparedMessage } from '../../../extension/scm/PreparedMessage';
import { Repository } from '../../support/repository';
import { Sandbox } from '../../support/sandbox';

describe('PreparedMessage', () => {
  let sandbox: Sandbox;
  let repository: Repository;
  let box: { value: string };
  let prepared: PreparedMessage;
  let readTemplate: () => Promise<string>;

  beforeEach(() => {
    sandbox = new Sandbox();
    repository = Repository.init(sandbox, 'r');
    repository.write('f', 'base\n');
    repository.commit('base');
    box = { value: '' };
    const model = { gitDir: repository.absolute('.git').toString() } as unknown as Model;
    readTemplate = () => Promise.resolve('');
    prepared = new PreparedMessage(model, box as SourceControlInputBox, () => readTemplate());
  });
  afterEach(() => {
    prepared.dispose();
    sandbox.remove();
  });

  async function becomes(pattern: RegExp): Promise<void> {
    prepared.update();
    const end = Date.now() + 10_000;
    while (!pattern.test(box.value) && Date.now() < end) await new Promise((done) => setTimeout(done, 20));
    assert.match(box.value, pattern);
  }

  it('has that of a revert, and goes with it', async () => {
    repository.write('f', 'other\n');
    repository.commit('other');
    repository.git('revert', '--no-commit', 'HEAD');
    await becomes(/^Revert "other"\n\nThis reverts commit [0-9a-f]{40}\.$/);
    repository.git('commit', '-q', '--no-edit');
    await becomes(/^$/);
  });

  it('has that of a squash: the messages of all', async () => {
    repository.git('checkout', '-q', '-b', 'theirs');
    for (const name of ['one', 'two']) {
      repository.write(name, name);
      repository.commit(name);
    }
    repository.git('checkout', '-q', 'main');
    repository.git('merge', '-q', '--squash', 'theirs');
    await becomes(/^Squashed commit of the following:\n[^]* two\n[^]* one$/);
  });

  it('has the template after a commit as it is by then, the same or another, and none before it is read', async () => {
    readTemplate = () => Promise.resolve('Topic: ');
    await prepared.updateTemplate();
    await becomes(/^Topic: $/);
    for (const template of ['Topic: ', 'Reason: ']) {
      let tell: (template: string) => void = () => undefined;
      readTemplate = () => new Promise((resolve) => (tell = resolve));
      box.value = 'written';
      prepared.clear();
      assert.equal(box.value, '');
      assert.equal(prepared.written, '');
      prepared.update();
      await new Promise(setImmediate);
      assert.equal(box.value, '');
      tell(template);
      await becomes(new RegExp(`^${template}$`));
      assert.equal(prepared.written, '');
    }
  });

  it('leaves what a person wrote', async () => {
    box.value = 'mine';
    repository.git('revert', '--no-commit', 'HEAD');
    prepared.update();
    await new Promise((done) => setTimeout(done, 800));
    assert.equal(box.value, 'mine');
  });
});
