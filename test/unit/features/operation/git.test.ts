/** Continues an operation with the user's own message. Checks the commit, its author and the later steps. */
import { strict as assert } from 'node:assert';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { commit } from '../../../../extension/features/commit/git';
import { Continued, continueWithMessage, Continuing } from '../../../../extension/features/operation/git';
import { gitEnvironment } from '../../../../extension/git/environment';
import type { Run } from '../../../../extension/git/runGit';
import { runGit } from '../../../../extension/git/runGit';
import { isByPatches } from '../../../../extension/model/operations';
import { preparedMessage } from '../../../../extension/scm/PreparedText';
import { Repository } from '../../../support/repository';
import { Sandbox } from '../../../support/sandbox';

describe('continueWithMessage', () => {
  let sandbox: Sandbox;
  let repository: Repository;
  let gitDir: string;
  const kAuthor = 'Ada <ada@example.org>';
  const kDate = '1234567890 +0100';
  const kUsed = { isDone: true, isUsed: true };

  /** `theirs` changes f. `main` has three commits by Ada; the first and last change f too. */
  beforeEach(() => {
    sandbox = new Sandbox();
    repository = Repository.init(sandbox, 'r');
    gitDir = repository.absolute('.git').toString();
    repository.write('f', 'base\n');
    repository.commit('base');
    repository.git('checkout', '-q', '-b', 'theirs');
    commits('theirs', 'f', 'theirs\n');
    repository.git('checkout', '-q', 'main');
    commits('one', 'f', 'ours\n');
    commits('two', 'g', 'more\n');
    commits('three', 'f', 'last\n');
  });
  afterEach(() => {
    sandbox.remove();
  });

  function commits(message: string, path: string, content: string): void {
    repository.write(path, content);
    repository.git('add', path);
    repository.git('commit', '-q', '-m', message, `--author=${kAuthor}`, `--date=${kDate}`);
  }
  const git = (args: readonly string[]) => run({ args, editor: 'keeps' });
  const run: Run = async (command) => {
    const program = { path: 'git', env: gitEnvironment(sandbox.env, { editor: command.editor }) };
    const result = await runGit(program, repository.root, command, new AbortController().signal);
    return result.code === 0 ? result : undefined;
  };
  const goesOn = (operation: Continuing['operation'], message: string): Promise<Continued | undefined> =>
    continueWithMessage(run, { operation, gitDir, message });
  function resolve(text: string): void {
    repository.write('f', text);
    repository.git('add', 'f');
  }
  const commitAt = (revision: string) =>
    repository.git('log', '-1', '--date=raw', '--format=%an <%ae>%n%ad%n%B', revision).trimEnd();
  const isOfAda = (message: string) => `${kAuthor}\n${kDate}\n${message}`;
  const subjects = () => repository.git('log', '--format=%s').trimEnd().split('\n');
  const prepared = () => preparedMessage(repository.read('.git/MERGE_MSG'));

  const kMessage = '#12 is fixed\n\n- why\n# and how';

  for (const how of ['--merge', '--apply']) {
    it(`gives it to the first commit of a rebase alone, whose author stays: git rebase ${how}`, async () => {
      await git(['rebase', how, 'theirs']);
      resolve('both\n');
      assert.deepEqual(await goesOn('rebase', kMessage), { isDone: false, isUsed: true });
      assert.equal(commitAt('HEAD~1'), isOfAda(kMessage));
      assert.equal(commitAt('HEAD'), isOfAda('two'));
      if (how === '--merge') assert.equal(prepared(), 'three');
      resolve('all\n');
      assert.deepEqual(await goesOn('rebase', 'third\n'), kUsed);
      assert.equal(commitAt('HEAD'), isOfAda('third'));
      assert.deepEqual(subjects(), ['third', 'two', '#12 is fixed', 'theirs', 'base']);
      assert.equal(repository.git('symbolic-ref', 'HEAD'), 'refs/heads/main\n');
    });

    it(`leaves what git has of the steps after it as git has it: git rebase ${how}`, async () => {
      await git(['rebase', how, 'theirs']);
      resolve('both\n');
      await goesOn('rebase', kMessage);
      resolve('all\n');
      await git(['rebase', '--continue']);
      assert.equal(commitAt('HEAD'), isOfAda('three'));
    });

    it(`uses none while a rebase cannot go on: git rebase ${how}`, async () => {
      await git(['rebase', how, 'theirs']);
      assert.deepEqual(await goesOn('rebase', 'mine'), { isDone: false, isUsed: false });
      resolve('both\n');
      assert.deepEqual(await goesOn('rebase', 'mine, again'), { isDone: false, isUsed: true });
      assert.equal(commitAt('HEAD~1'), isOfAda('mine, again'));
    });
  }

  it('takes the place of a message only where a commit is due', async () => {
    const todo = sandbox.path('todo');
    const oids = repository.git('rev-list', '--reverse', 'HEAD~3..').trimEnd().split('\n');
    writeFileSync(todo, `edit ${oids[0]}\nreword ${oids[1]}\npick ${oids[2]}\n`);
    repository.git('-c', `sequence.editor=cp ${todo}`, 'rebase', '-q', '-i', 'HEAD~3');
    assert.deepEqual(await goesOn('rebase', 'of no commit'), { isDone: true, isUsed: false });
    assert.deepEqual(subjects(), ['three', 'two', 'one', 'base']);
  });

  it('is that of a commit that is edited in a rebase, and no word of it that of one that is reworded', async () => {
    const todo = sandbox.path('todo');
    const oids = repository.git('rev-list', '--reverse', 'HEAD~3..').trimEnd().split('\n');
    writeFileSync(todo, `edit ${oids[0]}\nreword ${oids[1]}\n`);
    repository.git('-c', `sequence.editor=cp ${todo}`, 'rebase', '-q', '-i', 'HEAD~3');
    resolve('otherwise\n');
    assert.deepEqual(await goesOn('rebase', kMessage), kUsed);
    assert.equal(commitAt('HEAD~1'), isOfAda(kMessage));
    assert.equal(commitAt('HEAD'), isOfAda('two'));
  });

  for (const own of [undefined, 'both of them']) {
    it(`brings no comments into the message of a later squash, which is ${own ?? "git's"}`, async () => {
      commits('four', 'h', 'h\n');
      const squash = "sequence.editor=sed -i '3s/pick/squash/'";
      repository.tryGit('-c', squash, 'rebase', '-q', '-i', 'HEAD~4', '--onto', 'theirs');
      resolve('both\n');
      await goesOn('rebase', kMessage);
      assert.equal(commitAt('HEAD~1'), isOfAda(' #12 is fixed\n\n - why\n # and how'));
      resolve('all\n');
      if (own === undefined) await git(['rebase', '--continue']);
      else assert.deepEqual(await goesOn('rebase', own), kUsed);
      assert.equal(commitAt('HEAD'), isOfAda('four'));
      assert.equal(commitAt('HEAD~1'), isOfAda(own ?? 'two\n\nthree'));
    });
  }

  it('is that of a picked commit, whose author stays, and not of the next one', async () => {
    repository.git('checkout', '-q', 'theirs');
    await git(['cherry-pick', 'main~2', 'main~1', 'main']);
    resolve('both\n');
    assert.deepEqual(await goesOn('cherry-pick', kMessage), { isDone: false, isUsed: true });
    assert.equal(commitAt('HEAD~1'), isOfAda(kMessage));
    assert.equal(commitAt('HEAD'), isOfAda('two'));
    assert.equal(prepared(), 'three');
    resolve('all\n');
    assert.deepEqual(await goesOn('cherry-pick', 'third'), kUsed);
    assert.equal(commitAt('HEAD'), isOfAda('third'));
    assert.ok(!existsSync(`${gitDir}/sequencer`));
  });

  it('stays where a hook refuses, or nothing is left of what is picked', async () => {
    repository.git('checkout', '-q', 'theirs');
    await git(['cherry-pick', 'main~2']);
    repository.write('.git/hooks/commit-msg', '#!/bin/sh\ngrep -q allowed "$1"\n');
    repository.chmod('.git/hooks/commit-msg', 0o755);
    resolve('both\n');
    assert.deepEqual(await goesOn('cherry-pick', 'mine'), { isDone: false, isUsed: false });
    assert.deepEqual(await goesOn('cherry-pick', 'allowed'), kUsed);
    await git(['cherry-pick', 'main']);
    resolve('both\n');
    assert.deepEqual(await goesOn('cherry-pick', 'allowed too'), { isDone: false, isUsed: false });
    assert.deepEqual(subjects(), ['allowed', 'theirs', 'base']);
  });

  it('is that of a revert', async () => {
    await git(['revert', '--no-edit', 'HEAD~2']);
    resolve('both\n');
    assert.deepEqual(await goesOn('revert', kMessage), kUsed);
    assert.equal(repository.git('log', '-1', '--format=%B').trimEnd(), kMessage);
  });

  it('is that of a patch, whose author stays, and not of the next one', async () => {
    repository.git('checkout', '-q', '-b', 'patched', 'theirs');
    repository.git('format-patch', '-q', '-3', '-o', sandbox.path('patches'), 'main');
    const names = readdirSync(sandbox.path('patches')).sort();
    await git(['am', '-q', '-3', ...names.map((name) => sandbox.path(`patches/${name}`))]);
    assert.equal(repository.read('.git/rebase-apply/final-commit'), 'one\n');
    resolve('both\n');
    assert.deepEqual(await goesOn('am', `\n${kMessage}  \n\n\n`), { isDone: false, isUsed: true });
    assert.equal(commitAt('HEAD~1'), isOfAda(kMessage));
    assert.equal(commitAt('HEAD'), isOfAda('two'));
    resolve('both\n');
    assert.deepEqual(await goesOn('am', 'third'), { isDone: false, isUsed: false });
    resolve('all\n');
    assert.deepEqual(await goesOn('am', 'third'), kUsed);
    assert.deepEqual(subjects(), ['third', 'two', '#12 is fixed', 'theirs', 'base']);
  });

  it('is that of a merge as of any commit', async () => {
    await git(['merge', '-q', 'theirs']);
    const asCommit = () => commit(run, repository.root, { options: {}, message: kMessage, stageFirst: [] });
    assert.equal(await asCommit(), false);
    resolve('both\n');
    assert.equal(await asCommit(), true);
    assert.equal(repository.git('log', '-1', '--format=%B').trimEnd(), kMessage);
    assert.equal(repository.git('log', '-1', '--format=%P').split(' ').length, 2);
    assert.ok(!existsSync(`${gitDir}/MERGE_HEAD`));
  });

  it('knows which operation a plain commit would take the author from', async () => {
    await git(['rebase', 'theirs']);
    assert.equal(isByPatches('rebase', gitDir), false);
    await git(['rebase', '--abort']);
    await git(['rebase', '--apply', 'theirs']);
    assert.equal(isByPatches('rebase', gitDir), true);
    assert.equal(isByPatches('am', undefined), true);
    assert.equal(isByPatches(undefined, gitDir), false);
  });

  it('leaves no file behind', async () => {
    const { TMPDIR } = process.env;
    process.env.TMPDIR = sandbox.path('temporary');
    mkdirSync(process.env.TMPDIR);
    try {
      await git(['rebase', 'theirs']);
      await goesOn('rebase', 'mine');
      assert.deepEqual(readdirSync(process.env.TMPDIR), []);
    } finally {
      if (TMPDIR === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = TMPDIR;
    }
  });
});
