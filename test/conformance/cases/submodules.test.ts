/** Submodules, cloned from a library beside the worktree. */
import { atLeast } from '../../support/oracle';
import { Repository } from '../../support/repository';
import type { Sandbox } from '../../support/sandbox';
import {
  type CaseContext,
  type CaseOptions,
  conformanceCase,
  contextOf,
  withSandbox,
  withSubject,
} from '../case';
import { question } from '../questions';

function makeLibrary(sandbox: Sandbox): void {
  const library = Repository.init(sandbox, 'library');
  library.write('file', 'library\n');
  library.commit();
}

function submoduleCase(
  title: string,
  body: (context: CaseContext, sub: Repository) => void,
  options?: CaseOptions,
): void {
  conformanceCase(
    title,
    (context) => {
      const { repo, sandbox } = context;
      makeLibrary(sandbox);
      repo.git('submodule', '--quiet', 'add', '../library', 'sub');
      repo.commit();
      body(context, repo.at('sub'));
    },
    { delegates: 'maybe', ...options },
  );
}

describe('submodules', () => {
  submoduleCase('clean, just added, committed', ({ repo, check }) => {
    check();
    repo.git('submodule', '--quiet', 'add', '../library', 'second');
    check(/^1 A\. S\.\.\. .* second$/, /^1 M\. N\.\.\. .* \.gitmodules$/);
  });

  submoduleCase('new commits, modified and untracked content', ({ repo, check }, sub) => {
    repo.write('sub/new', '');
    check(/^1 \.M S\.\.U .* sub$/);
    repo.write('sub/file', 'changed\n');
    check(/^1 \.M S\.MU .* sub$/);
    sub.commit('in the submodule');
    check(/^1 \.M SC\.\. .* sub$/);
    repo.git('add', 'sub');
    check(/^1 M\. S\.\.\. .* sub$/);
    repo.write('sub/file', 'changed again\n');
    check(/^1 MM S\.M\. .* sub$/);
    sub.git('add', 'file');
    check(/^1 MM S\.M\. .* sub$/);
  });

  submoduleCase("the user's ignore rules and attributes, which hold in it too", ({ repo, check }, sub) => {
    sub.git('config', 'core.autocrlf', 'input');
    repo.write('sub/new.x', '');
    check(/^1 \.M S\.\.U .* sub$/);
    repo.write('../home/.config/git/ignore', '*.x\n');
    check();
    repo.write('../home/.config/git/ignore', '*.y\n');
    check(/^1 \.M S\.\.U .* sub$/);
    repo.remove('sub/new.x');
    check();
    repo.write('sub/file', 'library\r\n');
    check();
    repo.write('../home/.config/git/attributes', '* -text\n');
    check(/^1 \.M S\.M\. .* sub$/);
  });

  it('config from the environment, which holds in it too', async () => {
    await withSandbox(async (sandbox) => {
      makeLibrary(sandbox);
      const repo = Repository.init(sandbox, 'w');
      repo.git('submodule', '--quiet', 'add', '../library', 'sub');
      repo.commit();
      repo.write('sub/new.x', '');
      repo.write('../ignore', '*.x\n');
      sandbox.setVariable('GIT_CONFIG_COUNT', '1');
      sandbox.setVariable('GIT_CONFIG_KEY_0', 'core.excludesFile');
      sandbox.setVariable('GIT_CONFIG_VALUE_0', sandbox.path('ignore'));
      await withSubject(repo, (subject) => {
        const { check } = contextOf(sandbox, repo, subject);
        check();
        repo.write('sub/new.y', '');
        check(/^1 \.M S\.\.U .* sub$/);
      });
    });
  });

  submoduleCase(
    'a submodule in a submodule of which only the git directory changes',
    ({ repo, check }, sub) => {
      sub.git('submodule', '--quiet', 'add', '../library', 'deep');
      sub.commit('a submodule in it');
      repo.commit();
      const deep = repo.at('sub/deep');
      repo.write('sub/deep/new', '');
      check(/^1 \.M S\.\.U .* sub$/);
      deep.git('add', 'new');
      check(/^1 \.M S\.M\. .* sub$/);
      deep.git('rm', '-q', '--cached', 'new');
      check(/^1 \.M S\.\.U .* sub$/);
      deep.git('clean', '-q', '-f');
      check();
      deep.git('commit', '-q', '--allow-empty', '-m', 'in the inner one');
      check(/^1 \.M S\.M\. .* sub$/);
      deep.git('update-ref', 'HEAD', 'HEAD^');
      check();
    },
  );

  submoduleCase('in a directory that was moved, its worktree being where it was', ({ repo, check }) => {
    repo.rename('sub', 'moved');
    repo.mkdir('sub');
    repo.git('add', '-A');
    check(/^1 AM S\.M\. .* moved$/);
    repo.write('sub/new', '');
    check(/^1 AM S\.MU .* moved$/);
    repo.write('sub/file', 'library\n');
    check(/^1 AM S\.\.U .* moved$/);
  });

  submoduleCase('added with the intent to add it', ({ repo, check }) => {
    const inner = Repository.init(repo.sandbox, 'w/d/inner');
    inner.commit();
    repo.git('add', '-N', 'd');
    // An older git shows its commit as new.
    const shown = atLeast(2, 29) ? /^1 \.A S\.\.\. .* d\/inner$/ : /^1 \.A SC.* d\/inner$/;
    check(shown);
    repo.write('d/inner/new', '');
    check(shown);
    repo.remove('d/inner');
    check(/^1 \.D .* d\/inner$/);
  });

  submoduleCase('an excludes file that its config names', ({ repo, sandbox, check }, sub) => {
    repo.write('sub/new.x', '');
    for (const [named, path] of [
      [sandbox.path('patterns'), '../patterns'],
      ['~/patterns', '../home/patterns'],
    ] as const) {
      sub.git('config', 'core.excludesFile', named);
      check(/^1 \.M S\.\.U .* sub$/);
      repo.write(path, '*.x\n');
      check();
      repo.remove(path);
      check(/^1 \.M S\.\.U .* sub$/);
    }
  });

  submoduleCase('two names for it in .gitmodules', ({ repo, check }) => {
    repo.write('sub/new', '');
    repo.git('config', '-f', '.gitmodules', 'submodule.sub.ignore', 'all');
    repo.git('config', '-f', '.gitmodules', 'submodule.other.path', 'sub');
    check(/^1 \.M S\.\.U .* sub$/);
    repo.git('config', '-f', '.gitmodules', '--add', 'submodule.other.path', 'elsewhere');
    check(/^1 \.M S\.\.U .* sub$/);
  });

  submoduleCase(
    "the user's ignore rules, where the repository around it has others",
    ({ repo, sandbox, check }) => {
      repo.write('sub/new.x', '');
      repo.config('core.excludesFile', sandbox.path('patterns'));
      for (const file of ['.config/git/ignore', 'patterns']) {
        if (file === 'patterns') repo.git('config', '--global', 'core.excludesFile', '~/patterns');
        check(/^1 \.M S\.\.U .* sub$/);
        repo.write(`../home/${file}`, '*.x\n');
        check();
      }
    },
  );

  submoduleCase('config that is included for it alone', ({ repo, check }) => {
    repo.git('config', '--global', 'includeIf.gitdir:**/modules/sub.path', '~/included');
    repo.write('sub/new.x', '');
    check(/^1 \.M S\.\.U .* sub$/);
    repo.write('../home/included', '[core]\n\texcludesFile = ~/patterns\n');
    check(/^1 \.M S\.\.U .* sub$/);
    repo.write('../home/patterns', '*.x\n');
    check();
  });

  submoduleCase('config of its worktree alone', ({ repo, check }, sub) => {
    repo.write('sub/new', '');
    sub.git('config', 'extensions.worktreeConfig', 'true');
    check(/^1 \.M S\.\.U .* sub$/);
    sub.git('config', '--worktree', 'status.showUntrackedFiles', 'no');
    check();
    sub.git('config', '--worktree', 'status.showUntrackedFiles', 'all');
    check(/^1 \.M S\.\.U .* sub$/);
  });

  submoduleCase('a replaced commit', ({ repo, check }, sub) => {
    repo.write('sub/file', 'changed\n');
    sub.commit();
    repo.commit();
    check();
    sub.git('replace', 'HEAD', 'HEAD~1');
    check(/^1 \.M S\.M\. .* sub$/);
    sub.git('replace', '-d', 'HEAD');
    check();
  });

  submoduleCase('a branch that stands for another one', ({ repo, check }, sub) => {
    sub.commit('a second one');
    repo.commit();
    sub.git('symbolic-ref', 'refs/heads/alias', 'refs/heads/main');
    sub.git('symbolic-ref', 'HEAD', 'refs/heads/alias');
    check();
    sub.git('update-ref', 'refs/heads/main', 'HEAD~1');
    check(/^1 \.M SC\.\. .* sub$/);
  });

  submoduleCase('a repository in it, by what is in its .git', ({ repo, check }) => {
    repo.mkdir('sub/untracked');
    repo.at('sub/untracked').git('init', '-q');
    check(/^1 \.M S\.\.U .* sub$/);
    repo.rename('sub/untracked/.git/HEAD', 'sub/untracked/.git/elsewhere');
    check();
    repo.rename('sub/untracked/.git/elsewhere', 'sub/untracked/.git/HEAD');
    check(/^1 \.M S\.\.U .* sub$/);
  });

  for (const part of ['objects', 'refs']) {
    submoduleCase(`without its ${part} it is no repository any more`, ({ repo, check }) => {
      check();
      repo.rename(`.git/modules/sub/${part}`, '.git/modules/sub/elsewhere');
      check();
      repo.rename('.git/modules/sub/elsewhere', `.git/modules/sub/${part}`);
      check();
    });
  }

  submoduleCase('a hard link in it to a file of ours', ({ repo, check }) => {
    repo.write('a', 'one\n');
    repo.commit();
    check();
    repo.link('a', 'sub/other name of a');
    check();
    repo.append('sub/other name of a', 'two\n');
    check(/^1 \.M N\.\.\. .* a$/);
  });

  submoduleCase('uninitialised, missing, and replaced by a file', ({ repo, check }) => {
    repo.git('submodule', '--quiet', 'deinit', '-f', 'sub');
    check();
    repo.write('sub/stray', '');
    check();
    repo.remove('sub');
    check(/^1 \.D .* sub$/);
    repo.write('sub', 'a file\n');
    check(/^1 \.T .* sub$/);
  });

  for (const when of ['none', 'untracked', 'dirty', 'all']) {
    submoduleCase(
      `ignore=${when}, by config, option and diff.ignoreSubmodules`,
      ({ repo, check, checkAll }, sub) => {
        repo.write('sub/new', '');
        repo.write('sub/file', 'changed\n');
        repo.config('submodule.sub.ignore', when);
        check();
        sub.commit();
        repo.write('sub/another', '');
        check();
        repo.git('config', '--unset', 'submodule.sub.ignore');
        checkAll([question('--porcelain=v2', '-z', `--ignore-submodules=${when}`)]);
        repo.config('diff.ignoreSubmodules', when);
        check();
        repo.git('config', '--unset', 'diff.ignoreSubmodules');
        repo.git('config', '-f', '.gitmodules', 'submodule.sub.ignore', when);
        check();
      },
    );
  }

  submoduleCase('nested, with changes two levels down', ({ repo, check }, sub) => {
    sub.git('submodule', '--quiet', 'add', repo.sandbox.path('library'), 'inner');
    sub.commit('a submodule in the submodule');
    repo.commit();
    check();
    repo.write('sub/inner/file', 'changed\n');
    check(/^1 \.M S\.M\. .* sub$/);
    repo.write('sub/inner/new', '');
    repo.at('sub/inner').git('checkout', '-q', '--', 'file');
    check(/^1 \.M S\.\.U .* sub$/);
  });

  submoduleCase('status inside the submodule itself', ({ repo, checkAll }) => {
    repo.write('sub/new', '');
    checkAll([question('--porcelain=v2', '-z', '-b'), question('--short')]);
  });

  submoduleCase('a conflict in a submodule', ({ repo, check }, sub) => {
    repo.git('checkout', '-q', '-b', 'side');
    sub.git('checkout', '-q', '--detach');
    repo.write('sub/file', 'theirs\n');
    sub.commit('theirs');
    repo.commit('theirs');
    repo.git('checkout', '-q', 'main');
    sub.git('checkout', '-q', '--detach', 'HEAD~1');
    repo.write('sub/file', 'ours\n');
    sub.commit('ours');
    repo.commit('ours');
    repo.tryGit('merge', 'side');
    check(/^u UU S/);
  });

  conformanceCase(
    'an old-style submodule with its git directory inside, and a gitlink without .gitmodules',
    ({ repo, check }) => {
      repo.mkdir('embedded');
      const embedded = repo.at('embedded');
      embedded.git('init', '-q');
      repo.write('embedded/file', '1\n');
      embedded.commit();
      repo.commit();
      check();
      repo.write('embedded/file', 'changed\n');
      check(/^1 \.M S\.M\. .* embedded$/);
      embedded.commit();
      check(/^1 \.M SC\.\. .* embedded$/);
      repo.remove('embedded/.git');
      check();
    },
    { delegates: 'maybe' },
  );
});
