/** The message that git prepared appears in the input box, compared with git. */
import { strict as assert } from 'node:assert';
import { mock } from 'node:test';
import type { SourceControlInputBox } from 'vscode';
import type { Repository as Model } from '../../../extension/model/Repository';
import { PreparedMessage } from '../../../extension/scm/PreparedMessage';
import { Repository } from '../../support/repository';
import { Sandbox } from '../../support/sandbox';

describe('PreparedMessage', () => {
  let sandbox: Sandbox;
  let repository: Repository;
  let box: string;
  let onRead: () => void;
  let prepared: PreparedMessage;
  let readTemplate: () => Promise<string>;

  beforeEach(() => {
    sandbox = new Sandbox();
    repository = Repository.init(sandbox, 'r');
    repository.write('f', 'base\n');
    repository.commit('base');
    box = '';
    onRead = () => undefined;
    const inputBox = {
      get value() {
        onRead();
        return box;
      },
      set value(text: string) {
        box = text;
      },
    } as SourceControlInputBox;
    const model = { gitDir: repository.absolute('.git').toString() } as unknown as Model;
    readTemplate = () => Promise.resolve('');
    prepared = new PreparedMessage(model, inputBox, () => readTemplate());
    mock.timers.enable({ apis: ['setTimeout'] });
  });
  afterEach(() => {
    prepared.dispose();
    mock.timers.reset();
    sandbox.remove();
  });

  /** Waits for the end of a check. The check reads the box and decides at once. */
  const looked = (): Promise<void> => new Promise((resolve) => (onRead = resolve));

  async function becomes(pattern: RegExp): Promise<void> {
    prepared.update();
    await looked();
    assert.match(box, pattern);
  }

  it('has that of a merge without its comments, whatever they begin with', async () => {
    for (const [start, branch] of [
      [';', '1'],
      ['#', '2'],
    ] as const) {
      repository.config('core.commentChar', start);
      repository.git('checkout', '-q', '-b', branch, 'HEAD');
      repository.write('f', `theirs ${branch}\n`);
      repository.commit('theirs');
      repository.git('checkout', '-q', 'main');
      repository.write('f', `ours ${branch}\n`);
      repository.commit('ours');
      repository.tryGit('merge', '-q', '-m', 'Merge\n\n*1 is closed', branch);
      await becomes(/^Merge\n\n\*1 is closed$/);
      repository.git('merge', '--abort');
      await becomes(/^$/);
    }
  });

  it('has that of a revert, and goes with it', async () => {
    repository.write('f', 'other\n');
    repository.commit('other');
    repository.git('revert', '--no-commit', 'HEAD');
    await becomes(/^Revert "other"\n\nThis reverts commit [0-9a-f]{40}\.$/);
    repository.git('commit', '-q', '--no-edit');
    await becomes(/^$/);
  });

  it('has that of a patch that does not apply, with all its lines', async () => {
    repository.write('f', 'theirs\n');
    repository.git('commit', '-q', '-a', '--cleanup=verbatim', '-m', 'Patch\n\n#1 is closed');
    const patch = repository.git('format-patch', '-1').trim();
    repository.git('reset', '-q', '--hard', 'HEAD~1');
    repository.write('f', 'ours\n');
    repository.commit('ours');
    repository.tryGit('am', '-q', patch);
    await becomes(/^Patch\n\n#1 is closed$/);
    repository.git('am', '--abort');
    await becomes(/^$/);
  });

  it('tells what a person wrote from what git has prepared, and from a template', async () => {
    repository.git('revert', '--no-commit', 'HEAD');
    await becomes(/^Revert "base"/);
    assert.equal(prepared.edited, '');
    box += '\n\nbecause';
    assert.match(prepared.edited, /^Revert "base"[^]*because$/);
    repository.git('reset', '-q', '--hard');
    box = '';
    await becomes(/^$/);
    readTemplate = () => Promise.resolve('Topic: ');
    await prepared.updateTemplate();
    await becomes(/^Topic: $/);
    assert.equal(prepared.edited, '');
    box = 'Topic: one';
    assert.equal(prepared.edited, 'Topic: one');
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

  it('has that of a squash that stops at conflicts: the messages of all, as git commits them', async () => {
    repository.git('checkout', '-q', '-b', 'theirs');
    repository.write('f', 'theirs\n');
    repository.commit('one');
    repository.git('checkout', '-q', 'main');
    repository.write('f', 'ours\n');
    repository.commit('ours');
    for (const cleanup of ['strip', 'scissors']) {
      repository.config('commit.cleanup', cleanup);
      assert.notEqual(repository.tryGit('merge', '-q', '--squash', 'theirs').code, 0);
      await becomes(/^Squashed commit of the following:\n[^]* one$/);
      const shown = box;
      repository.git('add', 'f');
      repository.git('commit', '-q', '--no-edit', '--cleanup=strip');
      assert.equal(repository.git('log', '-1', '--format=%B').trim(), shown, cleanup);
      repository.git('reset', '-q', '--hard', 'HEAD~');
      await becomes(/^$/);
    }
  });

  it('has all lines above the scissors, where git is told to cut there', async () => {
    repository.config('commit.cleanup', 'scissors');
    repository.git('checkout', '-q', '-b', 'theirs');
    repository.write('f', 'theirs\n');
    repository.commit('theirs');
    repository.git('checkout', '-q', 'main');
    repository.write('f', 'ours\n');
    repository.commit('ours');
    assert.notEqual(repository.tryGit('merge', '-q', '-m', '#1 is closed', 'theirs').code, 0);
    await becomes(/^#1 is closed$/);
  });

  it('has the template after a commit as it is by then, the same or another, and none before it is read', async () => {
    readTemplate = () => Promise.resolve('Topic: ');
    await prepared.updateTemplate();
    await becomes(/^Topic: $/);
    for (const template of ['Topic: ', 'Reason: ']) {
      let tell: (template: string) => void = () => undefined;
      readTemplate = () => new Promise((resolve) => (tell = resolve));
      box = 'written';
      prepared.clear();
      assert.equal(box, '');
      assert.equal(prepared.written, '');
      prepared.update();
      await looked();
      assert.equal(box, '');
      tell(template);
      await becomes(new RegExp(`^${template}$`));
      assert.equal(prepared.written, '');
    }
  });

  it('comes a moment after what tells of the operation', async () => {
    await becomes(/^$/);
    repository.git('revert', '--no-commit', 'HEAD');
    mock.timers.tick(500);
    await looked();
    assert.match(box, /^Revert "base"/);
  });

  it('leaves what a person wrote, at each of its looks', async () => {
    box = 'mine';
    repository.git('revert', '--no-commit', 'HEAD');
    await becomes(/^mine$/);
    for (const milliseconds of [500, 1_500, 6_000]) {
      mock.timers.tick(milliseconds);
      await looked();
      assert.equal(box, 'mine');
    }
  });
});
