/** Fetch, pull, push and publish as a person does it, compared with git on both sides. */
import assert from 'node:assert/strict';
import { chmodSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { GitDaemon } from '../support/gitDaemon';
import { HttpRemote } from '../support/httpRemote';
import { Repository } from '../support/repository';
import { GitRun } from './support/gitRun';
import { poll } from './support/poll';
import { Session } from './support/session';
import { ViewMenu } from './support/viewMenu';

describe('a remote in the workbench', () => {
  let session: Session;
  let repository: Repository;
  let remote: Repository;
  let other: Repository;

  before(async () => {
    const sandbox = await Session.sharedSandbox();
    remote = Repository.init(sandbox, 'remote', '--bare');
    repository = Repository.init(sandbox, 'project');
    repository.write('alpha.txt', 'alpha\n');
    repository.commit('base');
    other = new Repository(sandbox, sandbox.path('other'));
    session = await Session.share(sandbox);
    await session.workbench.showSourceControl();
  });
  Session.ofSuite();

  const log = (where: Repository, revision: string) =>
    where.git('log', '--format=%s', revision).trimEnd().split('\n');
  async function logBecomes(where: Repository, revision: string, ...expected: string[]): Promise<void> {
    await poll(() => assert.deepEqual(log(where, revision), expected), {
      what: `${revision} is ${expected.join(', ')}`,
    });
  }
  /** Waits for an item in the status bar with this accessible name. */
  async function says(label: RegExp): Promise<void> {
    await poll(
      async () => {
        const items = await session.workbench.statusItems();
        const labels = items.map((item) => item.label);
        assert.ok(
          labels.some((text) => label.test(text)),
          labels.join('\n'),
        );
      },
      { what: `the status bar says ${String(label)}` },
    );
  }

  it('says what is missing, and offers it: a remote', async () => {
    await session.workbench.command('Resident Git: Publish Branch...');
    await session.workbench.notifications.answer('Add Remote...');
    await session.workbench.type('URL', '../remote');
    await session.workbench.type('Remote name', 'origin');
    await poll(() => assert.equal(repository.git('remote', 'get-url', 'origin'), '../remote\n'), {
      what: 'the remote is there',
    });
  });

  it('publishes the branch by a click in the status bar', async () => {
    await says(/^project \(Resident Git\) - Publish Branch/);
    await session.workbench.clickStatusItem('project (Resident Git) - Publish Branch');
    await logBecomes(remote, 'main', 'base');
    await says(/^project \(Resident Git\) - Synchronize Changes$/);
    assert.equal(repository.git('rev-parse', '--abbrev-ref', 'main@{upstream}').trim(), 'origin/main');
  });

  it('shows what there is to push, and pushes it', async () => {
    repository.commit('ours');
    await says(/^project \(Resident Git\) - Push 1 commit to origin\/main/);
    await session.workbench.command('Resident Git: Push');
    await logBecomes(remote, 'main', 'ours', 'base');
    await says(/^project \(Resident Git\) - Synchronize Changes$/);
  });

  it('has the upstream and the nearest tag in the tooltip of the branch, with nothing else', async () => {
    const branch = String.raw`- main, Checkout Branch or Tag\.\.\.\nUpstream origin/main: 0 ahead, 0 behind`;
    repository.git('tag', 'v1', 'HEAD~1');
    await says(new RegExp(`${branch}\\n1 commit after tag v1$`));
    repository.git('tag', '-d', 'v1');
    await says(new RegExp(`${branch}$`));
  });

  it('shows what there is to pull after fetching, and pulls it', async () => {
    session.sandbox.exec('git', 'clone', '-q', 'remote', 'other');
    other.write('theirs.txt', 'theirs\n');
    other.commit('theirs');
    other.git('push', '-q');
    await session.workbench.command('Resident Git: Fetch');
    await says(/^project \(Resident Git\) - Pull 1 commit from origin\/main/);
    await new ViewMenu(session.workbench).pick('Pull, Push', 'Pull');
    await logBecomes(repository, 'main', 'theirs', 'ours', 'base');
    await says(/^project \(Resident Git\) - Synchronize Changes$/);
    await session.matchesGit(repository);
  });

  it('offers the way out where the remote has more, and both ways where branches diverge', async () => {
    other.commit('theirs again');
    other.git('push', '-q');
    repository.write('mine.txt', 'mine\n');
    repository.commit('mine');
    await session.workbench.command('Resident Git: Push');
    const toast = await session.workbench.notifications.look(
      /Pushing to origin\/main failed at .*The remote has commits you don't have yet\. Pull first\./,
    );
    assert.deepEqual(toast, { isWarning: true, buttons: ['Pull', 'Fetch'] });
    // The toast is about an older commit by now.
    repository.git('commit', '-q', '--amend', '--no-edit', '--author=Ada <ada@example.org>');
    await session.workbench.notifications.answer('Pull');
    await session.workbench.dialog(/The repository has changed since/, 'Pull');
    await session.workbench.notifications.answer('Rebase');
    await logBecomes(repository, 'main', 'mine', 'theirs again', 'theirs', 'ours', 'base');
    await says(/^project \(Resident Git\) - Push 1 commit to origin\/main/);
  });

  it('synchronizes by a click, after asking', async () => {
    await session.workbench.clickStatusItem('project (Resident Git) - Push 1 commit');
    await session.workbench.dialog(/Pull commits from "origin\/main" and push yours/, 'Cancel');
    assert.equal(log(remote, 'main')[0], 'theirs again');
    await session.workbench.clickStatusItem('project (Resident Git) - Push 1 commit');
    await session.workbench.dialog(/Pull commits from "origin\/main" and push yours/, /^OK$/);
    await logBecomes(remote, 'main', 'mine', 'theirs again', 'theirs', 'ours', 'base');
    await says(/^project \(Resident Git\) - Synchronize Changes$/);
  });

  it('pushes by force after asking, and not over what was never fetched', async () => {
    repository.git('commit', '-q', '--amend', '-m', 'mine, better');
    other.git('fetch', '-q');
    other.git('reset', '-q', '--hard', 'origin/main');
    other.commit('in the way');
    other.git('push', '-q');
    await session.workbench.command('Resident Git: Push (Force)');
    await session.workbench.dialog(/Force push replaces the commits/, 'Force Push');
    await session.workbench.notifications.answer('Fetch');
    await says(/^project \(Resident Git\) - Pull 2 and push 1 commit between/);
    assert.equal(log(remote, 'main')[0], 'in the way');
    await session.workbench.command('Resident Git: Push (Force)');
    await session.workbench.dialog(/Force push replaces the commits/, 'Force Push');
    await logBecomes(remote, 'main', 'mine, better', 'theirs again', 'theirs', 'ours', 'base');
    const replaced = other.git('rev-parse', '--short', 'HEAD').trim();
    await session.workbench.notifications.clear(
      new RegExp(`Force push replaced main\\. The remote branch was at ${replaced}`),
    );
  });

  it('prunes what is gone', async () => {
    other.git('push', '-q', 'origin', 'HEAD:side');
    await session.workbench.command('Resident Git: Fetch');
    const hasSide = () => repository.tryGit('rev-parse', '-q', '--verify', 'origin/side').code === 0;
    await poll(() => assert.ok(hasSide()), { what: 'side is fetched' });
    other.git('push', '-q', 'origin', ':side');
    await session.workbench.command('Resident Git: Fetch (Prune)');
    await poll(() => assert.ok(!hasSide()), { what: 'side is gone' });
  });

  it('pulls from a branch that is picked, and pushes to a remote that is', async () => {
    other.git('checkout', '-q', '-b', 'feature/one');
    other.git('fetch', '-q');
    other.git('reset', '-q', '--hard', 'origin/main');
    other.commit('a feature');
    other.git('push', '-q', 'origin', 'feature/one');
    await session.workbench.command('Resident Git: Fetch');
    const isFetched = () => repository.tryGit('rev-parse', '-q', '--verify', 'origin/feature/one').code === 0;
    await poll(() => assert.ok(isFetched()), { what: 'the feature is fetched' });
    await session.workbench.command('Resident Git: Pull from...');
    await session.workbench.find('Select a branch to pull from', 'feature', 'origin/feature/one');
    await logBecomes(
      repository,
      'main',
      'a feature',
      'mine, better',
      'theirs again',
      'theirs',
      'ours',
      'base',
    );
    repository.git('checkout', '-q', '-b', 'side');
    await says(/^project \(Resident Git\) - Publish Branch/);
    await session.workbench.command('Resident Git: Push to...');
    await session.workbench.pick('origin');
    await logBecomes(remote, 'side', 'a feature', 'mine, better', 'theirs again', 'theirs', 'ours', 'base');
    repository.git('commit', '-q', '--amend', '--allow-empty', '-m', 'a better feature');
    await session.workbench.command('Resident Git: Push to... (Force)');
    await session.workbench.pick('origin');
    await session.workbench.dialog(/Force push replaces the commits/, 'Force Push');
    await poll(() => assert.equal(log(remote, 'side')[0], 'a better feature'), { what: 'it is pushed' });
  });

  it('deletes a remote branch after asking', async () => {
    const hasFeature = () =>
      remote.tryGit('rev-parse', '-q', '--verify', 'refs/heads/feature/one').code === 0;
    await session.workbench.command('Resident Git: Delete Remote Branch...');
    await session.workbench.find('Select a remote branch to delete', 'feature', 'origin/feature/one');
    await session.workbench.dialog(/delete the branch "feature\/one" on "origin"/, 'Cancel');
    assert.ok(hasFeature());
    await session.workbench.command('Resident Git: Delete Remote Branch...');
    await session.workbench.find('Select a remote branch to delete', 'feature', 'origin/feature/one');
    await session.workbench.dialog(/delete the branch "feature\/one" on "origin"/, 'Delete Branch');
    await poll(() => assert.ok(!hasFeature()), { what: 'the branch is gone' });
    await session.workbench.notifications.answer('Undo', /Deleted branch feature\/one on origin/);
    await poll(() => assert.ok(hasFeature()), { what: 'the branch is back' });
  });

  it('pushes tags, with what they belong to or alone, and deletes one there after asking', async () => {
    const tags = () => remote.git('tag').split('\n').slice(0, -1);
    repository.git('checkout', '-q', 'main');
    repository.git('branch', '-q', '--set-upstream-to=origin/main');
    repository.git('pull', '-q', '--rebase');
    repository.commit('released');
    repository.git('tag', '-a', '-m', 'x', 'v1');
    repository.git('tag', 'light');
    await session.workbench.command('Resident Git: Push (Follow Tags)');
    await poll(() => assert.deepEqual([tags(), log(remote, 'main')[0]], [['v1'], 'released']), {
      what: 'v1 is pushed with its commit',
    });
    await session.workbench.command('Resident Git: Push Tags');
    await poll(() => assert.deepEqual(tags(), ['light', 'v1']), { what: 'all tags are pushed' });
    await session.workbench.command('Resident Git: Delete Remote Tag...');
    await session.workbench.find('Select a remote tag to delete', 'v1');
    await session.workbench.dialog(/delete the tag "v1" on "origin"/, 'Delete Tag');
    await poll(() => assert.deepEqual(tags(), ['light']), { what: 'the tag is gone there' });
    assert.equal(repository.git('tag'), 'light\nv1\n');
  });

  it('pulls and synchronizes by a rebase, and fetches from all remotes', async () => {
    const theirs = (subject: string) => {
      other.git('fetch', '-q');
      other.git('reset', '-q', '--hard', 'origin/main');
      other.commit(subject);
      other.git('push', '-q', 'origin', 'HEAD:main');
    };
    theirs('to be under ours');
    repository.commit('on top');
    await session.workbench.command('Resident Git: Pull (Rebase)');
    await poll(
      () => assert.deepEqual(log(repository, 'main').slice(0, 3), ['on top', 'to be under ours', 'released']),
      { what: 'it is rebased' },
    );
    await says(/^project \(Resident Git\) - Push 1 commit to origin\/main/);
    theirs('to be under it too');
    await session.workbench.command('Resident Git: Sync (Rebase)');
    await session.workbench.dialog(/Pull commits from "origin\/main" and push yours/, /^OK$/);
    await poll(
      () =>
        assert.deepEqual(log(remote, 'main').slice(0, 3), [
          'on top',
          'to be under it too',
          'to be under ours',
        ]),
      { what: 'it is rebased and pushed' },
    );
    repository.git('remote', 'add', 'second', '../other');
    theirs('for all');
    await session.workbench.command('Resident Git: Fetch From All Remotes');
    for (const revision of ['origin/main', `second/${other.git('branch', '--show-current').trim()}`])
      await poll(() => assert.equal(log(repository, revision)[0], 'for all'), {
        what: `${revision} is there`,
      });
    repository.git('remote', 'remove', 'second');
  });

  it('removes a remote after asking', async () => {
    const remotes = () => repository.git('remote').split('\n').slice(0, -1);
    repository.git('remote', 'add', 'fork', '../other');
    await new ViewMenu(session.workbench).pick('Remote', 'Remove Remote');
    await session.workbench.find('Select a remote to remove', 'origin');
    await session.workbench.dialog(/remove the remote "origin"/, 'Remove Remote');
    await poll(() => assert.deepEqual(remotes(), ['fork']), { what: 'the remote is gone' });
    await session.workbench.command('Resident Git: Remove Remote');
    await session.workbench.dialog(/remove the remote "fork"/, 'Cancel');
    assert.deepEqual(remotes(), ['fork']);
    await says(/^project \(Resident Git\) - Publish Branch/);
  });

  describe('behind a server', () => {
    let served: Repository;
    let http: HttpRemote;
    let daemon: GitDaemon;

    before(async () => {
      const { sandbox } = session;
      served = Repository.init(sandbox, 'served', '--bare');
      served.config('http.receivepack', 'true');
      http = await HttpRemote.start(sandbox, 'me:secret');
      daemon = await GitDaemon.start(sandbox);
      repository.git('checkout', '-q', 'main');
      repository.git('remote', 'add', 'served', served.root);
      repository.git('push', '-q', '-u', 'served', 'main');
    });
    after(async () => {
      await http.stop();
      await daemon.stop();
    });

    function hook(where: Repository, path: string, script: string): void {
      where.write(path, `#!/bin/sh\n${script}\n`);
      chmodSync(where.absolute(path), 0o755);
    }
    /** Waits until the numbers in the status bar match git. */
    async function counts(behind: number, ahead: number): Promise<void> {
      const label = /^project \(Resident Git\) - (Synchronize Changes|Pull|Push)/;
      await poll(
        async () => {
          const range = '@{upstream}...HEAD';
          assert.equal(repository.git('rev-list', '--left-right', '--count', range), `${behind}\t${ahead}\n`);
          const item = (await session.workbench.statusItems()).find((each) => label.test(each.label));
          assert.equal(item?.text.trim(), behind + ahead > 0 ? `${behind}\u2193 ${ahead}\u2191` : '');
        },
        { what: `${behind} behind and ${ahead} ahead` },
      );
    }

    it("tells the words of a server's hook, and has the branch still to be pushed", async () => {
      const withPassword = http.url.replace('://', '://me:secret@');
      repository.git('remote', 'set-url', 'served', `${withPassword}/served`);
      const framed = ['', '=====', 'ERROR: main is protected.', 'Open a merge request.', '====='];
      hook(
        served,
        'hooks/pre-receive',
        `printf '%s\\n' ${framed.map((line) => `'${line}'`).join(' ')} >&2; exit 1`,
      );
      repository.commit('refused');
      await counts(0, 1);
      await session.workbench.command('Resident Git: Push');
      await session.workbench.notifications.shows(
        /The remote refused the request: pre-receive hook declined: ERROR: main is protected\./,
      );
      await session.workbench.notifications.answer('Show Output');
      await session.workbench.editorShows(/> git push.*main is protected.*Open a merge request.*exit code 1/);
      await counts(0, 1);
      assert.notEqual(log(served, 'main')[0], 'refused');
      served.remove('hooks/pre-receive');
      await session.workbench.command('Resident Git: Push');
      await poll(() => assert.equal(log(served, 'main')[0], 'refused'), { what: 'it is pushed' });
      await counts(0, 0);
      assert.doesNotMatch(session.extensionLog(), /secret/);
    });

    it("fetches and pulls from git's daemon, and tells that it takes nothing", async () => {
      repository.git('remote', 'set-url', 'served', `${daemon.url}/served`);
      session.sandbox.exec('git', 'clone', '-q', 'served', 'theirs');
      const theirs = new Repository(session.sandbox, session.sandbox.path('theirs'));
      theirs.write('of-theirs.txt', 'theirs\n');
      theirs.commit('of theirs');
      theirs.git('push', '-q');
      await session.workbench.command('Resident Git: Fetch');
      await counts(1, 0);
      await session.workbench.command('Resident Git: Pull');
      await counts(0, 0);
      assert.equal(log(repository, 'main')[0], 'of theirs');
      repository.commit('for nobody');
      await counts(0, 1);
      await session.workbench.command('Resident Git: Push');
      await session.workbench.notifications.clear(
        /The remote refused the request: service not enabled: \/served\./,
      );
      await counts(0, 1);
      assert.equal(log(served, 'main')[0], 'of theirs');
      await session.matchesGit(repository);
    });

    it('says that git runs while a hook holds it up, and ends it by a button', async () => {
      const run = new GitRun(session.workbench);
      const gate = session.sandbox.path('gate');
      session.sandbox.exec('mkfifo', 'gate');
      hook(repository, '.git/hooks/pre-push', `read line <'${gate}'`);
      repository.git('remote', 'set-url', 'served', served.root);
      repository.commit('held up');
      const before = log(served, 'main');
      const ahead = Number(repository.git('rev-list', '--count', '@{upstream}..'));
      await counts(0, ahead);
      await run.isOver();
      await session.workbench.command('Resident Git: Push');
      await run.isShown();
      await says(/^project \(Resident Git\) - Synchronizing Changes\.\.\.$/);
      await run.cancel();
      await run.isOver();
      await poll(() => assert.match(session.extensionLog(), /> git push.* \[\d+ ms, cancelled\]/), {
        what: 'git has ended',
      });
      await counts(0, ahead);
      assert.deepEqual(log(served, 'main'), before);
      assert.doesNotMatch((await session.workbench.notifications.messages()).join('\n'), /Pushing/);
      await session.workbench.command('Resident Git: Push');
      await run.isShown();
      await writeFile(gate, 'go\n');
      await poll(() => assert.equal(log(served, 'main')[0], 'held up'), { what: 'it is pushed' });
      await run.isOver();
      await counts(0, 0);
    });
  });
});
