/** The buttons of failure toasts, clicked. */
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
  /** Toasts with their buttons. The button named by `clicks` is clicked once. */
  let offered: string[];
  let clicks: string | undefined;
  let asked: string[];
  /** The answer to every dialog. */
  let confirms: boolean;
  /** Runs while the toast is shown. */
  let beforeClick: () => unknown;
  let onTaken: () => void;

  beforeEach(() => {
    sandbox = new Sandbox();
    repository = Repository.init(sandbox, 'r');
    model = new Model(repository.root);
    offered = [];
    asked = [];
    confirms = true;
    beforeClick = () => undefined;
    onTaken = () => undefined;
    installVscodeStandIn({ Uri: { file: (path: string) => ({ scheme: 'file', path, fsPath: path }) } });
    standInWorkspace.isTrusted = true;
    standInWorkspace.getConfiguration = () => ({ get: () => undefined });
    standInWindow.withProgress = (_: unknown, task: () => unknown) => task();
    const toast = async (text: string, ...buttons: string[]) => {
      offered.push(`${text.replace(/at \d.*?\d\d.*?\. /, 'at …. ')} [${buttons.join(', ')}]`);
      const answer = clicks;
      clicks = undefined;
      if (answer === undefined) onTaken();
      else await beforeClick();
      return answer;
    };
    standInWindow.showErrorMessage = toast;
    standInWindow.showWarningMessage = (text: string, ...buttons: unknown[]) => {
      const [options, label] = buttons;
      if (typeof options !== 'object') return toast(text, ...(buttons as string[]));
      asked.push(text);
      return Promise.resolve(confirms ? label : undefined);
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
  /** Creates a file that is modified here and on `theirs`. */
  function standsInTheWay(): void {
    repository.write('f', 'base\n');
    repository.commit();
    repository.git('checkout', '-q', '-b', 'theirs');
    repository.write('f', 'theirs\n');
    repository.commit();
    repository.git('checkout', '-q', 'main');
    repository.write('f', 'mine\n');
  }
  /** Waits for `count` toasts. Before each toast the extension reads the repository's state. */
  async function told(count: number): Promise<void> {
    const deadline = Date.now() + 20_000;
    while (offered.length < count) {
      assert.ok(Date.now() < deadline, offered.join('\n'));
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
  const stashes = () => repository.git('stash', 'list', '--format=%gs').split('\n').filter(Boolean);

  it('a commit that a hook refuses is made without it, after asking, and not offered again', async () => {
    const { commitCommands } = await import('../../../extension/features/commit/commands.js');
    refuses();
    const box = { value: 'message' };
    const own = await context(box);
    repository.write('f', 'f\n');
    repository.git('add', 'f');
    clicks = 'Skip Hooks';
    const isTaken = taken();
    await commitCommands['residentGit.commit'](own, model);
    await isTaken;
    assert.deepEqual(offered, [
      'Committing failed at …. A hook refused the commit: could not compile [Show Output, Skip Hooks]',
    ]);
    assert.match(asked.join(), /without running the pre-commit and commit-msg hooks/);
    assert.equal(repository.git('log', '--format=%s').trim(), 'message');

    // --no-verify does not skip the hook prepare-commit-msg.
    repository.write('.git/hooks/prepare-commit-msg', '#!/bin/sh\nexit 1\n');
    chmodSync(repository.absolute('.git/hooks/prepare-commit-msg'), 0o755);
    repository.write('f', 'another\n');
    repository.git('add', 'f');
    box.value = 'another';
    await commitCommands['residentGit.commitNoVerify'](own, model);
    await told(2);
    assert.equal(offered.at(-1), 'Committing failed at …. A hook refused the commit. [Show Output]');
  });

  it('changes in the way are stashed, and then it is tried again', async () => {
    const { byStashing } = await import('../../../extension/features/stash/waysOut.js');
    const own = await context();
    standsInTheWay();
    clicks = 'Stash & Retry';
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
    assert.match(
      offered.join(),
      /^Merging failed at …\. Your changes to f would be overwritten by merge\..*\[Stash & Retry, Show Output\]/,
    );
    assert.equal(repository.read('f'), 'theirs\n');
    assert.equal(stashes().length, 1);
  });

  it('a way is not taken unasked where the repository has changed since the toast', async () => {
    const { byStashing } = await import('../../../extension/features/stash/waysOut.js');
    const own = await context();
    standsInTheWay();
    clicks = 'Stash & Retry';
    confirms = false;
    beforeClick = () => repository.git('commit', '-q', '-a', '-m', 'meanwhile');
    let tried = 0;
    const ways = byStashing(own, model, () => Promise.resolve(tried++));
    await own.git.run(model, { args: ['merge', '-q', 'theirs'] }, { title: 'Merging', ways });
    const deadline = Date.now() + 20_000;
    while (asked.length === 0) {
      assert.ok(Date.now() < deadline, offered.join('\n'));
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    assert.match(asked.join(), /^The repository has changed since \d/);
    assert.deepEqual([tried, stashes()], [0, []]);
  });

  it('the stash that was picked is popped, though another is the latest by then', async () => {
    const { stashCommands } = await import('../../../extension/features/stash/commands.js');
    const own = await context();
    repository.write('f', 'base\n');
    repository.commit();
    repository.write('f', 'stashed\n');
    repository.git('stash', 'push', '-q', '-m', 'picked');
    repository.write('f', 'mine\n');
    clicks = 'Stash & Retry';
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
