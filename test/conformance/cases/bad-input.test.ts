/** Bad input: git's exit code and messages. After a repair the answer returns. */
import { strict as assert } from 'node:assert';
import { mkdirSync, truncateSync, statSync } from 'node:fs';
import { fromBuffer } from '../../support/bytes';
import { run } from '../../support/run';
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

const both: readonly Source[] = ['resident', 'scan'];

/** Breaks a repository under a running server. Each source must then say the same as git, word for word. */
function badInput(
  title: string,
  spoil: (repo: Repository) => void,
  mend?: (repo: Repository) => void,
  fails = true,
): void {
  it(title, async () => {
    await withSandbox(async (sandbox) => {
      const repo = Repository.init(sandbox, 'w');
      furnished(repo);
      await withSubject(repo, (subject) => {
        spoil(repo);
        const before = listing(repo);
        const [expected] = subject.compare([{ question: asked, sources: both }]);
        assert.equal(expected?.code !== 0, fails, 'the case does not reach its state');
        subject.compare([{ question: question('-s'), sources: both }]);
        assert.equal(listing(repo), before, 'nobody may write to the repository');
        if (!mend) return;
        mend(repo);
        subject.compare([{ question: asked, sources: both }]);
      });
    });
  });
}

/** Every file of the git directory with its size and times. */
function listing(repo: Repository): string {
  const { stdout } = run('find', ['.git', '-printf', '%p %s %T@ %C@\\n'], {
    cwd: repo.root,
    env: process.env,
  });
  return stdout.toString('latin1').split('\n').sort().join('\n');
}

describe('bad input', () => {
  const keep = (path: string) => (repo: Repository) => repo.write('../kept', repo.read(path));
  const restore = (path: string) => (repo: Repository) => repo.write(path, repo.read('../kept'));

  badInput(
    'a truncated index',
    (repo) => {
      keep('.git/index')(repo);
      truncateSync(`${repo.root}/.git/index`, 20);
    },
    restore('.git/index'),
  );

  badInput(
    'an index cut within an entry: git reads on past its end',
    (repo) => {
      keep('.git/index')(repo);
      truncateSync(`${repo.root}/.git/index`, statSync(`${repo.root}/.git/index`).size >> 1);
    },
    restore('.git/index'),
    false,
  );

  badInput(
    'a garbage index',
    (repo) => {
      keep('.git/index')(repo);
      repo.write('.git/index', 'garbage '.repeat(40));
    },
    restore('.git/index'),
  );

  badInput(
    'an index of an unknown version',
    (repo) => {
      keep('.git/index')(repo);
      const index = repo.read('.git/index');
      repo.write('.git/index', index.slice(0, 7) + '\x09' + index.slice(8));
    },
    restore('.git/index'),
  );

  badInput(
    'a missing HEAD',
    (repo) => repo.remove('.git/HEAD'),
    (repo) => {
      repo.write('.git/HEAD', 'ref: refs/heads/main\n');
    },
  );

  badInput(
    'a garbage HEAD',
    (repo) => repo.write('.git/HEAD', 'garbage\n'),
    (repo) => {
      repo.write('.git/HEAD', 'ref: refs/heads/main\n');
    },
  );

  badInput(
    'a config that cannot be parsed',
    (repo) => {
      keep('.git/config')(repo);
      repo.write('.git/config', '[core\nbroken');
    },
    restore('.git/config'),
  );

  badInput('an unknown repository format', (repo) => repo.config('core.repositoryFormatVersion', '99'));

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

  badInput('a branch whose commit is missing', (repo) => {
    repo.write('.git/refs/heads/main', `${'1234567890'.repeat(4)}\n`);
  });

  badInput('a git directory removed', (repo) => repo.remove('.git'));

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
});
