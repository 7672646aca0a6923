/** Prompts in repositories of all kinds, with different settings and prompt options. */
import { atLeast } from '../../support/oracle';
import { Repository } from '../../support/repository';
import { makeConflict, promptCase } from './case';

describe('a prompt', function () {
  this.timeout(120_000);

  for (const [cone, title] of [
    [true, 'a sparse index'],
    [false, 'a sparse checkout without cones'],
  ] as const) {
    if (!atLeast(2, 37)) continue;
    promptCase(`counts all of ${title}, with a worktree's own config`, async ({ repo, check }) => {
      for (const name of ['a/1', 'a/b/2', 'c/3', 'c/d/4', 'c/d/5', 'top']) repo.write(name, `${name}\n`);
      repo.git('add', '.');
      repo.commit();
      repo.git('config', 'extensions.worktreeConfig', 'true');
      const how = cone ? ['--cone', '--sparse-index'] : ['--no-cone'];
      repo.git('sparse-checkout', 'set', ...how, 'a');
      const skipped = cone ? '3' : '4';
      await check({ indexSize: '6', skipWorktree: skipped, unstaged: '0' });
      repo.write('a/1', 'changed\n');
      await check({ unstaged: '1' });
      repo.git('config', '--worktree', 'bash.showDirtyState', 'false');
      await check({ unstaged: '0' });
    });
  }

  if (atLeast(2, 29)) {
    promptCase(
      'in a repository of SHA-256',
      async ({ repo, check }) => {
        repo.write('a', 'a\n');
        repo.git('add', 'a');
        repo.commit();
        repo.git('tag', '-a', '-m', 'x', 'v1');
        await check({ tag: 'v1', branch: 'main' });
      },
      { init: ['--object-format=sha256'] },
    );
  }
  if (atLeast(2, 45)) {
    promptCase(
      'in a repository whose refs are reftables',
      async ({ repo, check }) => {
        repo.write('a', 'a\n');
        repo.git('add', 'a');
        repo.commit();
        await check({ tag: '', stashes: '0' });
        repo.git('tag', 'a/v1');
        await check({ tag: 'a/v1' });
        repo.write('a', 'b\n');
        repo.git('stash', '-q');
        await check({ stashes: '1' });
        makeConflict(repo);
        repo.tryGit('cherry-pick', 'topic~');
        await check({ action: 'cherry' });
      },
      { init: ['--ref-format=reftable'] },
    );
  }

  promptCase('counts a submodule by the rules of git', async ({ sandbox, repo, check }) => {
    const library = Repository.init(sandbox, 'library');
    library.write('f', 'f\n');
    library.git('add', 'f');
    library.commit();
    repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', '../library', 'sub');
    repo.commit();
    await check({ unstaged: '0' });
    repo.write('sub/f', 'changed\n');
    await check({ unstaged: '1' });
    repo.git('config', 'submodule.sub.ignore', 'dirty');
    await check({ unstaged: '0' });
    repo.at('sub').git('commit', '-q', '-a', '-m', 'two');
    await check({ unstaged: '1' });
  });

  for (const [setting, option] of [
    ['status.showUntrackedFiles', '-U'],
    ['bash.showUntrackedFiles', '-W'],
    ['bash.showDirtyState', '-D'],
  ] as const) {
    const prepare = (repo: Repository): void => {
      repo.write('a', 'a\n');
      repo.git('add', 'a');
      repo.commit();
      repo.write('a', 'b\n');
      repo.write('b', 'b\n');
    };
    const what = option === '-D' ? 'unstaged' : 'untracked';
    promptCase(`heeds ${setting}`, async ({ repo, check }) => {
      prepare(repo);
      await check({ unstaged: '1', untracked: '1' });
      repo.git('config', setting, 'no');
      await check({ [what]: '0' });
    });
    promptCase(
      `counts with ${option} what ${setting} hides`,
      async ({ repo, check }) => {
        prepare(repo);
        repo.git('config', setting, 'no');
        await check({ [what]: '1' }, { ignoresSettings: true });
      },
      { args: [option] },
    );
  }

  promptCase(
    'counts files in untracked directories with -e',
    async ({ repo, check }) => {
      for (const name of ['d/a', 'd/b', 'e/f/c']) repo.write(name, 'x\n');
      await check({ untracked: '3' }, { recursesUntracked: true });
    },
    { args: ['-e'] },
  );
});
