/** What is committed, beside git: decisions, and what stands in the repository afterwards. */
import { strict as assert } from 'node:assert';
import { chmodSync } from 'node:fs';
import { Run } from '../../../extension/git/changeOperations';
import { commit, lastCommit, undoCommit } from '../../../extension/git/commitOperations';
import { runGit } from '../../../extension/git/runGit';
import {
  CommitOptions,
  CommitSettings,
  decideCommit,
  preparedMessage,
} from '../../../extension/model/commitPlan';
import type { GroupId } from '../../../extension/model/status';
import type { Operation } from '../../../extension/protocol';
import { Repository } from '../../support/repository';
import { Sandbox } from '../../support/sandbox';

const kSettings: CommitSettings = {
  enableSmartCommit: false,
  suggestSmartCommit: true,
  smartCommitChanges: 'all',
  alwaysSignOff: false,
};

describe('decideCommit', () => {
  const decide = (
    counts: Partial<Record<GroupId, number>>,
    options: CommitOptions = {},
    settings: Partial<CommitSettings> = {},
    operation?: Operation,
  ) => {
    const all = { merge: 0, index: 0, workingTree: 0, untracked: 0, ...counts };
    return decideCommit({ counts: all, operation }, options, { ...kSettings, ...settings });
  };
  const staged = { kind: 'commit', all: false, stagesUntracked: false };

  it('takes what is staged, and only that', () => {
    assert.deepEqual(decide({ index: 1, workingTree: 2, untracked: 3 }), staged);
    assert.deepEqual(decide({ index: 1 }, {}, { enableSmartCommit: true }), staged);
  });

  it('asks before it takes what is not staged, or was told once and for all', () => {
    assert.deepEqual(decide({ workingTree: 1 }), { kind: 'askAll' });
    assert.deepEqual(decide({ workingTree: 1 }, {}, { suggestSmartCommit: false }), {
      kind: 'nothingStaged',
    });
    assert.deepEqual(decide({ workingTree: 1 }, {}, { enableSmartCommit: true }), { ...staged, all: true });
  });

  it('takes untracked files with the rest only where that is wanted', () => {
    const everything = { kind: 'commit', all: true, stagesUntracked: true };
    assert.deepEqual(decide({ untracked: 1 }, { all: true }), everything);
    assert.deepEqual(decide({ untracked: 1 }, { all: true }, { smartCommitChanges: 'tracked' }), {
      kind: 'askEmpty',
    });
    assert.deepEqual(
      decide({ workingTree: 1, untracked: 1 }, { all: true }, { smartCommitChanges: 'tracked' }),
      {
        ...staged,
        all: true,
      },
    );
  });

  it('asks before an empty commit, but not to amend or to end a merge', () => {
    assert.deepEqual(decide({}), { kind: 'askEmpty' });
    for (const options of [{ empty: true }, { amend: true }]) assert.deepEqual(decide({}, options), staged);
    assert.deepEqual(decide({}, {}, {}, 'merge'), staged);
  });

  it('never takes what is in conflict with everything else', () => {
    assert.deepEqual(decide({ merge: 1, workingTree: 1 }, { all: true }), staged);
    assert.deepEqual(decide({ merge: 1, workingTree: 1 }, {}, { enableSmartCommit: true }), staged);
  });
});

describe('preparedMessage', () => {
  it('has no comments', () => {
    const text = "Merge branch 'theirs'\n\nWhy\n# Conflicts:\n#\ta\n";
    assert.equal(preparedMessage(text), "Merge branch 'theirs'\n\nWhy");
  });
});

