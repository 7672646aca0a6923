/** Fields of prompts, each compared with git's own commands. */
import { strict as assert } from 'node:assert';
import { fromBuffer } from '../../support/bytes';
import { atLeast } from '../../support/oracle';
import type { Repository } from '../../support/repository';
import { makeConflict, promptCase } from './case';

describe('a prompt', function () {
  this.timeout(120_000);

  promptCase('of a new repository', async ({ repo, check }) => {
    await check({ commit: '', branch: 'main', indexSize: '0' });
    repo.write('a', 'a\n');
    repo.git('add', 'a');
    repo.write('d/b', 'b\n');
    repo.write('d/c', 'c\n');
    await check({ staged: '1', stagedNew: '1', untracked: '1' });
    repo.git('commit', '-q', '-m', 'one\ntwo\n\nthree');
    await check({ summary: 'one two', staged: '0' });
  });

  promptCase('counts what was changed', async ({ repo, check }) => {
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) repo.write(name, `${name}\n`.repeat(20));
    repo.git('add', '.');
    repo.commit();
    repo.write('a', 'other\n');
    repo.remove('b');
    repo.git('rm', '-q', 'c');
    repo.git('mv', 'd', 'moved');
    repo.write('new', 'new\n');
    repo.git('add', 'new');
    repo.write('intended', 'x\n');
    repo.git('add', '-N', 'intended');
    repo.symlink('a', 'link');
    await check({
      staged: '4',
      stagedNew: '2',
      stagedDeleted: '2',
      unstaged: '3',
      unstagedDeleted: '1',
      untracked: '1',
    });
    await check({ staged: '0', unstaged: '0', untracked: '0', indexSize: '0' }, { withoutIndex: true });
    repo.git('update-index', '--assume-unchanged', 'a');
    repo.git('update-index', '--skip-worktree', 'e', 'f');
    await check({ assumeUnchanged: '1', skipWorktree: '2', unstaged: '2' });
  });

  promptCase('knows upstream, push remote and stashes', async ({ sandbox, repo, check }) => {
    repo.write('f', 'one\n');
    repo.git('add', 'f');
    repo.commit();
    for (const name of ['up', 'mine']) {
      repo.git('init', '-q', '--bare', sandbox.path(name));
      repo.git('remote', 'add', name, sandbox.path(name));
      repo.git('push', '-q', name, 'main');
    }
    repo.git('push', '-q', 'up', 'main:trunk');
    await check({ upstream: '', remote: '' });
    repo.git('branch', '-q', '--set-upstream-to=up/trunk');
    repo.git('config', 'url.https://example.com/.insteadOf', sandbox.root);
    await check({ upstream: 'trunk', remote: 'up', remoteUrl: 'https://example.com//up', ahead: '0' });
    repo.git('commit', '-q', '--allow-empty', '-m', 'two');
    repo.git('config', 'remote.pushDefault', 'mine');
    await check({ ahead: '1', behind: '0', pushRemote: 'mine', pushAhead: '1', pushBehind: '0' });
    repo.git('config', '--unset', 'url.https://example.com/.insteadOf');
    repo.git('push', '-q', 'mine', 'main');
    repo.git('commit', '-q', '--amend', '-m', 'two again', '--allow-empty');
    await check({ ahead: '1', pushAhead: '1', pushBehind: '1' });
    repo.git('config', 'branch.main.pushRemote', 'up');
    await check({ pushRemote: 'up', pushAhead: '1', pushBehind: '0' });
    for (const content of ['two\n', 'three\n']) {
      repo.write('f', content);
      repo.git('stash', '-q');
    }
    await check({ stashes: '2' });
    repo.git('stash', 'drop', '-q', 'stash@{1}');
    await check({ stashes: '1' });
    repo.git('update-ref', '-d', 'refs/remotes/up/trunk');
    await check({ upstream: '', remote: '', ahead: '0' });
    repo.git('checkout', '-q', '-b', 'local', '--track', 'main');
    await check({ branch: 'local', upstream: 'main', remote: '.', remoteUrl: '' });
    repo.git('checkout', '-q', '--detach');
    await check({ branch: '', remote: '', pushRemote: '' });
  });

  promptCase('follows tags', async ({ repo, check }) => {
    repo.commit();
    await check({ tag: '' });
    repo.git('tag', 'v1');
    const described = fromBuffer(repo.ask('describe', '--tags', '--exact-match').stdout).trim();
    await check({ tag: described });
    repo.git('tag', '-a', '-m', 'x', 'release/1.0');
    await check({ tag: 'v1' });
    repo.git('tag', '-d', 'v1');
    await check({ tag: 'release/1.0' });
    repo.git('tag', 'release/2.0');
    await check({ tag: 'release/2.0' });
    repo.git('pack-refs', '--all');
    await check({ tag: 'release/2.0' });
    repo.git('tag', 'release/3.0');
    repo.git('tag', 'tree', 'HEAD^{tree}');
    await check({ tag: 'release/3.0' });
    repo.git('commit', '-q', '--allow-empty', '-m', 'two');
    await check({ tag: '' });
    repo.git('tag', '-f', 'release/3.0');
    await check({ tag: 'release/3.0' });
  });

  promptCase('counts a deletion that git takes for the source of a conflict', async ({ repo, check }) => {
    const lines = (last: string): string => [...Array(60).keys(), last].join('\n');
    repo.write('gone', lines('of the base'));
    repo.commit();
    for (const [branch, last] of [
      ['side', 'of the side'],
      ['main', 'of main'],
    ] as const) {
      repo.git('checkout', '-q', '-B', branch, 'HEAD');
      repo.write('both', lines(last));
      repo.commit(branch);
      if (branch === 'side') repo.git('checkout', '-q', '--detach', 'HEAD~1');
    }
    repo.tryGit('merge', '-q', 'side');
    repo.remove('gone');
    assert.ok(!repo.git('status', '--porcelain').includes('gone'), 'git tells it');
    await check({ conflicted: '1', unstaged: '1', unstagedDeleted: '1' });
  });

  promptCase('names what git is in the middle of', async ({ repo, check }) => {
    makeConflict(repo);
    repo.tryGit('merge', 'topic');
    await check({ action: 'merge', conflicted: '1' });
    repo.git('merge', '--abort');
    await check({ action: '', conflicted: '0' });
    repo.tryGit('cherry-pick', 'topic~');
    await check({ action: 'cherry', conflicted: '1' });
    repo.git('cherry-pick', '--abort');
    repo.tryGit('cherry-pick', 'topic~', 'topic');
    await check({ action: 'cherry-seq' });
    repo.git('cherry-pick', '--abort');
    repo.tryGit('revert', '--no-edit', 'main~');
    await check({ action: 'revert' });
    repo.git('revert', '--abort');
    repo.tryGit('revert', '--no-edit', 'main~', 'main');
    repo.tryGit('revert', '--abort');
    await check({ action: '' });
    repo.git('checkout', '-q', 'topic');
    repo.tryGit('rebase', '--merge', 'main');
    await check({ branch: '', action: atLeast(2, 26) ? expectedRebase(repo) : 'rebase-m 1/2' });
    repo.git('rebase', '--abort');
    repo.tryGit('rebase', '--apply', 'main');
    await check({ action: 'rebase 1/2' });
    repo.git('rebase', '--abort');
    await check({ branch: 'topic', action: '' });
    const patch = fromBuffer(repo.ask('format-patch', '--stdout', '-1', 'main').stdout);
    repo.write('../patch', patch);
    repo.tryGit('am', '../patch');
    await check({ action: 'am 1/1' });
    repo.git('am', '--abort');
    repo.git('bisect', 'start');
    await check({ action: 'bisect' });
    repo.git('bisect', 'reset');
    await check({ action: '' });
  });

  promptCase('tells the encoding of a commit, and its summary as it is', async ({ repo, check }) => {
    repo.config('i18n.commitEncoding', 'ISO-8859-1');
    repo.gitWithInput('caf\xe9 \x1b[31m\n', 'commit', '-q', '--allow-empty', '-F', '-');
    await check({ encoding: 'ISO-8859-1', summary: 'caf\xe9 ?[31m' });
    repo.git('config', '--unset', 'i18n.commitEncoding');
    repo.gitWithInput(
      '\n\n  caf\xc3\xa9  \n\ttwo\nthree\n\nfour\n',
      'commit',
      '-q',
      '--allow-empty',
      '-F',
      '-',
    );
    await check({ encoding: '', summary: '  caf\xc3\xa9 ?two three' });
  });
});

function expectedRebase(repo: Repository): string {
  return repo.exists('.git/rebase-merge/interactive') ? 'rebase-i 1/2' : 'rebase-m 1/2';
}
