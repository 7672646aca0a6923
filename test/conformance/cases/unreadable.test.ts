/** Unreadable files: git's answer and messages, even if root runs the tests. */
import { strict as assert } from 'node:assert';
import { statSync } from 'node:fs';
import { unprivileged } from '../../support/unprivileged';
import { Repository } from '../../support/repository';
import { withSandbox, withSubject } from '../case';
import type { Source } from '../disagreement';
import { nineModes, question } from '../questions';
import type { Subject } from '../subject';

const both: readonly Source[] = ['resident', 'scan'];
const asked = [...nineModes, question('-s', '-b'), question()].map((one) => ({
  question: one,
  sources: both,
}));

function furnished(repo: Repository): void {
  repo.write('a', 'one\n');
  repo.write('d/b', 'two\n');
  repo.write('d/.gitignore', '*.o\n');
  repo.write('.gitattributes', '*.txt text\n');
  repo.write('d/x.txt', 'text\n');
  repo.commit();
  repo.write('d/c.o', 'ignored\n');
  repo.write('new/file', 'untracked\n');
}

/** Removes permissions from a file under a running server and restores them. Every answer equals git's. */
function unreadable(
  title: string,
  path: string,
  options: {
    mode?: number;
    before?: (repo: Repository) => void;
    after?: (repo: Repository) => void;
    says?: RegExp;
  } = {},
): void {
  it(title, async () => {
    await withSandbox(async (sandbox) => {
      const repo = Repository.init(sandbox, 'w');
      furnished(repo);
      options.before?.(repo);
      await withSubject(
        repo,
        async (subject) => {
          const mode = statSync(repo.absolute(path)).mode & 0o777;
          repo.chmod(path, options.mode ?? 0);
          options.after?.(repo);
          try {
            const answers = subject.compare(asked);
            if (options.says) assert.match(String(answers.at(-1)?.stderr), options.says);
            // If git finds no repository, no server starts either.
            if (answers.some(({ code }) => code === 0)) {
              await subject.stop();
              await subject.serve();
              subject.compare(asked);
            }
          } finally {
            repo.chmod(path, mode);
          }
          subject.compare(asked);
        },
        { launcher: unprivileged() },
      );
    });
  });
}

describe('what may not be read', () => {
  const denied = /Permission denied/;
  unreadable('a directory deep in one that is ignored', 'ignored/z/y', {
    before: (repo) => {
      repo.write('.git/info/exclude', 'ignored/\n');
      for (const name of ['a', 'b/c', 'z/x', 'z/y/w']) repo.write(`ignored/${name}`, 'ignored\n');
    },
  });
  unreadable('an untracked directory', 'new', { says: denied });
  unreadable('a tracked directory', 'd', { says: denied });
  unreadable('a tracked directory that can be searched', 'd', { mode: 0o111, says: denied });
  unreadable('a tracked directory that can be listed only', 'd', { mode: 0o444 });
  unreadable('an untracked directory that can be listed only', 'new', { mode: 0o444 });
  unreadable('an ignored directory', 'out', {
    before: (repo) => {
      repo.write('.gitignore', 'out/\n');
      repo.write('out/file', 'built\n');
    },
  });
  unreadable('an ignored directory that can be listed only', 'out', {
    mode: 0o444,
    before: (repo) => {
      repo.write('.gitignore', 'out/\n');
      repo.write('out/below/file', 'built\n');
    },
  });
  unreadable('a directory where all is ignored, of what HEAD has and the index has not', 'out/deep', {
    mode: 0o444,
    before: (repo) => {
      const lines = [1, 2, 3, 4, 5].map((number) => `line ${number}\n`).join('');
      repo.write('.gitignore', 'out/\n');
      repo.write('out/deep/old', lines);
      repo.git('add', '-f', 'out/deep/old');
      repo.git('commit', '-q', '-m', 'out');
      repo.git('rm', '-q', '--cached', 'out/deep/old');
      repo.write('resembles', `${lines}more\n`);
      repo.git('add', 'resembles');
    },
    says: /unable to access 'out\/deep\/\.gitattributes'/,
  });
  unreadable('a directory with directories that can be listed only', 'd', {
    mode: 0o444,
    before: (repo) => {
      repo.write('d/tracked/file', 'tracked\n');
      repo.commit();
      repo.write('d/untracked/file', 'untracked\n');
    },
  });
  unreadable('an untracked file', 'new/file');
  unreadable('a tracked file', 'a');
  unreadable('a tracked file that was touched', 'a', {
    after: (repo) => repo.touch('a', { seconds: 1_600_000_000 }),
  });
  unreadable('an ignore file', 'd/.gitignore', { says: denied });
  unreadable('an attributes file', '.gitattributes', {
    after: (repo) => repo.touch('d/x.txt', { seconds: 1_600_000_000 }),
  });
  unreadable('a directory in the place of an attributes file', 'd/.gitattributes', {
    before: (repo) => repo.write('d/.gitattributes/file', ''),
    after: (repo) => repo.touch('d/x.txt', { seconds: 1_600_000_000 }),
    says: /unable to access 'd\/\.gitattributes'/,
  });
  unreadable('info/exclude', '.git/info/exclude', {
    before: (repo) => repo.write('.git/info/exclude', '*.o\n'),
    says: denied,
  });
  unreadable('the index', '.git/index', { says: denied });
  unreadable('HEAD', '.git/HEAD');
  unreadable('a branch', '.git/refs/heads/main');
  unreadable('the config', '.git/config');
  unreadable('the objects', '.git/objects');
  unreadable('the git directory', '.git');
  const nested = (repo: Repository): void => {
    repo.git('init', '-q', 'nested');
    repo.write('nested/file', 'inner\n');
  };
  unreadable('the git directory of a nested repository', 'nested/.git', { before: nested });
  unreadable('a nested repository', 'nested', { before: nested });
  unreadable('a nested repository that can be listed only', 'nested', { before: nested, mode: 0o444 });

  it('a directory that can be listed only, in which one asks', async () => {
    await withSandbox(async (sandbox) => {
      const repo = Repository.init(sandbox, 'w');
      furnished(repo);
      repo.chmod('d', 0o444);
      const inside = asked.map(({ question, sources }) => ({
        question: { ...question, directory: 'd' },
        sources,
      }));
      await withSubject(repo, (subject) => void subject.compare(inside), { launcher: unprivileged() });
    });
  });

  /** No events come from there: a watch needs read permission. */
  function searchedOnly(title: string, path: string, before: (repo: Repository) => void): void {
    it(`${title} that can be searched, in which files change`, async () => {
      await withSandbox(async (sandbox) => {
        const repo = Repository.init(sandbox, 'w');
        furnished(repo);
        before(repo);
        repo.chmod(path, 0o111);
        const changed = (subject: Subject): void => {
          subject.compare(asked);
          repo.append(`${path}/b`, 'more\n');
          subject.compare(asked);
          repo.remove(`${path}/b`);
          subject.compare(asked);
          repo.chmod(path, 0o755);
          subject.compare(asked);
        };
        await withSubject(repo, changed, { launcher: unprivileged() });
      });
    });
  }
  searchedOnly('a directory', 'd', () => undefined);
  searchedOnly('a directory, while git answers,', 'd', (repo) => {
    repo.write('.git/info/grafts', repo.git('rev-parse', 'HEAD'));
  });
  searchedOnly('a directory of a submodule', 'sub/d', (repo) => {
    const inner = Repository.init(repo.sandbox, 'library');
    furnished(inner);
    repo.git('submodule', '--quiet', 'add', '-f', '../library', 'sub');
    repo.commit();
  });
});
