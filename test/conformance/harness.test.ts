/** Tests the suite itself: it must detect deliberately wrong programs, and accept a correct program. */
import { strict as assert } from 'node:assert';
import { join } from 'node:path';
import { atLeast } from '../support/oracle';
import { Repository } from '../support/repository';
import { ServerError } from '../support/server';
import { contextOf, withSandbox } from './case';
import { Disagreement } from './disagreement';
import { Subject } from './subject';

function program(name: string): string {
  return join(__dirname, 'programs', name);
}

/** A repository with files of all kinds, checked twice with a change in between. */
async function liveThroughAChange(name: string): Promise<Subject> {
  let used: Subject | undefined;
  await withSandbox(async (sandbox) => {
    const repo = Repository.init(sandbox, 'w');
    repo.write('moved', 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n');
    repo.write('kept', 'kept\n');
    repo.commit();
    const subject = new Subject(sandbox, repo.root, { binary: program(name) });
    used = subject;
    try {
      await subject.serve();
      const { check } = contextOf(sandbox, repo, subject);
      check();
      repo.git('mv', 'moved', 'there');
      repo.append('there', 'nine\n');
      repo.git('add', 'there');
      repo.write('.gitignore', '*.o\n');
      repo.write('ignored.o', '');
      check(/^2 R\. .* R\d\d /, /^\? \.gitignore$/, /^! ignored.o$/);
      await subject.stop();
    } finally {
      subject.kill();
    }
  }).catch((error: unknown) => {
    used?.sandbox.remove();
    throw error;
  });
  assert.ok(used);
  return used;
}

describe('harness', () => {
  it('passes a program that answers as git does, and sees that git gave the answers', async () => {
    const subject = await liveThroughAChange('forwards-to-git');
    assert.equal(subject.counts.questions, 2 * 2 * 9);
    // git refuses one of the nine modes. An old git also answers the modes with ignored files.
    assert.equal(subject.counts.delegated, 2 * 2 * (atLeast(2, 29) ? 8 : 3));
  });

  const wrong: Record<string, RegExp> = {
    'drops-an-entry': /^- [?!2] /m,
    'answers-stale': /resident differs from git/,
    'ignores-the-mode': /^\+ \? /m,
    'swallows-exit-codes': /exit code 0, git's is 128/,
    'adds-a-byte': /differs/,
    'says-nothing': /stderr differs/,
    'forgets-the-branch': /^- # branch\.head main$/m,
    'rounds-similarity': /^\+ 2 R\. .* R100 there <- moved$/m,
  };
  for (const [name, says] of Object.entries(wrong)) {
    it(`finds out a program that ${name.replaceAll('-', ' ')}`, async () => {
      await assert.rejects(liveThroughAChange(name), (error) => {
        assert.ok(error instanceof Disagreement, String(error));
        assert.match(error.message, says);
        assert.match(error.message, /^git -C w commit -q/m, 'the script that replays it');
        return true;
      });
    });
  }

  it('finds out a server that is never ready, and repeats its reason', async () => {
    await assert.rejects(liveThroughAChange('is-never-ready'), (error) => {
      assert.ok(error instanceof ServerError);
      assert.match(error.message, /ended with exit code 3 .*no such luck/s);
      return true;
    });
  });

  it('finds out a server that ends badly', async () => {
    await assert.rejects(liveThroughAChange('ends-badly'), (error) => {
      assert.ok(error instanceof ServerError);
      assert.match(error.message, /answered SIGTERM with exit code 7/);
      return true;
    });
  });

  it('does not wait for the other end of a FIFO', () =>
    withSandbox((sandbox) => {
      const repo = Repository.init(sandbox, 'w');
      sandbox.exec('mkfifo', 'w/pipe');
      repo.symlink('pipe', 'link');
      for (const path of ['pipe', 'link']) {
        assert.throws(() => repo.write(path, 'text'), { code: 'ENXIO' });
        assert.throws(() => repo.append(path, 'text'), { code: 'ENXIO' });
        assert.equal(repo.read(path), '');
      }
      return Promise.resolve();
    }));

  it('finds out a check whose state was not reached', async () => {
    await withSandbox(async (sandbox) => {
      const repo = Repository.init(sandbox, 'w');
      const subject = new Subject(sandbox, repo.root, { binary: program('forwards-to-git') });
      await subject.serve();
      const { check } = contextOf(sandbox, repo, subject);
      assert.throws(() => check(/^\? not-there$/), /does not reach its state/);
      await subject.stop();
    });
  });
});
