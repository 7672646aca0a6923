/** Repositories whose `.git` leads elsewhere, by other names or to another place, while a process keeps their worktree. */
import { strict as assert } from 'node:assert';
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { residentBinary } from '../../support/binary';
import type { PromptProcess } from '../../support/promptProcess';
import { Repository } from '../../support/repository';
import { run } from '../../support/run';
import type { Sandbox } from '../../support/sandbox';
import { withSandbox, withSubject } from '../case';
import { everything, startPrompt } from '../prompt/case';
import { expectedPrompt } from '../prompt/oracle';
import { nineModes, question } from '../questions';
import type { Subject } from '../subject';

const asked = question('--porcelain=v2', '-z', '-b');

interface Place {
  sandbox: Sandbox;
  repo: Repository;
  /** Puts what `.git` is elsewhere, below the sandbox. */
  moveTo(name: string): void;
  /** Makes `.git` a link, or a file that names a git directory. */
  link(target: string): void;
  name(target: string): void;
}

const newPlace = (sandbox: Sandbox): Place => {
  const repo = Repository.init(sandbox, 'w');
  repo.write('f', 'one\n');
  repo.write('d/g', 'one\n');
  repo.git('add', '.');
  repo.commit();
  const dotGit = `${repo.root}/.git`;
  return {
    sandbox,
    repo,
    moveTo: (name) => renameSync(dotGit, sandbox.path(name)),
    link: (target) => {
      rmSync(dotGit, { force: true });
      symlinkSync(target, dotGit);
    },
    name: (target) => {
      rmSync(dotGit, { force: true });
      writeFileSync(dotGit, `gitdir: ${target}\n`);
    },
  };
};

/** The names that a client is told since the token; undefined: everything. */
const namesSince = (subject: Subject, token: string): { token: string; names: string[] | undefined } => {
  const { sandbox, worktree } = subject;
  const env = sandbox.questionEnv({ spy: false });
  const said = run(residentBinary(), ['since', '-z', token], { cwd: worktree, env });
  assert.equal(said.code, 0, said.stderr.toString());
  const [next = '', ...names] = said.stdout.toString().split('\0').slice(0, -1);
  return { token: next, names: names.includes('/') ? undefined : names };
};

/** The same, as git asks it; `env` names the repository. */
const namesForGit = (subject: Subject, token: string, env: Record<string, string>): string[] => {
  const { sandbox, worktree } = subject;
  const said = run(residentBinary(), ['fsmonitor', '2', token], {
    cwd: worktree,
    env: { ...sandbox.questionEnv({ spy: false }), ...env },
  });
  assert.equal(said.code, 0, said.stderr.toString());
  return said.stdout.toString().split('\0').slice(0, -1);
};

const withPrompt = async (
  sandbox: Sandbox,
  body: (check: (repo: Repository) => Promise<void>, prompt: PromptProcess) => Promise<void>,
): Promise<void> => {
  const prompt = startPrompt(sandbox, everything);
  const check = async (repo: Repository): Promise<void> => {
    const expected = expectedPrompt(repo);
    assert.ok(expected, 'git says nothing');
    assert.deepEqual(await prompt.ask(repo.root), expected, prompt.log);
  };
  try {
    await body(check, prompt);
  } finally {
    prompt.kill();
  }
};

