/** The title button cancels git in its own repository. The palette asks if several repositories are busy. */
import { strict as assert } from 'node:assert';
import type { CommandContext } from '../../../../extension/commands/context';
import type { BuiltInGit } from '../../../../extension/git/BuiltInGit';
import { Repository } from '../../../../extension/model/Repository';
import { Sandbox } from '../../../support/sandbox';
import {
  installVscodeStandIn,
  outputChannel,
  standInWindow,
  standInWorkspace,
} from '../../client/vscodeStandIn';

interface Item {
  repository: Repository;
}

describe('Cancel the Running Git Command', () => {
  const [first, second, idle] = ['/first', '/second', '/idle'].map((root) => new Repository(root)) as [
    Repository,
    Repository,
    Repository,
  ];
  /** The argument that the view's title button passes. */
  const title = { inputBox: {}, createResourceGroup: () => undefined };
  let asked: Repository[][];
  let ended: Repository[];
  let sandbox: Sandbox;

  beforeEach(() => {
    sandbox = new Sandbox();
    [asked, ended] = [[], []];
    installVscodeStandIn();
    standInWorkspace.isTrusted = true;
    standInWindow.withProgress = (_: unknown, task: () => unknown) => task();
    standInWindow.showQuickPick = (items: Item[]) => {
      asked.push(items.map(({ repository }) => repository));
      return Promise.resolve(items.find(({ repository }) => repository === second));
    };
  });
  afterEach(() => {
    Reflect.deleteProperty(standInWorkspace, 'isTrusted');
    for (const name of ['withProgress', 'showQuickPick']) Reflect.deleteProperty(standInWindow, name);
    sandbox.remove();
  });

  async function start(...busy: Repository[]) {
    const { Git } = await import('../../../../extension/git/Git.js');
    const { changeCommands } = await import('../../../../extension/features/changes/commands.js');
    const builtIn = { git: { path: 'git', env: sandbox.env } } as unknown as BuiltInGit;
    const git = new Git(
      builtIn,
      outputChannel(() => undefined),
      undefined,
    );
    const running = busy.map((repository) =>
      git.exclusively(repository, { title: 'Waiting' }, async (_, signal) => {
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        ended.push(repository);
      }),
    );
    await new Promise(setImmediate);
    const context = {
      git,
      registry: { repositories: [first, second, idle] },
      sourceControls: { repositoryOf: () => second },
      statusBar: { activeRepository: undefined },
    } as unknown as CommandContext;
    const cancel = async (argument?: unknown) => {
      await changeCommands['residentGit.cancelGit'](context, argument);
      await new Promise(setImmediate);
    };
    const end = async () => {
      for (const repository of busy) git.cancel(repository);
      await Promise.all(running);
    };
    return { cancel, end, git };
  }

  it('ends what runs in the repository of the title, and nothing elsewhere', async () => {
    const { cancel, end, git } = await start(first, second);
    await cancel(title);
    assert.deepEqual(ended, [second]);
    assert.ok(git.isBusy(first) && !git.isBusy(second));
    await end();
    assert.deepEqual(asked, []);
  });

  it('ends nothing by the title of a repository that is idle', async () => {
    const { cancel, end } = await start(first);
    await cancel(title);
    assert.deepEqual(ended, []);
    await end();
  });

  it('takes the only one that is busy by the palette', async () => {
    const { cancel, end } = await start(first);
    await cancel();
    assert.deepEqual(ended, [first]);
    await end();
    assert.deepEqual(asked, []);
  });

  it('asks which of the busy ones by the palette, and ends nothing where none is', async () => {
    const several = await start(first, second);
    await several.cancel();
    assert.deepEqual(asked, [[first, second]]);
    assert.deepEqual(ended, [second]);
    await several.end();
    const none = await start();
    await none.cancel();
    assert.equal(asked.length, 1);
  });
});
