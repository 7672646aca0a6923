/**
 * Fetch, pull, push and publish, compared with git and a real remote: the decisions, and the names of the failures.
 */
import { strict as assert } from 'node:assert';
import { chmodSync } from 'node:fs';
import {
  decideSync,
  deleteRemoteBranchArguments,
  deleteRemoteTagArguments,
  fetchArguments,
  kPushTags,
  parseForced,
  parseRemotes,
  parseRemoteTags,
  publishArguments,
  pullArguments,
  pullFromArguments,
  pushArguments,
  pushToArguments,
  remoteTagsArguments,
  removeRemoteArguments,
  splitRemoteBranch,
} from '../../../../extension/features/sync/plan';
import { gitEnvironment } from '../../../../extension/git/environment';
import { explain, Failure } from '../../../../extension/git/failures';
import { GitResult, runGit } from '../../../../extension/git/runGit';
import { syncLine } from '../../../../extension/model/branchText';
import { GitDaemon } from '../../../support/gitDaemon';
import { Repository } from '../../../support/repository';
import { Sandbox } from '../../../support/sandbox';

const kSettings = { rebaseWhenSync: false, pruneOnFetch: false, confirmSync: true };
const kOid = '1'.repeat(40);

describe('decideSync', () => {
  const tracking = { name: 'main', oid: kOid, upstream: 'origin/main' };

  it('pushes only what there is to push', () => {
    const pushes = (ahead?: number) => {
      const decision = decideSync({ ...tracking, ...(ahead !== undefined && { ahead }) }, kSettings);
      return decision.kind === 'sync' && decision.pushes;
    };
    assert.deepEqual([pushes(0), pushes(2), pushes()], [false, true, true]);
  });

  it('asks with the upstream, unless it was told not to', () => {
    const question = 'Pull commits from "origin/main" and push yours to it?';
    const asked = { kind: 'sync', pushes: true, question };
    assert.deepEqual(decideSync(tracking, kSettings), asked);
    assert.deepEqual(decideSync(tracking, { ...kSettings, confirmSync: false }), {
      ...asked,
      question: undefined,
    });
  });

  it('publishes a branch without an upstream, and needs a branch', () => {
    assert.deepEqual(decideSync({ name: 'main', oid: kOid }, kSettings), { kind: 'publish' });
    assert.deepEqual(decideSync({ oid: kOid }, kSettings), { kind: 'noBranch' });
  });
});

describe('syncLine', () => {
  const branch = { name: 'main', oid: kOid, upstream: 'origin/main', ahead: 0, behind: 0 };

  it('tells how far the upstream is', () => {
    assert.deepEqual(syncLine(branch), { text: '$(sync)', tooltip: 'Synchronize Changes', does: 'sync' });
    assert.deepEqual(syncLine({ ...branch, ahead: 1 }), {
      text: '$(sync) 0\u2193 1\u2191',
      tooltip: 'Push 1 commit to origin/main',
      does: 'sync',
    });
    assert.equal(syncLine({ ...branch, behind: 2 })?.tooltip, 'Pull 2 commits from origin/main');
    assert.equal(
      syncLine({ ...branch, ahead: 1200, behind: 2 })?.tooltip,
      'Pull 2 and push 1,200 commits between origin/main',
    );
  });

  it('does not take an upstream whose commits are being counted for one that is gone', () => {
    const counting = { name: 'main', oid: kOid, upstream: 'origin/main', counting: true as const };
    assert.deepEqual(syncLine(counting), { text: '$(sync)', tooltip: 'Synchronize Changes', does: 'sync' });
  });

  it('publishes where there is no upstream, or none any more', () => {
    assert.equal(syncLine({ name: 'main', oid: kOid })?.does, 'publish');
    assert.equal(syncLine({ name: 'main', oid: kOid, upstream: 'origin/main' })?.does, 'publish');
  });

  it('is not there without a branch, or before the first commit', () => {
    assert.equal(syncLine({ oid: kOid }), undefined);
    assert.equal(syncLine({ name: 'main' }), undefined);
  });
});

