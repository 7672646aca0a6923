/** Bad input: git's exit code, and a message that names the file; then, where it is mended, the answer again. */
import { strict as assert } from 'node:assert';
import { mkdirSync, truncateSync, statSync } from 'node:fs';
import { fromBuffer } from '../../support/bytes';
import { Repository } from '../../support/repository';
import { withSandbox, withSubject, conformanceCase } from '../case';
import type { Source } from '../disagreement';
import { question } from '../questions';
import { Subject } from '../subject';

const asked = question('--porcelain=v2', '-z', '-b');

function furnished(repo: Repository): void {
  repo.write('a', 'one\n');
  repo.write('d/b', 'two\n');
  repo.commit();
}

/** Breaks a repository under a living server, and compares how each source fails. */
function badInput(
  title: string,
  names: RegExp,
  spoil: (repo: Repository) => void,
  mend?: (repo: Repository) => void,
): void {
  it(title, async () => {
    await withSandbox(async (sandbox) => {
      const repo = Repository.init(sandbox, 'w');
      furnished(repo);
      await withSubject(repo, (subject) => {
        spoil(repo);
        const expected = subject.askGit(asked);
        assert.notEqual(expected.code, 0, 'git does not mind: the case does not reach its state');
        for (const source of ['resident', 'scan'] as Source[]) {
          const answer = subject.ask(source, asked);
          const told = answer.stderr.toString('latin1');
          assert.equal(answer.code, expected.code, `${source}: ${told}`);
          assert.equal(answer.stdout.toString('latin1'), expected.stdout.toString('latin1'), source);
          assert.match(told, names, `${source} names the file`);
        }
        if (!mend) return;
        mend(repo);
        subject.compare([{ question: asked, sources: ['resident', 'scan'] }]);
      });
    });
  });
}

