/** What the command line promises beside git's answers. */
import { strict as assert } from 'node:assert';
import { symlinkSync } from 'node:fs';
import { residentBinary } from '../../support/binary';
import { Repository } from '../../support/repository';
import { run } from '../../support/run';
import { ServerError } from '../../support/server';
import { withSandbox, withSubject } from '../case';
import { nineModes, question } from '../questions';
import { Subject } from '../subject';

const asked = question('--porcelain=v2', '-z', '-b');

describe('command line', () => {
  async function withRepository(
    body: (repo: Repository, subject: Subject) => void | Promise<void>,
  ): Promise<void> {
    await withSandbox(async (sandbox) => {
      const repo = Repository.init(sandbox, 'w');
      repo.write('d/a', 'one\n');
      repo.commit();
      repo.write('new', '');
      const subject = new Subject(sandbox, repo.root, { binary: residentBinary() });
      try {
        await body(repo, subject);
      } finally {
        subject.kill();
      }
    });
  }

  it('resident fails with a message where nobody serves the worktree', async () => {
    await withRepository((_, subject) => {
      const answer = subject.ask('resident', asked);
      assert.notEqual(answer.code, 0);
      assert.equal(answer.stdout.length, 0);
      assert.ok(answer.stderr.length > 0);
    });
  });

  it('auto answers with and without a server', async () => {
    await withRepository(async (repo, subject) => {
      subject.compare(nineModes.map((mode) => ({ question: mode, sources: ['auto', 'scan'] })));
      await subject.serve();
      repo.write('new2', '');
      subject.compare(nineModes.map((mode) => ({ question: mode, sources: ['auto', 'resident'] })));
      await subject.stop();
      subject.compare([{ question: asked, sources: ['auto', 'scan'] }]);
    });
  });

  it('a server can be started again after it ended, and after it was killed', async () => {
    await withRepository(async (_, subject) => {
      await subject.serve();
      await subject.stop();
      await subject.serve();
      subject.kill();
      await subject.serve();
      subject.compare([{ question: asked, sources: ['resident'] }]);
      await subject.stop();
    });
  });

  it("asking from a subdirectory finds the worktree's server", async () => {
    await withRepository(async (repo, subject) => {
      await subject.serve();
      subject.compare([{ question: asked, sources: ['resident'] }], `${repo.root}/d`);
      await subject.stop();
    });
  });

  it('the server answers where git runs the program: `git resident status`, and an alias', async () => {
    await withRepository(async (repo, subject) => {
      await subject.serve();
      const expected = subject.askGit(question('-s'), `${repo.root}/d`);
      const { sandbox } = repo;
      symlinkSync(residentBinary(), sandbox.path('bin/git-resident'));
      repo.config('alias.quick', '!cd "$GIT_PREFIX" && git-resident status --source=resident');
      const commands = [['resident', 'status', '--source=resident'], ['quick']];
      for (const command of commands) {
        const env = sandbox.questionEnv({ spy: true });
        const answer = run('git', [...command, '-s'], { cwd: `${repo.root}/d`, env });
        assert.equal(answer.stdout.toString(), expected.stdout.toString(), answer.stderr.toString());
      }
      await subject.stop();
    });
  });

  /** One environment names the worktree from everywhere, and another repository's git directory from there. */
  async function refusedElsewhere(env: Record<string, string>, reason: RegExp): Promise<void> {
    await withRepository(async (repo) => {
      const { sandbox } = repo;
      const other = Repository.init(sandbox, 'other');
      other.write('d/a', 'another\n');
      other.commit();
      Object.assign(sandbox.env, { GIT_WORK_TREE: repo.root, ...env });
      await withSubject(repo, (subject) => {
        subject.compare([{ question: asked, sources: ['resident', 'auto', 'scan'] }]);
        subject.compare([{ question: asked, sources: ['auto', 'scan'] }], other.root);
        const refusal = subject.ask('resident', asked, other.root);
        assert.match(refusal.stderr.toString(), reason);
      });
    });
  }

  it('the same words in the environment mean another repository elsewhere', async () => {
    await refusedElsewhere({ GIT_DIR: '.git' }, /has a different environment/);
  });

  it('a worktree that is asked for with another git directory is not answered from its own', async () => {
    await refusedElsewhere({}, /a different git directory/);
  });

  it('git says itself that an untracked cache was made elsewhere', async () => {
    await withRepository(async (repo) => {
      const { sandbox } = repo;
      repo.git('update-index', '--force-untracked-cache');
      repo.git('status');
      sandbox.exec('mv', 'w', 'moved');
      const subject = new Subject(sandbox, sandbox.path('moved'));
      try {
        await subject.serve();
        for (const [words, warns] of [
          [['-s'], true],
          [['-s', '-uno'], false],
          [['-s', '--ignored'], false],
          [['--porcelain=v2', '-z'], true],
        ] as const) {
          const expected = subject.askGit(question(...words));
          assert.equal(expected.stderr.includes('untracked cache is disabled'), warns);
          for (const source of ['resident', 'scan'] as const) {
            const answer = subject.ask(source, question(...words));
            assert.equal(answer.stderr.toString(), expected.stderr.toString(), source);
            assert.equal(answer.stdout.toString(), expected.stdout.toString(), source);
          }
        }
        await subject.stop();
      } finally {
        subject.kill();
      }
    });
  });

  it('serve refuses a directory that is no worktree, and says which', async () => {
    await withSandbox(async (sandbox) => {
      const subject = new Subject(sandbox, sandbox.path('home'));
      await assert.rejects(subject.serve(), (error) => {
        assert.ok(error instanceof ServerError);
        assert.match(error.message, /ended with exit code [1-9]/);
        assert.match(error.message, /home|not a git repository/);
        return true;
      });
    });
  });

  it('asking writes nothing: the index keeps its bytes and its time', async () => {
    await withRepository((repo, subject) => {
      repo.touch('d/a', { seconds: 1_500_000_000 });
      const before = repo.read('.git/index');
      subject.compare(nineModes.map((mode) => ({ question: mode, sources: ['scan'] })));
      assert.equal(repo.read('.git/index'), before);
    });
  });
});