describe('beside a remote', () => {
  let sandbox: Sandbox;
  let repository: Repository;
  let other: Repository;
  let env: NodeJS.ProcessEnv;

  beforeEach(() => {
    sandbox = new Sandbox();
    Repository.init(sandbox, 'remote', '--bare').config('receive.denyDeleteCurrent', 'ignore');
    repository = Repository.init(sandbox, 'r');
    repository.write('f', 'f\n');
    repository.commit('base');
    repository.git('remote', 'add', 'origin', '../remote');
    env = gitEnvironment(sandbox.env);
  });
  afterEach(() => {
    sandbox.remove();
  });

  const git = (args: readonly string[]): Promise<GitResult> =>
    runGit({ path: 'git', env }, repository.root, { args }, new AbortController().signal);
  async function works(args: readonly string[]): Promise<void> {
    const result = await git(args);
    assert.equal(result.code, 0, result.stderr.toString());
  }
  async function fails(args: readonly string[], message: RegExp): Promise<Failure> {
    const result = await git(args);
    assert.notEqual(result.code, 0);
    const subcommand = args.find((word) => !word.startsWith('-') && !word.includes('=')) ?? '';
    const failure = explain(subcommand, result);
    assert.match(failure.message, message, result.stderr.toString());
    return failure;
  }
  /** Another user pushes. */
  async function diverge(): Promise<void> {
    await works(publishArguments('origin', 'main'));
    sandbox.exec('git', 'clone', '-q', 'remote', 'other');
    other = new Repository(sandbox, sandbox.path('other'));
    other.write('theirs', 'theirs\n');
    other.commit('theirs');
    other.git('push', '-q');
  }
  const log = (...revisions: string[]) =>
    repository
      .git('log', '--format=%s', ...revisions)
      .trimEnd()
      .split('\n');
  const hook = (path: string, script: string) => {
    repository.write(path, `#!/bin/sh\n${script}\n`);
    chmodSync(repository.absolute(path), 0o755);
  };

  it('publishes a branch under its own name, whatever else has that', async () => {
    repository.git('tag', 'main');
    await works(publishArguments('origin', 'main'));
    assert.equal(repository.git('rev-parse', '--abbrev-ref', 'main@{upstream}').trim(), 'origin/main');
    assert.equal(repository.git('ls-remote', '--tags', 'origin'), '');
  });

  it('lists remotes', async () => {
    repository.git('remote', 'add', 'fork', '../fork');
    assert.deepEqual(parseRemotes((await git(['remote'])).stdout), ['fork', 'origin']);
  });

  it('fetches, and removes what is gone where that is asked for', async () => {
    await diverge();
    other.git('push', '-q', 'origin', 'HEAD:side');
    await works(fetchArguments({}, kSettings));
    assert.deepEqual(log('origin/side'), ['theirs', 'base']);
    other.git('push', '-q', 'origin', ':side');
    await works(fetchArguments({ all: true }, kSettings));
    assert.deepEqual(log('origin/side'), ['theirs', 'base']);
    await works(fetchArguments({}, { ...kSettings, pruneOnFetch: true }));
    assert.equal(repository.tryGit('rev-parse', '-q', '--verify', 'origin/side').code, 1);
  });

  it('asks how, where branches have diverged, and does it', async () => {
    await diverge();
    repository.write('ours', 'ours\n');
    repository.commit('ours');
    const ours = repository.git('rev-parse', 'HEAD').trim();
    const { kind } = await fails(pullArguments(undefined, kSettings), /have diverged.*merge or rebase/);
    assert.equal(kind, 'diverged');
    await works(pullArguments('rebase', kSettings));
    assert.deepEqual(log(), ['ours', 'theirs', 'base']);
    repository.git('reset', '-q', '--hard', ours);
    await works(pullArguments(undefined, { ...kSettings, rebaseWhenSync: true }));
    assert.deepEqual(log(), ['ours', 'theirs', 'base']);
    repository.git('reset', '-q', '--hard', ours);
    await works(pullArguments('merge', { ...kSettings, rebaseWhenSync: true }));
    assert.equal(repository.git('log', '-1', '--format=%P').trim().split(' ').length, 2);
  });

  it('overwrites nothing by force that was never looked at', async () => {
    await diverge();
    repository.git('commit', '-q', '--amend', '-m', 'amended');
    assert.equal((await fails(pushArguments(), /Pull first/)).kind, 'rejected');
    assert.equal(
      (await fails(pushArguments({ force: true }), /would delete them. Fetch first/)).kind,
      'rejected',
    );
    await works(fetchArguments({}, kSettings));
    const before = repository.git('rev-parse', 'origin/main').trim();
    const forced = await git(pushArguments({ force: true }));
    assert.deepEqual(log('origin/main'), ['amended']);
    const [{ branch, old } = { branch: '', old: '' }, ...others] = parseForced(forced.stderr);
    assert.deepEqual([branch, before.startsWith(old), others], ['main', old !== '', []]);
  });

  it('names a missing remote, and an upstream that is gone or has another name', async () => {
    await diverge();
    repository.git('checkout', '-q', '-b', 'mine', '--track', 'origin/main');
    const { kind, command } = await fails(pushArguments(), /has a different name/);
    assert.deepEqual([kind, command], ['otherName', 'git push origin HEAD:main']);
    repository.git('checkout', '-q', 'main');
    other.git('push', '-q', 'origin', 'HEAD:next', ':main');
    const gone = await fails(
      pullArguments(undefined, kSettings),
      /upstream main no longer exists on the remote/,
    );
    assert.equal(gone.kind, 'upstreamGone');
    repository.git('remote', 'remove', 'origin');
    assert.equal((await fails(pushArguments(), /has no remote/)).kind, 'noRemote');
  });

  it("tells a remote's refusal and a hook's in their own words", async () => {
    hook('../remote/hooks/pre-receive', 'echo "error: main is protected" >&2; exit 1');
    const refused = await fails(publishArguments('origin', 'main'), /hook declined: main is protected$/);
    assert.equal(refused.kind, 'refused');
    hook('.git/hooks/pre-push', 'echo "tests failed" >&2; exit 1');
    const own = await fails(publishArguments('origin', 'main'), /A hook refused the push: tests failed$/);
    assert.equal(own.kind, 'pushHook');
  });

  it('tells the words of a hook that draws a frame around them', async () => {
    const framed = `printf '%s\\n' '' '=====' '  ERROR: frozen' '=====' >&2; exit 1`;
    hook('../remote/hooks/pre-receive', framed);
    await fails(publishArguments('origin', 'main'), /hook declined: ERROR: frozen$/);
    hook('.git/hooks/pre-push', framed);
    await fails(publishArguments('origin', 'main'), /A hook refused the push: ERROR: frozen$/);
  });

  it('names a remote that cannot be reached, or wants to know who one is', async () => {
    repository.git('remote', 'set-url', 'origin', 'http://127.0.0.1:1/r');
    assert.equal(
      (await fails(fetchArguments({}, kSettings), /cannot be reached: .*127\.0\.0\.1/)).kind,
      'unreachable',
    );
    const said = (stderr: string) =>
      explain('fetch', { code: 128, stdout: Buffer.alloc(0), stderr: Buffer.from(stderr) }).kind;
    assert.equal(
      said("fatal: unable to access 'https://x/': The requested URL returned error: 403\n"),
      'authentication',
    );
    assert.equal(
      said('git@x: Permission denied (publickey).\nfatal: Could not read from remote repository.\n'),
      'authentication',
    );
    assert.equal(
      said('ssh: Could not resolve hostname x: Name or service not known\nfatal: Could not read\n'),
      'unreachable',
    );
  });

  it("speaks with git's own daemon, and tells what that refuses", async () => {
    const daemon = await GitDaemon.start(sandbox);
    try {
      repository.git('remote', 'set-url', 'origin', `${daemon.url}/remote`);
      await fails(
        publishArguments('origin', 'main'),
        /^The remote refused the request: service not enabled: \/remote\.$/,
      );
      await works(['push', '-q', sandbox.path('remote'), 'main']);
      await works(fetchArguments({}, kSettings));
      assert.deepEqual(log('origin/main'), ['base']);
    } finally {
      await daemon.stop();
    }
    await fails(fetchArguments({}, kSettings), /^The remote cannot be reached: /);
  });

  it('keeps what is not committed where pulling would rebase it', async () => {
    await diverge();
    repository.append('f', 'more\n');
    const { kind } = await fails(pullArguments('rebase', kSettings), /Commit, stash or discard/);
    assert.equal(kind, 'dirty');
    repository.git('add', 'f');
    assert.equal((await fails(pullArguments('rebase', kSettings), /Commit, stash/)).kind, 'dirty');
  });

  it('pushes tags: those of what is pushed, or all and no branch', async () => {
    await works(publishArguments('origin', 'main'));
    const remoteTags = async () =>
      parseRemoteTags((await git(remoteTagsArguments('origin'))).stdout).map(({ name }) => name);
    assert.deepEqual(await remoteTags(), []);
    repository.git('tag', 'light');
    repository.git('tag', '-a', '-m', 'x', 'told');
    repository.git('checkout', '-q', '-b', 'aside');
    repository.commit('aside');
    repository.git('tag', '-a', '-m', 'x', 'elsewhere');
    repository.git('checkout', '-q', 'main');
    repository.commit('ours');
    await works(pushArguments({ followTags: true }));
    assert.deepEqual(await remoteTags(), ['told']);
    repository.commit('more');
    await works(kPushTags);
    assert.deepEqual(await remoteTags(), ['elsewhere', 'light', 'told']);
    assert.deepEqual(log('origin/main'), ['ours', 'base']);
    repository.git('reset', '-q', '--hard', 'HEAD~2');
    await works(pushArguments({ followTags: true, force: true }));
    assert.deepEqual(log('origin/main'), ['base']);
  });

  it('overwrites no tag of the remote, and deletes one there whatever else has its name', async () => {
    await works(publishArguments('origin', 'main'));
    repository.git('tag', 'main');
    repository.git('tag', 'v/1');
    await works(kPushTags);
    repository.commit('later');
    repository.git('tag', '-f', 'v/1');
    const { kind } = await fails(kPushTags, /different tag v\/1\. Delete it there first/);
    assert.equal(kind, 'tagExists');
    await works(deleteRemoteTagArguments('origin', 'v/1'));
    await works(deleteRemoteTagArguments('origin', 'main'));
    assert.equal(repository.git('ls-remote', 'origin', 'refs/*').split('\t').at(-1), 'refs/heads/main\n');
    assert.equal(repository.git('tag'), 'main\nv/1\n', 'those here stay');
  });

  it('removes a remote with what was fetched from there, and leaves what is there', async () => {
    await works(publishArguments('origin', 'main'));
    await works(removeRemoteArguments('origin'));
    assert.deepEqual(parseRemotes((await git(['remote'])).stdout), []);
    assert.equal(repository.git('for-each-ref', '--format=%(refname)'), 'refs/heads/main\n');
    assert.equal(repository.tryGit('config', 'branch.main.remote').code, 1);
    assert.notEqual(repository.git('ls-remote', '../remote'), '');
  });

  it('knows which remote a remote-tracking branch is of, also with slashes in both', () => {
    const remotes = ['origin', 'team', 'team/mirror'];
    assert.deepEqual(splitRemoteBranch('team/mirror/a/b', remotes), { remote: 'team/mirror', name: 'a/b' });
    assert.deepEqual(splitRemoteBranch('team/a', remotes), { remote: 'team', name: 'a' });
    assert.equal(splitRemoteBranch('gone/a', remotes), undefined);
  });

  it('pulls from, pushes to and deletes a branch by its own name', () => {
    const branch = { remote: 'origin', name: 'main' };
    assert.deepEqual(pullFromArguments(branch, 'rebase', kSettings).slice(-5), [
      'pull',
      '--rebase',
      '--',
      'origin',
      'refs/heads/main',
    ]);
    assert.deepEqual(pushToArguments(branch, { force: true }), [
      'push',
      '--force-with-lease',
      '--',
      'origin',
      'refs/heads/main',
    ]);
    assert.deepEqual(deleteRemoteBranchArguments(branch), [
      'push',
      '--delete',
      '--',
      'origin',
      'refs/heads/main',
    ]);
  });
});