describe('bad input', () => {
  const keep = (path: string) => (repo: Repository) => repo.write('../kept', repo.read(path));
  const restore = (path: string) => (repo: Repository) => repo.write(path, repo.read('../kept'));

  badInput(
    'a truncated index',
    /index/,
    (repo) => {
      keep('.git/index')(repo);
      truncateSync(`${repo.root}/.git/index`, 20);
    },
    restore('.git/index'),
  );

  it('an index cut within an entry: refused by name, where git reads on past its end', async () => {
    await withSandbox(async (sandbox) => {
      const repo = Repository.init(sandbox, 'w');
      furnished(repo);
      await withSubject(repo, (subject) => {
        truncateSync(`${repo.root}/.git/index`, statSync(`${repo.root}/.git/index`).size >> 1);
        const expected = subject.askGit(asked);
        for (const source of ['resident', 'scan'] as Source[]) {
          const answer = subject.ask(source, asked);
          const refused = answer.code === 128 && answer.stderr.toString('latin1').includes('index');
          assert.ok(
            refused || answer.stdout.equals(expected.stdout),
            `${source}: ${answer.stderr.toString('latin1')}`,
          );
        }
      });
    });
  });

  badInput(
    'a garbage index',
    /index/,
    (repo) => {
      keep('.git/index')(repo);
      repo.write('.git/index', 'garbage '.repeat(40));
    },
    restore('.git/index'),
  );

  badInput(
    'an index of an unknown version',
    /index/,
    (repo) => {
      keep('.git/index')(repo);
      const index = repo.read('.git/index');
      repo.write('.git/index', index.slice(0, 7) + '\x09' + index.slice(8));
    },
    restore('.git/index'),
  );

  badInput(
    'a missing HEAD',
    /HEAD|not a git repository/,
    (repo) => repo.remove('.git/HEAD'),
    (repo) => {
      repo.write('.git/HEAD', 'ref: refs/heads/main\n');
    },
  );

  badInput(
    'a garbage HEAD',
    /HEAD|not a git repository/,
    (repo) => repo.write('.git/HEAD', 'garbage\n'),
    (repo) => {
      repo.write('.git/HEAD', 'ref: refs/heads/main\n');
    },
  );

  badInput(
    'a config that cannot be parsed',
    /config/,
    (repo) => {
      keep('.git/config')(repo);
      repo.write('.git/config', '[core\nbroken');
    },
    restore('.git/config'),
  );

  badInput('an unknown repository format', /99|version|config/, (repo) =>
    repo.config('core.repositoryFormatVersion', '99'),
  );

  conformanceCase(
    'a loop of symbolic refs, and the way out of it',
    ({ repo, check }) => {
      furnished(repo);
      repo.write('.git/refs/heads/one', 'ref: refs/heads/two\n');
      repo.write('.git/refs/heads/two', 'ref: refs/heads/one\n');
      repo.write('.git/HEAD', 'ref: refs/heads/one\n');
      check();
      repo.write('.git/HEAD', 'ref: refs/heads/main\n');
      check(/^# branch\.head main$/);
    },
    { delegates: 'maybe' },
  );

  badInput('a branch whose commit is missing', /HEAD|[0-9a-f]{7}/, (repo) => {
    repo.write('.git/refs/heads/main', `${'1234567890'.repeat(4)}\n`);
  });

  badInput('a git directory removed', /\.git|not a git repository/, (repo) => repo.remove('.git'));

  it("no repository: git's own words", async () => {
    await withSandbox((sandbox) => {
      mkdirSync(sandbox.path('plain'));
      const subject = new Subject(sandbox, sandbox.path('plain'));
      const expected = subject.askGit(asked);
      assert.equal(expected.code, 128);
      for (const source of ['scan', 'auto'] as Source[]) {
        const answer = subject.ask(source, asked);
        assert.equal(answer.code, 128);
        assert.equal(answer.stderr.toString(), expected.stderr.toString());
      }
    });
  });

  it("a bare repository and the inside of .git: git's own words", async () => {
    await withSandbox((sandbox) => {
      const repo = Repository.init(sandbox, 'w');
      furnished(repo);
      repo.git('clone', '-q', '--bare', '.', '../bare');
      for (const place of ['bare', 'w/.git']) {
        const subject = new Subject(sandbox, sandbox.path(place));
        const [expected, answer] = [subject.askGit(asked), subject.ask('scan', asked)];
        assert.equal(expected.code, 128);
        assert.equal(answer.code, 128);
        assert.equal(answer.stderr.toString(), expected.stderr.toString());
      }
    });
  });

  it('a worktree that is removed while it is served', async () => {
    await withSandbox(async (sandbox) => {
      const repo = Repository.init(sandbox, 'w');
      furnished(repo);
      const subject = new Subject(sandbox, repo.root);
      await subject.serve();
      try {
        repo.destroy();
        mkdirSync(repo.root);
        const answer = subject.ask('resident', asked);
        assert.notEqual(answer.code, 0);
        assert.equal(answer.stdout.length, 0);
        assert.ok(answer.stderr.length > 0);
      } finally {
        subject.kill();
      }
    });
  });

  for (const broken of ['garbage', 'truncated'] as const) {
    conformanceCase(
      `a ${broken} .git/info/exclude or ignore file is only odd patterns`,
      ({ repo, check }) => {
        furnished(repo);
        repo.write('new', '');
        repo.write('.gitignore', broken === 'garbage' ? '\0\xff\n[\n\\\n**\0' : 'new\\');
        check();
      },
    );
  }

  conformanceCase(
    'a tree that names a file twice: git tells what it makes of it',
    ({ repo, check }) => {
      furnished(repo);
      const idOf = (name: string): string =>
        fromBuffer(Buffer.from(repo.git('rev-parse', name).trim(), 'hex'));
      const tree = ['HEAD:a', 'HEAD:d/b'].map((blob) => `100644 twice\0${idOf(blob)}`).join('');
      const make = ['hash-object', '-w', '-t', 'tree', '--stdin', '--literally'];
      const id = fromBuffer(repo.gitWithInput(tree, ...make).stdout).trim();
      const commit = repo.git('commit-tree', '-m', 'twice', id).trim();
      repo.git('reset', '-q', '--hard', commit);
      check();
      repo.write('twice', 'three\n');
      check(/^1 .M .* twice$/);
    },
    { delegates: 'maybe' },
  );

  const unprivileged = process.getuid?.() !== 0;
  (unprivileged ? it : it.skip)('an unreadable directory (not as root)', async () => {
    await withSandbox(async (sandbox) => {
      const repo = Repository.init(sandbox, 'w');
      furnished(repo);
      await withSubject(repo, (subject) => {
        repo.write('closed/file', '');
        repo.chmod('closed', 0);
        subject.compare([{ question: asked, sources: ['resident', 'scan'] }]);
        repo.chmod('closed', 0o755);
        subject.compare([{ question: asked, sources: ['resident', 'scan'] }]);
      });
    });
  });
});
