/** What is offered beside a failure, taken. */
import { strict as assert } from 'node:assert';
import { chmodSync, readFileSync } from 'node:fs';
import type { CommandContext } from '../../../extension/commands/context';
import type { BuiltInGit } from '../../../extension/git/BuiltInGit';
import { Repository as Model } from '../../../extension/model/Repository';
import { Repository } from '../../support/repository';
import { Sandbox } from '../../support/sandbox';
import {
  installVscodeStandIn,
  outputChannel,
  standInWindow,
  standInWorkspace,
} from '../client/vscodeStandIn';

describe('Ways out', () => {
  let sandbox: Sandbox;
  let repository: Repository;
  let model: Model;
  /** Buttons of each failure; the one that `clicks` names is taken, once. */
  let offered: string[];
  let clicks: string | undefined;
  let asked: string[];
  let onTaken: () => void;

  beforeEach(() => {
    sandbox = new Sandbox();
    repository = Repository.init(sandbox, 'r');
    model = new Model(repository.root);
    offered = [];
    asked = [];
    onTaken = () => undefined;
    installVscodeStandIn();
    standInWorkspace.isTrusted = true;
    standInWorkspace.getConfiguration = () => ({ get: () => undefined });
    standInWindow.withProgress = (_: unknown, task: () => unknown) => task();
    standInWindow.showErrorMessage = (text: string, ...buttons: string[]) => {
      offered.push(`${text} [${buttons.join(', ')}]`);
      const answer = clicks;
      clicks = undefined;
      if (answer === undefined) onTaken();
      return Promise.resolve(answer);
    };
    standInWindow.showWarningMessage = (text: string) => {
      asked.push(text);
      return Promise.resolve('OK');
    };
  });
  afterEach(() => {
    for (const name of ['isTrusted', 'getConfiguration']) Reflect.deleteProperty(standInWorkspace, name);
    for (const name of ['withProgress', 'showWarningMessage', 'showErrorMessage']) {
      Reflect.deleteProperty(standInWindow, name);
    }
    sandbox.remove();
  });

  async function context(box = { value: '' }): Promise<CommandContext> {
    const { Git } = await import('../../../extension/git/Git.js');
    const builtIn = { git: { path: 'git', env: sandbox.env } } as unknown as BuiltInGit;
    const git = new Git(
      builtIn,
      outputChannel(() => undefined),
      undefined,
    );
    const sourceControls = {
      inputBoxOf: () => box,
      messageIn: () => box.value,
      clearMessage: () => {
        box.value = '';
        onTaken();
      },
      keptMessages: { keep: () => Promise.resolve(), forget: () => Promise.resolve() },
    };
    return { git, sourceControls, registry: { repositories: [model] } } as unknown as CommandContext;
  }
  const taken = () =>
    new Promise<void>((resolve) => {
      onTaken = resolve;
    });
  function refuses(): void {
    repository.write('.git/hooks/pre-commit', '#!/bin/sh\necho "error: could not compile" >&2\nexit 1\n');
    chmodSync(repository.absolute('.git/hooks/pre-commit'), 0o755);
  }
  /** A file that is changed here and on `theirs`. */
  function standsInTheWay(): void {
    repository.write('f', 'base\n');
    repository.commit();
    repository.git('checkout', '-q', '-b', 'theirs');
    repository.write('f', 'theirs\n');
    repository.commit();
    repository.git('checkout', '-q', 'main');
    repository.write('f', 'mine\n');
  }
  const stashes = () => repository.git('stash', 'list', '--format=%gs').split('\n').filter(Boolean);

  it('a commit that a hook refuses is made without it, after asking, and not offered again', async () => {
    const { commitCommands } = await import('../../../extension/commands/commit.js');
    refuses();
    const box = { value: 'message' };
    const own = await context(box);
    repository.write('f', 'f\n');
    repository.git('add', 'f');
    clicks = 'Commit (No Verify)';
    const isTaken = taken();
    await commitCommands['residentGit.commit'](own, model);
    await isTaken;
    assert.deepEqual(offered, [
      'Git: A hook refused the commit: could not compile [Commit (No Verify), Show Command Output]',
    ]);
    assert.match(asked.join(), /without verification/);
    assert.equal(repository.git('log', '--format=%s').trim(), 'message');

    // prepare-commit-msg runs all the same.
    repository.write('.git/hooks/prepare-commit-msg', '#!/bin/sh\nexit 1\n');
    chmodSync(repository.absolute('.git/hooks/prepare-commit-msg'), 0o755);
    repository.write('f', 'another\n');
    repository.git('add', 'f');
    box.value = 'another';
    await commitCommands['residentGit.commitNoVerify'](own, model);
    assert.equal(offered.at(-1), 'Git: A hook refused the commit. [Show Command Output]');
  });

  it('changes in the way are stashed, and then it is tried again', async () => {
    const { byStashing } = await import('../../../extension/commands/waysOut.js');
    const own = await context();
    standsInTheWay();
    clicks = 'Stash & Try Again';
    const isTaken = taken();
    const merge = (): Promise<unknown> =>
      own.git.run(
        model,
        { args: ['merge', '-q', 'theirs'] },
        {
          title: 'Merging',
          ways: byStashing(own, model, () => merge().then(onTaken)),
        },
      );
    await merge();
    await isTaken;
    assert.match(offered.join(), /^Git: It would overwrite changes .*\[Stash & Try Again, /);
    assert.equal(repository.read('f'), 'theirs\n');
    assert.equal(stashes().length, 1);
  });

  it('the stash that was picked is popped, though another is the latest by then', async () => {
    const { stashCommands } = await import('../../../extension/commands/stash.js');
    const own = await context();
    repository.write('f', 'base\n');
    repository.commit();
    repository.write('f', 'stashed\n');
    repository.git('stash', 'push', '-q', '-m', 'picked');
    repository.write('f', 'mine\n');
    clicks = 'Stash & Try Again';
    await stashCommands['residentGit.stashPopLatest'](own, model);
    const deadline = Date.now() + 20_000;
    const isPopped = () =>
      stashes().length === 1 && readFileSync(repository.absolute('f'), 'utf8') === 'stashed\n';
    while (offered.length === 0 || stashes().join().includes('picked') || !isPopped()) {
      assert.ok(Date.now() < deadline, `${offered.join('\n')}\n${stashes().join('\n')}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    assert.deepEqual([asked, offered.length], [[], 1]);
    assert.doesNotMatch(stashes().join(), /picked/);
  });
});