describe('commit, beside git', () => {
  let sandbox: Sandbox;
  let repository: Repository;
  let gits: number;

  beforeEach(() => {
    sandbox = new Sandbox();
    repository = Repository.init(sandbox, 'r');
    gits = 0;
  });
  afterEach(() => {
    sandbox.remove();
  });

  const run: Run = async (command) => {
    gits++;
    const program = { path: 'git', env: { ...sandbox.env, GIT_EDITOR: 'false' } };
    const result = await runGit(program, repository.root, command, new AbortController().signal);
    return result.code === 0 ? result : undefined;
  };
  const commitNow = (message: string, options: CommitOptions = {}, stageFirst: string[] = []) =>
    commit(run, repository.root, { options, message, stageFirst });
  const log = (format: string) => repository.git('log', `--format=${format}`).trimEnd();
  const status = () => repository.git('status', '--porcelain').split('\n').slice(0, -1);
  function base(): void {
    repository.write('a', 'a\n');
    repository.write('b', 'b\n');
    repository.commit('base');
  }

  it('commits what is staged with the message as it is, by one git', async () => {
    base();
    repository.append('a', '1\n');
    repository.git('add', 'a');
    repository.append('b', '1\n');
    const message = 'Größe: 日本語 🎉\n\n#12 is no comment\n- "quoted" $HOME `x`';
    assert.ok(await commitNow(message));
    assert.equal(
      Buffer.from(log('%B').split('\nbase')[0] ?? '', 'latin1')
        .toString('utf8')
        .trimEnd(),
      message,
    );
    assert.deepEqual(status(), [' M b']);
    assert.equal(gits, 1);
  });

  it('commits the first, with untracked files', async () => {
    repository.write('-x', 'x\n');
    repository.write(':y', 'y\n');
    assert.ok(await commitNow('first', { all: true }, ['-x', ':y']));
    assert.deepEqual(status(), []);
    assert.equal(repository.git('ls-files'), '-x\n:y\n');
  });

  it('has a message written by hand where that is wanted, and none written is no commit', async () => {
    base();
    repository.append('a', '1\n');
    const request = { options: { all: true }, message: ' ', isByHand: true, stageFirst: [] };
    const asked: unknown[] = [];
    const editing =
      (script: string): Run =>
      async (command) => {
        asked.push(command.editor);
        const program = { path: 'git', env: { ...sandbox.env, GIT_EDITOR: script } };
        return runGit(program, repository.root, command, new AbortController().signal);
      };
    assert.equal(await commit(editing('true'), repository.root, request), false);
    assert.equal(await commit(editing('echo by hand >'), repository.root, request), true);
    assert.equal(log('%s'), 'by hand\nbase');
    assert.deepEqual(asked, ['asks', 'asks']);
  });

  it('amends, with a message and without', async () => {
    base();
    repository.append('a', '1\n');
    assert.ok(await commitNow('', { amend: true, all: true }));
    assert.equal(log('%s'), 'base');
    assert.ok(await commitNow('better', { amend: true }));
    assert.equal(log('%s'), 'better');
    assert.equal(repository.git('show', 'HEAD:a'), 'a\n1\n');
  });

  it('signs off, and commits nothing where that is asked for', async () => {
    assert.ok(await commitNow('first', { signOff: true, empty: true }));
    assert.equal(log('%B').trim(), 'first\n\nSigned-off-by: A U Thor <author@example.com>');
  });

  it('commits nothing where a hook refuses, unless without verification', async () => {
    base();
    repository.write('.git/hooks/pre-commit', '#!/bin/sh\nexit 1\n');
    chmodSync(repository.absolute('.git/hooks/pre-commit'), 0o755);
    repository.append('a', '1\n');
    assert.equal(await commitNow('refused', { all: true }), false);
    assert.deepEqual([log('%s'), status()], ['base', [' M a']], 'nothing is staged either');
    assert.ok(await commitNow('forced', { all: true, noVerify: true }));
    assert.equal(log('%s'), 'forced\nbase');
  });

  it('guesses no identity', async () => {
    repository.git('config', '--file', sandbox.path('gitconfig'), '--remove-section', 'user');
    assert.equal(await commitNow('nobody', { empty: true }), false);
  });

  it('takes the last commit back: its changes are staged, its message is returned', async () => {
    base();
    repository.append('a', '1\n');
    repository.git('commit', '-q', '-a', '-m', 'title', '-m', 'body\n\nparent of all');
    repository.append('b', 'unstaged\n');
    const last = await lastCommit(run);
    assert.deepEqual(last, { parents: 1, message: 'title\n\nbody\n\nparent of all' });
    assert.ok(await undoCommit(run, last));
    assert.deepEqual([log('%s'), status()], ['base', ['M  a', ' M b']]);
  });

  it('takes the first commit back', async () => {
    base();
    const last = await lastCommit(run);
    assert.deepEqual(last, { parents: 0, message: 'base' });
    assert.ok(await undoCommit(run, last));
    assert.deepEqual(status(), ['A  a', 'A  b']);
    assert.equal(await lastCommit(run), undefined);
  });

  it('takes a merge for one', async () => {
    base();
    repository.git('checkout', '-q', '-b', 'theirs');
    repository.commit('theirs');
    repository.git('checkout', '-q', 'main');
    repository.commit('ours');
    repository.git('merge', '-q', '-m', 'merged', 'theirs');
    assert.equal((await lastCommit(run))?.parents, 2);
  });
});
