/** What stands between a command and git: trust, the queue, the log, what is told. */
import { strict as assert } from 'node:assert';
import { rmSync, writeFileSync } from 'node:fs';
import type { LogOutputChannel } from 'vscode';
import type { BuiltInGit } from '../../../extension/git/BuiltInGit';
import type { WayOut } from '../../../extension/git/failureToast';
import { Repository as Model } from '../../../extension/model/Repository';
import { Repository } from '../../support/repository';
import { Sandbox } from '../../support/sandbox';
import {
  installVscodeStandIn,
  outputChannel,
  standInWindow,
  standInWorkspace,
} from '../client/vscodeStandIn';

describe('Git', () => {
  let sandbox: Sandbox;
  let repository: Repository;
  let lines: string[];
  let told: string[];
  let onTold: () => void;
  let onLine: (line: string) => void;

  beforeEach(() => {
    sandbox = new Sandbox();
    repository = Repository.init(sandbox, 'r');
    lines = [];
    told = [];
    onTold = onLine = () => undefined;
    installVscodeStandIn();
    standInWorkspace.getConfiguration = () => ({ get: () => undefined });
    standInWindow.withProgress = (_: unknown, task: () => unknown) => task();
    standInWindow.showWarningMessage = standInWindow.showErrorMessage = (text: string) => {
      told.push(text);
      onTold();
      return Promise.resolve(undefined);
    };
  });
  afterEach(() => {
    for (const name of ['isTrusted', 'getConfiguration']) Reflect.deleteProperty(standInWorkspace, name);
    for (const name of ['withProgress', 'showWarningMessage', 'showErrorMessage']) {
      Reflect.deleteProperty(standInWindow, name);
    }
    sandbox.remove();
  });

  async function make(builtInGit: unknown = { path: 'git', env: sandbox.env }) {
    const { Git } = await import('../../../extension/git/Git.js');
    const builtIn = { git: builtInGit } as unknown as BuiltInGit;
    const log: LogOutputChannel = outputChannel((line) => {
      lines.push(line);
      onLine(line);
    });
    return new Git(builtIn, log, undefined);
  }
  /** Who holds a lock is looked for before it is told. */
  const toldSomething = () =>
    new Promise<void>((resolve) => {
      if (told.length > 0) resolve();
      else onTold = resolve;
    });
  const branch = ['branch', 'made'];
  const isMade = () => repository.tryGit('rev-parse', '--verify', '-q', 'made').code === 0;

  it('runs nothing in a workspace that is not trusted', async () => {
    repository.commit();
    standInWorkspace.isTrusted = false;
    const git = await make();
    assert.equal(
      await git.run(new Model(repository.root), { args: branch }, { title: 'Branching' }),
      undefined,
    );
    assert.ok(!isMade());
    assert.match(told.join(), /untrusted workspace/);
    assert.deepEqual(lines, []);
  });

  it("runs the built-in's git, and logs the whole command with its time", async () => {
    repository.commit();
    standInWorkspace.isTrusted = true;
    const git = await make();
    assert.ok(await git.run(new Model(repository.root), { args: branch }, { title: 'Branching' }));
    assert.ok(isMade());
    assert.match(lines.join('\n'), new RegExp(`^${repository.root}: > git branch made \\[\\d+ ms\\]$`, 'm'));
    assert.deepEqual(told, []);
  });

  it('runs the first git of git.path that is there, where there is no other', async () => {
    standInWorkspace.isTrusted = true;
    const mine = sandbox.path('mine');
    writeFileSync(mine, '#!/bin/sh\necho mine\n', { mode: 0o755 });
    standInWorkspace.getConfiguration = () => ({ get: () => ['/nowhere/git', mine] });
    const git = await make(null);
    const result = await git.run(new Model(repository.root), { args: branch }, { title: 'Branching' });
    assert.equal(result?.stdout.toString(), 'mine\n');
  });

  it("tells a failure with git's reason, unless it is expected", async () => {
    standInWorkspace.isTrusted = true;
    const git = await make();
    const model = new Model(repository.root);
    const commit = { args: ['commit', '-m', 'x'] };
    const result = await git.run(model, commit, { title: 'Committing', expected: ['nothingToCommit'] });
    assert.equal(result?.code, 1);
    assert.deepEqual(told, []);
    assert.equal(await git.run(model, { args: ['restore', 'nowhere'] }, { title: 'Restoring' }), undefined);
    await toldSomething();
    assert.match(told.join(), /^Restoring failed at .*\d:\d\d.*\. pathspec 'nowhere' did not match/);
  });

  it('offers the way out beside the message, and takes it', async () => {
    standInWorkspace.isTrusted = true;
    const git = await make();
    const tried: string[] = [];
    standInWindow.showWarningMessage = (_: string, ...buttons: string[]) => {
      tried.push(buttons.join(', '));
      return Promise.resolve('Publish');
    };
    const ways = { noRemote: [{ label: 'Publish', run: () => undefined }] as [WayOut] };
    const isTaken = new Promise<void>((resolve) => {
      ways.noRemote[0].run = () => {
        tried.push('published');
        resolve();
      };
    });
    await git.run(new Model(repository.root), { args: ['push'] }, { title: 'Pushing', ways });
    await isTaken;
    assert.deepEqual(tried, ['Publish, Show Output', 'published']);
  });

  it('logs and tells no password of a URL', async () => {
    standInWorkspace.isTrusted = true;
    const git = await make();
    const model = new Model(repository.root);
    const url = 'nothing://me:s3cret@host.test/r:1@2';
    await git.run(model, { args: ['remote', 'add', 'origin', url] }, { title: 'Adding' });
    await git.run(model, { args: ['fetch'] }, { title: 'Fetching' });
    await toldSomething();
    const all = [...lines, ...told].join('\n');
    assert.match(all, /> git remote add origin nothing:\/\/me:\*\*\*@host\.test\/r:1@2/);
    assert.doesNotMatch(all, /s3cret/);
    assert.equal(repository.git('remote', 'get-url', 'origin').trim(), url);
  });

  it('waits for a lock that is held for a moment, and tells of one that stays', async () => {
    standInWorkspace.isTrusted = true;
    repository.write('f', 'f\n');
    const lock = repository.absolute('.git/index.lock');
    writeFileSync(lock, '');
    onLine = (line) => {
      if (line.includes('index.lock')) rmSync(lock, { force: true });
    };
    const git = await make();
    const model = new Model(repository.root);
    assert.ok(await git.run(model, { args: ['add', 'f'] }, { title: 'Staging' }));
    assert.deepEqual([told, lines.length], [[], 2], 'the first failed');
    onLine = () => undefined;
    writeFileSync(lock, '');
    assert.equal(
      await git.run(model, { args: ['reset', '-q', '--', 'f'] }, { title: 'Unstaging' }),
      undefined,
    );
    await toldSomething();
    assert.match(
      told.join(),
      /Another git process has locked .*index\.lock.*None of your git processes runs there/,
    );
  });

  it('runs nothing in a folder whose name is not valid UTF-8', async () => {
    standInWorkspace.isTrusted = true;
    const git = await make();
    assert.equal(await git.run(new Model('/r\udcff'), { args: branch }, { title: 'Branching' }), undefined);
    assert.match(told.join(), /is not valid UTF-8/);
  });
});
