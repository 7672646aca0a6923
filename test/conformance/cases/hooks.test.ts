/** Questions from a git hook, with git's variables for hooks. */
import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { residentBinary } from '../../support/binary';
import { Repository } from '../../support/repository';
import type { Sandbox } from '../../support/sandbox';
import { conformanceCase } from '../case';
import { question } from '../questions';
import type { Subject } from '../subject';

const kStatus = 'status --porcelain=v2 -z --branch';
const asked = question('--porcelain=v2', '-z', '--branch');
const kAnotherIndex = /different index/;

/** A hook that asks git, the resident process, and our program with its default source. */
class Hook {
  private readonly folder: string;

  /** `directory`: the hook's working directory, relative to the worktree's root. */
  constructor(sandbox: Sandbox, repo: Repository, gitDir: string, directory = '.') {
    this.folder = sandbox.path('answers');
    sandbox.exec('mkdir', '-p', this.folder);
    const ours = `'${residentBinary()}' ${kStatus}`;
    const ask = (name: string, command: string): string =>
      `(cd ${directory} && ${command}) >'${this.folder}/${name}' 2>'${this.folder}/${name}.err'; echo $? >'${this.folder}/${name}.code'`;
    repo.write(
      `${gitDir}/hooks/pre-commit`,
      [
        '#!/bin/sh',
        ask('git', `GIT_OPTIONAL_LOCKS=0 git ${kStatus}`),
        ask('resident', `${ours} --source=resident`),
        ask('auto', ours),
        `printf '%s' "$GIT_INDEX_FILE" >'${this.folder}/index'`,
        'exit 0',
      ].join('\n'),
    );
    repo.chmod(`${gitDir}/hooks/pre-commit`, 0o755);
  }

  private said(name: string): string {
    return readFileSync(`${this.folder}/${name}`, 'utf8');
  }

  /** `index` matches the hook's index path, and `shows` matches git's answer. */
  check(index: RegExp, shows: RegExp, refusal?: RegExp): void {
    assert.match(this.said('index'), index);
    const expected = this.said('git');
    assert.match(expected, shows);
    assert.equal(this.said('git.code'), '0\n');
    assert.equal(this.said('auto'), expected);
    if (refusal) {
      assert.match(this.said('resident.err'), refusal);
      assert.equal(this.said('resident'), '');
      return;
    }
    assert.equal(this.said('resident.err'), '');
    assert.equal(this.said('resident'), expected);
    assert.equal(this.said('resident.code'), '0\n');
  }
}

function furnish(repo: Repository): void {
  repo.write('a', 'one\n');
  repo.write('d/b', 'one\n');
  repo.commit();
  repo.write('a', 'two\n');
  repo.write('d/b', 'two\n');
  repo.write('new', '');
}

/** The three kinds of commit; each has a different index file. */
function checkCommits(sandbox: Sandbox, repo: Repository, gitDir: string): void {
  const hook = new Hook(sandbox, repo, gitDir);
  repo.git('add', 'a');
  repo.git('commit', '-q', '-m', 'of the index');
  hook.check(/index$/, /1 M\. .* a\0.*1 \.M .* d\/b\0/s);
  repo.write('a', 'three\n');
  repo.git('commit', '-q', '-m', 'of a path', 'a');
  hook.check(/next-index-\d+\.lock$/, /1 M\. .* a\0.*1 \.M .* d\/b\0/s, kAnotherIndex);
  repo.git('commit', '-q', '-a', '-m', 'of everything');
  hook.check(/index\.lock$/, /1 M\. .* d\/b\0/s, kAnotherIndex);
}

describe('git hooks', () => {
  conformanceCase('pre-commit', ({ sandbox, repo }) => {
    furnish(repo);
    checkCommits(sandbox, repo, '.git');
  });

  conformanceCase('pre-commit, in a linked worktree', async ({ sandbox, repo, during }) => {
    furnish(repo);
    repo.git('worktree', 'add', '-q', '../linked');
    const linked = new Repository(sandbox, sandbox.path('linked'));
    await during(linked, () => {
      furnish(linked);
      checkCommits(sandbox, linked, '../w/.git');
      // With GIT_DIR set, git uses the current directory as the worktree.
      const hook = new Hook(sandbox, repo, '.git', 'd');
      linked.write('a', 'four\n');
      linked.git('add', 'a');
      linked.git('commit', '-q', '-m', 'asked below the root');
      hook.check(/index$/, /1 \.D .* d\/b\0/, /no resident process for this worktree/);
    });
  });

  conformanceCase('pre-commit, in a submodule', async ({ sandbox, repo, during }) => {
    const library = Repository.init(sandbox, 'library');
    library.write('a', 'one\n');
    library.commit();
    repo.git('submodule', '--quiet', 'add', '../library', 'sub');
    repo.commit();
    const sub = repo.at('sub');
    await during(sub, () => {
      furnish(sub);
      checkCommits(sandbox, sub, '../.git/modules/sub');
    });
  });
});

