/** A merge ends in a terminal while a command on its rows asks or waits for its turn. */
import { strict as assert } from 'node:assert';
import type { CommandContext } from '../../../../extension/commands/context';
import { parsePorcelain } from '../../../../extension/git/porcelain';
import { Repository as OnDisk } from '../../../support/repository';
import { Sandbox } from '../../../support/sandbox';
import { installVscodeStandIn, standInWindow } from '../../client/vscodeStandIn';
import { runsWell } from '../../support/runs';

const kDeleteFile = 'Delete File';

describe('a conflict that has ended by the time of the deed', () => {
  let sandbox: Sandbox;
  let onDisk: OnDisk;
  let told: string[];

  beforeEach(() => {
    sandbox = new Sandbox();
    onDisk = OnDisk.init(sandbox, 'r');
    for (const name of ['gone-here', 'gone-there']) onDisk.write(name, 'base\n');
    onDisk.commit('base');
    onDisk.git('checkout', '-q', '-b', 'theirs');
    change('theirs', 'gone-there', 'gone-here');
    onDisk.git('checkout', '-q', 'main');
    change('ours', 'gone-here', 'gone-there');
    onDisk.tryGit('merge', 'theirs');
    told = [];
    installVscodeStandIn();
    standInWindow.showWarningMessage = (message: string) => {
      told.push(message);
      return Promise.resolve(undefined);
    };
  });
  afterEach(() => {
    sandbox.remove();
    delete standInWindow.showInformationMessage;
    delete standInWindow.showWarningMessage;
  });

  function change(who: string, removed: string, changed: string): void {
    onDisk.remove(removed);
    onDisk.write(changed, `${who}\n`);
    onDisk.commit(who);
  }

  const current = () => parsePorcelain(onDisk.ask('status', '--porcelain=v2', '-z').stdout);

  /** Runs the command on the row of each conflict. `before` runs before every turn. */
  async function command(
    name: 'stage' | 'acceptCurrent' | 'acceptIncoming',
    before: () => void = () => undefined,
  ): Promise<void> {
    const { changeCommands } = await import('../../../../extension/features/changes/commands.js');
    const { conflictCommands } = await import('../../../../extension/features/conflicts/commands.js');
    const { Resource } = await import('../../../../extension/scm/Resource.js');
    const entries = current();
    const repository = {
      root: onDisk.root,
      entriesAt: (path: string) => entries.filter((entry) => entry.path === path),
    };
    const rows = entries.map((entry) =>
      Object.assign(Object.create(Resource.prototype) as object, { repository, entry, group: 'merge' }),
    );
    const run = runsWell(() => onDisk);
    const context = {
      registry: { locate: () => undefined },
      currentStatus: { ask: () => Promise.resolve(current()) },
      git: {
        exclusively: (_: unknown, __: unknown, task: (...args: unknown[]) => unknown) => {
          before();
          return task(run, new AbortController().signal);
        },
      },
    } as unknown as CommandContext;
    const commands = { ...changeCommands, ...conflictCommands };
    await commands[`residentGit.${name}`](context, ...rows);
  }

  /** Answers each question with `button`. `meanwhile` runs while the question is open. */
  function answers(button: string, meanwhile: () => void): void {
    standInWindow.showInformationMessage = (_: string, __: unknown, ...buttons: string[]) => {
      meanwhile();
      return Promise.resolve(buttons.find((each) => each === button));
    };
  }

  it('is deleted and staged where it still stands', async () => {
    answers(kDeleteFile, () => undefined);
    await command('stage');
    assert.deepEqual(told, []);
    assert.equal(onDisk.git('status', '--porcelain'), 'D  gone-there\n');
  });

  it('is neither deleted nor staged, and is named', async () => {
    answers(kDeleteFile, () => onDisk.tryGit('merge', '--abort'));
    await command('stage');
    assert.deepEqual(told, [
      'Some files were left unchanged. gone-here no longer has a conflict; gone-there no longer has a conflict.',
    ]);
    assert.equal(onDisk.git('status', '--porcelain'), '');
    assert.equal(onDisk.read('gone-there'), 'ours\n');
  });

  it('is not deleted where the merge was committed with the file', async () => {
    answers(kDeleteFile, () => {
      onDisk.git('add', '--all');
      onDisk.tryGit('commit', '-q', '-m', 'in a terminal');
    });
    await command('stage');
    assert.equal(told.length, 1);
    assert.equal(onDisk.git('status', '--porcelain'), '');
    assert.equal(onDisk.read('gone-there'), 'ours\n');
  });

  for (const name of ['acceptCurrent', 'acceptIncoming'] as const)
    it(`keeps its file and what it holds after ${name}`, async () => {
      await command(name, () => {
        onDisk.git('add', '--all');
        onDisk.tryGit('commit', '-q', '-m', 'in a terminal');
        for (const path of ['gone-here', 'gone-there']) onDisk.write(path, 'written since\n');
      });
      assert.deepEqual(told, [
        'Some files were left unchanged. gone-here no longer has a conflict; gone-there no longer has a conflict.',
      ]);
      for (const path of ['gone-here', 'gone-there']) assert.equal(onDisk.read(path), 'written since\n');
    });
});