describe('a repository in another place', function () {
  this.timeout(120_000);

  const ways: Record<string, ((place: Place) => void)[]> = {
    'a link in place of the directory': [
      ({ moveTo, link }) => {
        moveTo('real.git');
        link('../real.git');
      },
    ],
    'a link whose target is renamed': [
      ({ moveTo, link }) => {
        moveTo('real.git');
        link('../real.git');
      },
      ({ sandbox, link }) => {
        renameSync(sandbox.path('real.git'), sandbox.path('other.git'));
        link('../other.git');
      },
    ],
    'a file that names a link': [
      ({ sandbox, moveTo, name }) => {
        moveTo('real.git');
        symlinkSync('real.git', sandbox.path('link.git'));
        name('../link.git');
      },
      ({ sandbox }) => {
        renameSync(sandbox.path('real.git'), sandbox.path('other.git'));
        rmSync(sandbox.path('link.git'));
        symlinkSync('other.git', sandbox.path('link.git'));
      },
    ],
    'a link through a linked directory': [
      ({ sandbox, moveTo, link }) => {
        mkdirSync(sandbox.path('one'));
        moveTo('one/real.git');
        symlinkSync('one', sandbox.path('projects'));
        link('../projects/real.git');
      },
      ({ sandbox }) => {
        renameSync(sandbox.path('one'), sandbox.path('two'));
        rmSync(sandbox.path('projects'));
        symlinkSync('two', sandbox.path('projects'));
      },
    ],
    'a link to a copy': [
      ({ sandbox, moveTo, link }) => {
        moveTo('real.git');
        link('../real.git');
        sandbox.exec('cp', '-a', 'real.git', 'copy.git');
      },
      ({ repo, link }) => {
        link('../copy.git');
        repo.git('rm', '-q', '--cached', 'f');
      },
    ],
  };

  const compareAll = (subject: Subject): void => {
    subject.compare(nineModes.map((mode) => ({ question: mode, sources: ['resident', 'scan'] })));
  };
  /** The server computes what it answers: git is asked for no status. */
  const computesItself = (subject: Subject, repo: Repository): void => {
    compareAll(subject);
    writeFileSync(repo.sandbox.serverSpyLog, '');
    repo.write('f', 'changed\n');
    repo.write('another', '');
    compareAll(subject);
    const calls = readFileSync(repo.sandbox.serverSpyLog, 'utf8');
    assert.doesNotMatch(calls, /status/, 'git answers in place of the server');
    assert.deepEqual(subject.delegations, [], 'git answers in place of the client');
  };

  for (const [way, steps] of Object.entries(ways)) {
    // The process begins before the first step, or after some of them.
    for (let before = 0; before < steps.length; before++)
      it(`is kept by ${way}${before > 0 ? `, from step ${before} on` : ''}`, () =>
        withSandbox(async (sandbox) => {
          const place = newPlace(sandbox);
          const { repo } = place;
          const link = sandbox.path('link-to-w');
          symlinkSync(repo.root, link);
          for (const step of steps.slice(0, before)) step(place);
          await withSubject(repo, (subject) => {
            for (const step of steps.slice(before)) {
              step(place);
              compareAll(subject);
              for (const cwd of [`${repo.root}/d`, link])
                subject.compare([{ question: asked, sources: ['resident', 'scan'] }], cwd);
            }
            const { token } = namesSince(subject, '');
            repo.write('d/new', '');
            assert.deepEqual(namesSince(subject, token).names, ['d/new']);
            computesItself(subject, repo);
          });
          await withSubject(repo, compareAll);
        }));

    it(`is told to a prompt by ${way}`, () =>
      withSandbox(async (sandbox) => {
        const place = newPlace(sandbox);
        await withPrompt(sandbox, async (check) => {
          await check(place.repo);
          for (const step of steps) {
            step(place);
            await check(place.repo);
            place.repo.write('new', '');
            await check(place.repo);
            place.repo.remove('new');
          }
        });
      }));
  }

  it('is the same for a GIT_DIR that is a link', () =>
    withSandbox(async (sandbox) => {
      const { repo, moveTo } = newPlace(sandbox);
      moveTo('real.git');
      symlinkSync('real.git', sandbox.path('link.git'));
      symlinkSync('w', sandbox.path('link-to-w'));
      Object.assign(sandbox.env, { GIT_DIR: sandbox.path('real.git'), GIT_WORK_TREE: repo.root });
      await withSubject(repo, (subject) => {
        for (const git of ['real.git', 'link.git'])
          for (const work of ['w', 'link-to-w']) {
            const env = { GIT_DIR: sandbox.path(git), GIT_WORK_TREE: sandbox.path(work) };
            subject.compare([{ question: { ...asked, env }, sources: ['resident', 'auto'] }]);
          }
        const other = { GIT_DIR: sandbox.path('w') };
        assert.notEqual(subject.ask('resident', { ...asked, env: other }).code, 0);
      });
    }));

  it('is the same for the git that asks what changed', () =>
    withSandbox(async (sandbox) => {
      const place = newPlace(sandbox);
      const { repo } = place;
      await withSubject(repo, (subject) => {
        place.moveTo('real.git');
        place.link('../real.git');
        symlinkSync('real.git', sandbox.path('link.git'));
        // This question waits until the repository is opened again; git's question would not.
        compareAll(subject);
        const linked = { GIT_DIR: sandbox.path('link.git') };
        const index = { GIT_INDEX_FILE: sandbox.path('link.git/index') };
        for (const env of [{}, linked, { ...linked, ...index }]) {
          const [token = ''] = namesForGit(subject, '', env);
          repo.write('f', `${Object.keys(env).length}\n`);
          const [, ...names] = namesForGit(subject, token, env);
          assert.ok(names.includes('f') && !names.includes('/'), names.join());
        }
        const other = { ...linked, GIT_INDEX_FILE: sandbox.path('link.git/other') };
        assert.deepEqual(namesForGit(subject, '', other).slice(1), ['/']);
      });
    }));

  /** A submodule that was cloned by hand, whose git directory its superproject takes. */
  const absorbed = async (
    sandbox: Sandbox,
    body: (submodule: Repository, absorb: () => void) => Promise<void>,
  ): Promise<void> => {
    const library = Repository.init(sandbox, 'library');
    library.write('f', 'one\n');
    library.commit();
    const repo = Repository.init(sandbox, 'w');
    repo.git('clone', '-q', '../library', 'sub');
    repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', '../library', 'sub');
    repo.commit();
    await body(repo.at('sub'), () => repo.git('submodule', '--quiet', 'absorbgitdirs'));
  };

  it('is opened again where a superproject takes a git directory', () =>
    withSandbox((sandbox) =>
      absorbed(sandbox, (submodule, absorb) =>
        withSubject(submodule, (subject) => {
          compareAll(subject);
          absorb();
          computesItself(subject, submodule);
        }),
      ),
    ));

  it('is told to a prompt where a superproject takes a git directory', () =>
    withSandbox((sandbox) =>
      absorbed(sandbox, (submodule, absorb) =>
        withPrompt(sandbox, async (check, prompt) => {
          submodule.write('new', '');
          await check(submodule);
          absorb();
          await check(submodule);
          submodule.write('f', 'changed\n');
          await check(submodule);
          assert.equal(prompt.log, '');
        }),
      ),
    ));

  /** A linked worktree whose main worktree is renamed, and found again. */
  const linkedWorktree = (sandbox: Sandbox): { linked: Repository; rename(): void; repair(): void } => {
    const repo = Repository.init(sandbox, 'w');
    repo.write('f', 'one\n');
    repo.commit();
    repo.git('worktree', 'add', '-q', '../linked');
    const linked = new Repository(sandbox, sandbox.path('linked'));
    return {
      linked,
      rename: () => renameSync(repo.root, sandbox.path('renamed')),
      repair: () => new Repository(sandbox, sandbox.path('renamed')).git('worktree', 'repair', linked.root),
    };
  };

  it('is opened again where a linked worktree is repaired', () =>
    withSandbox(async (sandbox) => {
      const { linked, rename, repair } = linkedWorktree(sandbox);
      await withSubject(linked, (subject) => {
        compareAll(subject);
        rename();
        assert.notEqual(subject.ask('resident', asked).code, 0);
        repair();
        computesItself(subject, linked);
      });
    }));

  it('is told to a prompt where a linked worktree is repaired', () =>
    withSandbox(async (sandbox) => {
      const { linked, rename, repair } = linkedWorktree(sandbox);
      await withPrompt(sandbox, async (check, prompt) => {
        await check(linked);
        rename();
        assert.equal(await prompt.ask(linked.root), undefined);
        repair();
        await check(linked);
        linked.write('new', '');
        await check(linked);
      });
    }));

  it('is told to the first prompt after a worktree was removed and made again', () =>
    withSandbox(async (sandbox) => {
      const repo = Repository.init(sandbox, 'w');
      repo.write('f', 'one\n');
      repo.commit();
      const linked = new Repository(sandbox, sandbox.path('linked'));
      await withPrompt(sandbox, async (check) => {
        for (let times = 0; times < 20; times++) {
          repo.git('worktree', 'add', '-q', '--detach', '../linked');
          await check(linked);
          rmSync(linked.root, { recursive: true });
          repo.git('worktree', 'prune');
        }
      });
    }));
});
