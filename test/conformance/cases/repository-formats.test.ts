/** Repository format versions and extensions, and the default formats of `git init` in different gits. */
import { strict as assert } from 'node:assert';
import { atLeast } from '../../support/oracle';
import { Repository } from '../../support/repository';
import { conformanceCase, withSandbox, withSubject, type CaseContext } from '../case';
import { question } from '../questions';
import { Subject } from '../subject';

const asked = question('--porcelain=v2', '-z', '-b');

function furnish(repo: Repository): void {
  repo.write('a', 'one\n');
  repo.write('d/b', 'two\n');
  repo.commit();
  repo.write('a', 'changed\n');
  repo.write('new', '');
}

/** Tests who answers if git accepts the repository. If git refuses, its own message is expected. */
function extensionCase(version: '0' | '1', name: string, value: string, who: 'ours' | "git's"): void {
  it(`extensions.${name}=${value} in format ${version}: ${who} to answer`, async () => {
    await withSandbox(async (sandbox) => {
      const repo = Repository.init(sandbox, 'w');
      furnish(repo);
      repo.append('.git/config', `[core]\n\trepositoryFormatVersion = ${version}\n`);
      repo.append('.git/config', `[extensions]\n\t${name} = ${value}\n`);
      const unserved = new Subject(sandbox, repo.root);
      const { code, stderr } = unserved.askGit(asked);
      if (code !== 0 || stderr.length > 0) {
        unserved.compare([{ question: asked, sources: ['scan'] }]);
        return;
      }
      await withSubject(repo, (subject) => {
        subject.compare([{ question: asked, sources: ['resident', 'scan'] }]);
        assert.equal(subject.delegations.length > 0 ? "git's" : 'ours', who);
      });
    });
  });
}

describe('formats of a repository', () => {
  extensionCase('0', 'noop', 'x', 'ours');
  extensionCase('0', 'noSuchThing', 'x', 'ours');
  extensionCase('0', 'objectFormat', 'sha1', 'ours');
  extensionCase('1', 'noop', 'x', 'ours');
  extensionCase('1', 'noop-v1', 'x', 'ours');
  extensionCase('1', 'preciousObjects', 'true', 'ours');
  extensionCase('1', 'partialClone', 'origin', 'ours');
  extensionCase('1', 'partialClone', '/origin', "git's");
  extensionCase('1', 'worktreeConfig', 'true', 'ours');
  extensionCase('1', 'objectFormat', 'sha1', 'ours');
  extensionCase('1', 'refStorage', 'files', 'ours');
  extensionCase('1', 'refStorage', 'files://nowhere', "git's");
  extensionCase('1', 'relativeWorktrees', 'true', 'ours');
  extensionCase('1', 'compatObjectFormat', 'sha256', "git's");
  extensionCase('1', 'submodulePathConfig', 'true', "git's");
  extensionCase('1', 'noSuchThing', 'x', "git's");

  const changes = ({ repo, check }: CaseContext): void => {
    furnish(repo);
    check(/^1 \.M .* a$/, /^\? new$/);
    repo.git('add', '-A');
    repo.git('mv', 'd/b', 'c');
    check(/^1 M\. .* a$/, /^2 R\. .* c/);
    repo.git('stash', '-q');
    repo.git('checkout', '-q', '-b', 'side');
    check();
  };
  conformanceCase('as git makes it by default', changes);
  conformanceCase(
    'a submodule of another hash',
    ({ repo, check }) => {
      repo.git('init', '-q', '--object-format=sha1', 'sub');
      const sub = repo.at('sub');
      sub.write('a', 'one\n');
      sub.commit();
      const id = sub.ask('rev-parse', 'HEAD').stdout.toString('utf8').trim();
      for (const other of [id + '0'.repeat(24), '1'.repeat(64)]) {
        repo.git('update-index', '--add', '--cacheinfo', `160000,${other},sub`);
        check();
        sub.write('a', `${other}\n`);
        check();
        repo.git('commit', '-q', '-m', 'x');
        check();
      }
    },
    { init: ['--object-format=sha256'], delegates: 'maybe' },
  );
  if (atLeast(2, 45)) {
    const newest = ['--object-format=sha256', '--ref-format=reftable', '--initial-branch=main'];
    conformanceCase('as git 3.0 makes it by default', changes, { init: newest });
  }
  if (atLeast(2, 48)) {
    conformanceCase('a worktree linked by relative paths', async ({ repo, during }) => {
      furnish(repo);
      repo.git('worktree', 'add', '-q', '--relative-paths', '../linked');
      assert.match(repo.read('.git/config'), /relativeWorktrees = true/i);
      await during(new Repository(repo.sandbox, repo.sandbox.path('linked')), ({ repo: linked, check }) => {
        assert.match(linked.read('.git'), /^gitdir: \.\./);
        check();
        linked.write('a', 'changed\n');
        check(/^1 \.M .* a$/);
      });
    });
  }
});

describe('variables of the environment that move what git reads', () => {
  for (const [name, value] of [
    ['GIT_ATTR_SOURCE', 'HEAD'],
    ['GIT_REFERENCE_BACKEND', 'files'],
    ['GIT_ADVICE', '0'],
    ['GIT_COMMIT_GRAPH_PARANOIA', '1'],
    ['GIT_NO_LAZY_FETCH', '1'],
  ] as const) {
    it(name, async () => {
      await withSandbox(async (sandbox) => {
        const repo = Repository.init(sandbox, 'w');
        repo.write('.gitattributes', '*.txt eol=crlf\n');
        repo.write('a.txt', 'one\n');
        repo.commit();
        sandbox.setVariable(name, value);
        repo.remove('.gitattributes');
        repo.write('a.txt', 'one\r\n');
        await withSubject(repo, (subject) => {
          const questions = [asked, question('-sb'), question()];
          subject.compare(questions.map((each) => ({ question: each, sources: ['resident', 'scan'] })));
        });
      });
    });
  }
});
