/** Operations in progress, compared with git: their progress, continue, skip and abort. */
import { strict as assert } from 'node:assert';
import { existsSync, readFileSync } from 'node:fs';
import {
  cherryPickArguments,
  meantRevision,
  parsePickable,
  pickableArguments,
  typedRevision,
} from '../../../../extension/features/cherryPick/plan';
import { operationArguments, OperationVerb, verbText } from '../../../../extension/features/operation/plan';
import { gitEnvironment } from '../../../../extension/git/environment';
import { explain, FailureKind } from '../../../../extension/git/failures';
import { runGit } from '../../../../extension/git/runGit';
import { kStepFiles, operationText, parseStep } from '../../../../extension/model/operations';
import type { Operation } from '../../../../extension/protocol';
import { Repository } from '../../../support/repository';
import { Sandbox } from '../../../support/sandbox';

describe('operations', () => {
  let sandbox: Sandbox;
  let repository: Repository;

  /** `theirs` and `main` (two commits) both change f. */
  beforeEach(() => {
    sandbox = new Sandbox();
    repository = Repository.init(sandbox, 'r');
    repository.write('f', 'base\n');
    repository.commit('base');
    repository.git('checkout', '-q', '-b', 'theirs');
    repository.write('f', 'theirs\n');
    repository.commit('theirs');
    repository.git('checkout', '-q', 'main');
    repository.write('f', 'ours\n');
    repository.commit('ours');
    repository.write('g', 'more\n');
    repository.commit('more');
  });
  afterEach(() => {
    sandbox.remove();
  });

  const git = (args: readonly string[]) =>
    runGit(
      { path: 'git', env: gitEnvironment(sandbox.env, { editor: 'keeps' }) },
      repository.root,
      { args },
      new AbortController().signal,
    );
  async function goes(operation: Operation, verb: OperationVerb): Promise<void> {
    const result = await git(operationArguments(operation, verb) ?? []);
    assert.equal(result.code, 0, result.stderr.toString());
  }
  async function fails(args: readonly string[], kind: FailureKind): Promise<void> {
    const result = await git(args);
    const failure = explain(args.find((word) => /^[a-z-]+$/.test(word) && word !== '-c') ?? '', result);
    assert.equal(failure.kind, kind, result.stderr.toString());
  }
  const log = () => repository.git('log', '--format=%s').trimEnd().split('\n');
  const step = () => {
    const read = (name: string) =>
      existsSync(`${repository.root}/.git/${name}`)
        ? readFileSync(`${repository.root}/.git/${name}`, 'utf8')
        : '';
    const steps = kStepFiles.map((files) => parseStep(read(files.step), read(files.of), read(files.branch)));
    return steps.find((each) => each !== undefined);
  };
  function resolve(text: string): void {
    repository.write('f', text);
    repository.git('add', 'f');
  }

  for (const how of ['--merge', '--apply']) {
    it(`tell how far a rebase is, and go on with it: git rebase ${how}`, async () => {
      await fails(['rebase', how, 'theirs'], 'conflicts');
      assert.deepEqual(step(), { step: 1, of: 2, branch: 'main' });
      await fails(operationArguments('rebase', 'continue') ?? [], 'conflicts');
      resolve('both\n');
      await goes('rebase', 'continue');
      assert.equal(step(), undefined);
      assert.deepEqual(log(), ['more', 'ours', 'theirs', 'base']);
    });

    it(`leave a commit out of a rebase, or end it: git rebase ${how}`, async () => {
      await git(['rebase', how, 'theirs']);
      await goes('rebase', 'abort');
      assert.deepEqual(log(), ['more', 'ours', 'base']);
      await git(['rebase', how, 'theirs']);
      await goes('rebase', 'skip');
      assert.deepEqual(log(), ['more', 'theirs', 'base']);
    });
  }

  it('go on with a cherry-pick, and say that nothing is left of it', async () => {
    await fails(['cherry-pick', 'theirs'], 'conflicts');
    resolve('ours\n');
    await fails(operationArguments('cherry-pick', 'continue') ?? [], 'emptied');
    await goes('cherry-pick', 'skip');
    await git(['cherry-pick', 'theirs']);
    resolve('both\n');
    await goes('cherry-pick', 'continue');
    assert.deepEqual(log(), ['theirs', 'more', 'ours', 'base']);
  });

  it('pick a commit of another branch, or a tag, that is not here, and no merge', async () => {
    const pickable = async (hasHead = true) => {
      const { code, stdout, stderr } = await git(pickableArguments({ hasHead }));
      assert.equal(code, 0, stderr.toString());
      return parsePickable(stdout);
    };
    const subjects = async (hasHead?: boolean) =>
      (await pickable(hasHead)).map(({ subject }) => subject).sort();
    repository.git('checkout', '-q', '-b', 'merged', 'theirs');
    repository.git('merge', '-q', '-s', 'ours', '-m', 'a merge', 'main~1');
    repository.write('h', 'h\n');
    repository.commit('größer: "h"\n\nbody');
    repository.git('tag', 'v1');
    repository.git('checkout', '-q', 'main');
    repository.git('branch', '-q', '-D', 'merged');
    repository.config('log.showSignature', 'true');
    repository.config('i18n.logOutputEncoding', 'latin1');
    assert.deepEqual(await subjects(), ['größer: "h"', 'theirs']);
    assert.deepEqual(await subjects(false), ['base', 'größer: "h"', 'more', 'ours', 'theirs']);
    const first = (await pickable()).find(({ subject }) => subject.startsWith('gr'));
    assert.deepEqual(
      [first?.oid, first?.author, first?.time],
      [repository.git('rev-parse', 'v1').trim(), repository.git('log', '-1', '--format=%an').trim(), 1.7e12],
    );
    const picked = await git(cherryPickArguments(first?.oid ?? ''));
    assert.equal(picked.code, 0, picked.stderr.toString());
    assert.equal(repository.exists('h'), true);
    assert.deepEqual(await subjects(), ['größer: "h"', 'theirs'], 'another commit by now');
    repository = Repository.init(sandbox, 'empty');
    assert.deepEqual(await subjects(false), []);
  });

  it('say what is wrong with a commit that is picked, and pick what a merge brought', async () => {
    repository.git('checkout', '-q', '-b', 'merged');
    repository.git('merge', '-q', '-s', 'ours', '-m', 'a merge', 'theirs');
    repository.write('h', 'h\n');
    repository.git('add', 'h');
    repository.git('commit', '-q', '--amend', '--no-edit');
    repository.git('checkout', '-q', 'main');
    await fails(cherryPickArguments('merged'), 'mergeCommit');
    await fails(cherryPickArguments('nothing'), 'noCommit');
    await fails(cherryPickArguments('1'.repeat(40)), 'noCommit');
    repository.write('f', 'changed\n');
    await fails(cherryPickArguments('theirs'), 'dirty');
    repository.git('add', 'f');
    await fails(cherryPickArguments('theirs'), 'dirty');
    repository.git('reset', '-q', '--hard');
    assert.equal((await git(cherryPickArguments('merged', { mainline: true }))).code, 0);
    assert.deepEqual([repository.read('h'), log()[0]], ['h\n', 'a merge']);
    await fails(cherryPickArguments('HEAD'), 'emptied');
    await goes('cherry-pick', 'skip');
    const stderr = Buffer.from("error: short object ID ab is ambiguous\nfatal: bad revision 'ab'\n");
    const { message } = explain('cherry-pick', { code: 128, stdout: Buffer.alloc(0), stderr });
    assert.match(message, /^Several objects start with ab\./);
  });

  it('take a commit of the list only where what is typed may mean it', () => {
    const commit = { oid: `abc1234${'0'.repeat(33)}`, author: 'A U Thor', subject: 'Added a face', time: 0 };
    for (const typed of ['', 'face', 'added', 'thor', 'abc1234', commit.oid])
      assert.equal(meantRevision(typed, commit), commit.oid, typed);
    assert.equal(meantRevision(' 9999999 ', commit), '9999999');
    for (const typed of ['other', '999', '-n']) assert.equal(meantRevision(typed, commit), undefined, typed);
  });

  it('take no option for a commit', () => {
    assert.deepEqual(['', ' ', '-n', '--continue'].map(typedRevision), [
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    assert.equal(typedRevision(' abc1234 '), 'abc1234');
  });

  it('end a revert, a merge and an am', async () => {
    resolve('later\n');
    repository.commit('later');
    await fails(['revert', '--no-edit', 'HEAD~2'], 'conflicts');
    await goes('revert', 'abort');
    await fails(['merge', 'theirs'], 'conflicts');
    await goes('merge', 'abort');
    const patch = repository.git('format-patch', '-1', 'theirs').trim();
    await git(['am', '-3', patch]);
    assert.deepEqual(step(), { step: 1, of: 1 });
    await goes('am', 'abort');
    repository.remove(patch);
    assert.equal(repository.git('status', '--porcelain'), '');
    assert.deepEqual(log(), ['later', 'more', 'ours', 'base']);
  });

  it('skip in a bisection, and end it where it began', async () => {
    for (const name of ['1', '2', '3']) repository.commit(name);
    repository.git('bisect', 'start', 'HEAD', 'HEAD~5');
    await goes('bisect', 'skip');
    await goes('bisect', 'abort');
    assert.equal(repository.git('symbolic-ref', 'HEAD'), 'refs/heads/main\n');
  });

  it('have names, and only the ways that there are', () => {
    assert.equal(operationText('rebase', { step: 2, of: 5 }), 'Rebasing 2/5');
    assert.equal(operationText('merge'), 'Merging');
    assert.equal(verbText('abort', 'cherry-pick'), 'Abort Cherry Pick');
    assert.equal(operationArguments('merge', 'skip'), undefined);
    assert.equal(operationArguments('bisect', 'continue'), undefined);
  });

  it('believe no file that is half written', () => {
    for (const [number, total] of [
      ['', '5'],
      ['2', ''],
      ['x', '5'],
      ['0', '5'],
      ['99999999999', '5'],
    ]) {
      assert.equal(parseStep(number ?? '', total ?? ''), undefined);
    }
    assert.deepEqual(parseStep('2\n', '5\n', 'detached HEAD\n'), { step: 2, of: 5 });
  });
});
