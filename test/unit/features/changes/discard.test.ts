/** Discarded untracked files go to the trash if the host has a trash and the setting wants it. */
import { strict as assert } from 'node:assert';
import type { CommandContext } from '../../../../extension/commands/context';
import { Repository } from '../../../../extension/model/Repository';
import { Repository as OnDisk } from '../../../support/repository';
import { Sandbox } from '../../../support/sandbox';
import { installVscodeStandIn, standInWindow, standInWorkspace } from '../../client/vscodeStandIn';

describe('discarding an untracked file', () => {
  const entry = { kind: 'untracked', path: 'new.txt' } as const;
  let sandbox: Sandbox;
  let onDisk: OnDisk;
  let trashed: string[];

  beforeEach(() => {
    sandbox = new Sandbox();
    onDisk = OnDisk.init(sandbox, 'r');
    onDisk.write('new.txt', 'new\n');
    trashed = [];
  });
  afterEach(() => {
    sandbox.remove();
    delete standInWindow.showWarningMessage;
    delete standInWorkspace.fs;
    delete standInWorkspace.getConfiguration;
  });

  /** Clicks the button for a single file. Returns the question. */
  async function discard({ remoteName, toTrash = true }: { remoteName?: string; toTrash?: boolean }) {
    let asked = '';
    const uri = (path: string) => ({ path, with: () => uri(path) });
    installVscodeStandIn({
      env: { remoteName, language: 'en' },
      Uri: Object.assign(() => undefined, { file: uri }),
    });
    standInWorkspace.getConfiguration = () => ({
      get: (name: string) => (name === 'discardUntrackedChangesToTrash' ? toTrash : undefined),
    });
    standInWorkspace.fs = {
      delete: ({ path }: { path: string }, options: unknown) => {
        assert.deepEqual(options, { useTrash: true });
        trashed.push(path);
        return Promise.resolve();
      },
    };
    standInWindow.showWarningMessage = (
      message: string,
      { detail = '' }: { detail?: string },
      button: string,
    ) => {
      asked = `${message} ${detail} [${button}]`;
      return Promise.resolve(button);
    };
    const { changeCommands } = await import('../../../../extension/features/changes/commands.js');
    const { Resource } = await import('../../../../extension/scm/Resource.js');
    const row = Object.assign(Object.create(Resource.prototype) as object, {
      repository: new Repository(onDisk.root),
      entry,
      group: 'untracked',
    });
    const context = {
      registry: { paths: { toOpened: (path: string) => [path] } },
      currentStatus: { ask: () => Promise.resolve([entry]) },
      git: {
        exclusively: (_: unknown, __: unknown, task: (run: unknown, signal: AbortSignal) => unknown) =>
          task(() => assert.fail('no git is needed'), new AbortController().signal),
      },
    } as unknown as CommandContext;
    await changeCommands['residentGit.discard'](context, row);
    return asked;
  }

  it('moves it to the trash where there is one, and says so', async () => {
    assert.match(await discard({}), /You can restore this file from the Trash\. \[Move to Trash\]/);
    assert.deepEqual(trashed, [`${onDisk.root}/new.txt`]);
    assert.ok(onDisk.exists('new.txt'));
  });

  it('deletes it on a remote host, or where no trash is wanted, and says that it is lost', async () => {
    for (const options of [{ remoteName: 'ssh-remote' }, { toTrash: false }]) {
      onDisk.write('new.txt', 'new\n');
      assert.match(await discard(options), /will be lost.*\[Delete File\]/s);
      assert.ok(!onDisk.exists('new.txt'));
    }
    assert.deepEqual(trashed, []);
  });
});