/** The environment decides if the resident process answers; each answer equals git's. */
describe('variables of the environment', () => {
  type Variables = Record<string, string>;

  function answers(subject: Subject, env: Variables, directory?: string): void {
    const asks = [{ question: { ...asked, env }, sources: ['resident', 'auto', 'scan'] as const }];
    subject.compare(asks, directory);
  }

  function refuses(subject: Subject, env: Variables, reason: RegExp): void {
    subject.compare([{ question: { ...asked, env }, sources: ['auto', 'scan'] }]);
    const answer = subject.ask('resident', { ...asked, env });
    assert.match(answer.stderr.toString(), reason, JSON.stringify(env));
    assert.equal(answer.stdout.length, 0);
  }

  conformanceCase('that name what is kept', ({ sandbox, repo, subject }) => {
    furnish(repo);
    sandbox.exec('ln', '-s', 'w', 'link');
    const link = sandbox.path('link');
    const gitDirs = ['.git', '.git/', './.git', `${repo.root}/.git`, `${link}/.git`, 'd/../.git'];
    for (const name of gitDirs) answers(subject, { GIT_DIR: name });
    for (const name of ['.', repo.root, link]) answers(subject, { GIT_WORK_TREE: name });
    for (const name of ['.git/index', `${repo.root}/.git/index`, `${link}/.git/index`]) {
      answers(subject, { GIT_INDEX_FILE: name });
    }
    const all = { GIT_DIR: `${link}/.git`, GIT_WORK_TREE: link, GIT_INDEX_FILE: `${link}/.git/index` };
    answers(subject, all);
    answers(subject, all, `${repo.root}/d`);
    answers(subject, { GIT_DIR: '../.git', GIT_WORK_TREE: '..' }, `${repo.root}/d`);
  });

  conformanceCase('that name something else', ({ sandbox, repo, subject }) => {
    furnish(repo);
    sandbox.exec('cp', '-a', 'w/.git', 'copy');
    sandbox.exec('cp', '-a', 'w/.git/index', 'other-index');
    const copy = sandbox.path('copy');
    refuses(subject, { GIT_DIR: copy }, /different git directory/);
    refuses(subject, { GIT_DIR: copy, GIT_INDEX_FILE: '.git/index' }, /different git directory/);
    refuses(subject, { GIT_INDEX_FILE: sandbox.path('other-index') }, kAnotherIndex);
    refuses(subject, { GIT_INDEX_FILE: '.git/none' }, kAnotherIndex);
    refuses(subject, { GIT_DIR: '.git', GIT_WORK_TREE: 'd' }, /no resident process for this worktree/);
  });

  conformanceCase('a git directory whose name the config reads', ({ sandbox, repo, subject }) => {
    furnish(repo);
    sandbox.exec('ln', '-s', 'w', 'link');
    const linked = { GIT_DIR: `${sandbox.path('link')}/.git` };
    answers(subject, linked);
    sandbox.exec('sh', '-c', "printf '[status]\\n\\tshowUntrackedFiles = no\\n' >hides");
    repo.config(`includeIf.gitdir:${sandbox.path('link')}/.path`, sandbox.path('hides'));
    refuses(subject, linked, /config may depend on the name of the git directory/);
    answers(subject, { GIT_DIR: '.git' });
    answers(subject, { GIT_DIR: `${repo.root}/.git` });
  });

  conformanceCase('that change no answer', ({ sandbox, repo, subject }) => {
    furnish(repo);
    const names = ['GIT_AUTHOR_NAME', 'GIT_AUTHOR_DATE', 'GIT_COMMITTER_EMAIL', 'GIT_EDITOR', 'GIT_PAGER'];
    names.push('GIT_SEQUENCE_EDITOR', 'GIT_REFLOG_ACTION', 'GIT_MERGE_AUTOEDIT', 'GIT_MERGE_VERBOSITY');
    names.push('GIT_PREFIX', 'GIT_ASKPASS', 'GIT_TERMINAL_PROMPT', 'GIT_PS1_SHOWDIRTYSTATE');
    names.push('GIT_COMPLETION_CHECKOUT_NO_GUESS');
    for (const name of names) answers(subject, { [name]: '1' });
    // With git itself on PATH, without the program that logs its calls.
    answers(subject, { GIT_EXEC_PATH: repo.git('--exec-path').trim(), PATH: sandbox.env.PATH ?? '' });
  });

  conformanceCase('that can change one', ({ sandbox, repo, subject }) => {
    furnish(repo);
    // A git other than the one on PATH, which git would run for the status of a submodule.
    const execPath = repo.git('--exec-path').trim();
    sandbox.exec('cp', '-a', execPath, 'exec-path');
    sandbox.exec('sh', '-c', 'rm exec-path/git && printf "#!/bin/sh\\nexit 3\\n" >exec-path/git');
    const config = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'status.showUntrackedFiles' };
    const changing: Variables[] = [
      { ...config, GIT_CONFIG_VALUE_0: 'no' },
      { GIT_OBJECT_DIRECTORY: '.git/objects' },
      { GIT_COMMON_DIR: '.git' },
      { GIT_NAMESPACE: 'name' },
      { GIT_NO_REPLACE_OBJECTS: '1' },
      { GIT_CEILING_DIRECTORIES: '/' },
      { GIT_EXEC_PATH: sandbox.path('exec-path') },
    ];
    for (const env of changing) refuses(subject, env, /different environment|a different git/);
  });
});
