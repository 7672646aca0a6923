/** Commits, compared with git: the decisions, and the repository afterwards. */
import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { isProtected } from '../../../../extension/features/commit/branchProtection';
import { commit } from '../../../../extension/features/commit/git';
import { longLine } from '../../../../extension/features/commit/messageLength';
import { CommitOptions, CommitSettings, decideCommit } from '../../../../extension/features/commit/plan';
import { InTurn, readCommitTemplate } from '../../../../extension/features/commit/template';
import { Run, runGit } from '../../../../extension/git/runGit';
import type { GroupId } from '../../../../extension/model/status';
import type { Operation } from '../../../../extension/protocol';
import { preparedMessage } from '../../../../extension/scm/PreparedText';
import { Repository } from '../../../support/repository';
import { Sandbox } from '../../../support/sandbox';

const kSettings: CommitSettings = {
  enableSmartCommit: false,
  suggestSmartCommit: true,
  smartCommitChanges: 'all',
  alwaysSignOff: false,
  enableCommitSigning: false,
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

  it('takes nothing but what is staged where that is meant, whatever is set', () => {
    const settings = { enableSmartCommit: true };
    for (const index of [0, 1]) {
      const expected = index > 0 ? staged : { kind: 'nothingStaged' };
      assert.deepEqual(decide({ index, workingTree: 1 }, { staged: true }, settings), expected);
    }
    assert.deepEqual(decide({}, { staged: true }, {}, 'merge'), staged);
  });

  it('amends the last commit with everything, and where there is nothing with that', () => {
    const options = { all: true, amend: true };
    assert.deepEqual(decide({ workingTree: 1 }, options), { ...staged, all: true });
    assert.deepEqual(decide({}, options), staged);
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

describe('isProtected', () => {
  const holds = (branch: string, ...patterns: string[]) => isProtected(branch, patterns);

  it('knows names and globs, within one part of a name or beyond', () => {
    assert.ok(holds('main', 'main'));
    assert.ok(!holds('main2', 'main') && !holds('my/main', 'main'));
    assert.ok(holds('release/1', 'release/*') && !holds('release/1/x', 'release/*'));
    assert.ok(holds('release/1/x', 'release/**') && holds('a/b/main', '**/main') && holds('main', '**/main'));
    assert.ok(holds('v1', 'v?') && !holds('v10', 'v?'));
  });

  it('takes no letter of a name for another meaning', () => {
    assert.ok(!holds('axb', 'a.b') && holds('a+b(c)', 'a+b(c)'));
  });

  it('lets an exclamation mark take a branch back, wherever it stands', () => {
    assert.ok(!holds('feature/x', '!feature/*', '**') && holds('main', '!feature/*', '**'));
    assert.ok(!holds('main', '!feature/*'), 'which names none itself');
  });

  it('protects nothing where nothing is named, or no branch is checked out', () => {
    assert.ok(!holds('main') && !holds('main', ' ', ''));
    assert.ok(!isProtected(undefined, ['**']));
  });
});

describe('longLine', () => {
  const limits = { subject: 10, body: 20 };

  it('finds the first line that is longer than it may be', () => {
    assert.equal(longLine('0123456789\n\n01234567890123456789\n', limits), undefined);
    assert.deepEqual(longLine('01234567890', limits), { line: 1, length: 11, limit: 10 });
    assert.deepEqual(longLine('x\n\n012345678901234567890', limits), { line: 3, length: 21, limit: 20 });
  });

  it('counts characters, and takes 0 for no limit', () => {
    assert.equal(longLine('🎉'.repeat(10), limits), undefined);
    assert.equal(longLine('x'.repeat(1000), { subject: 0, body: 0 }), undefined);
  });
});

describe('InTurn', () => {
  it('runs one task at a time, the next also after one that failed', async () => {
    const turns = new InTurn();
    const order: string[] = [];
    const task = (name: string, fails = false) =>
      turns.run(async () => {
        order.push(`${name} begins`);
        await Promise.resolve();
        order.push(`${name} ends`);
        if (fails) throw new Error(name);
      });
    const results = await Promise.allSettled([task('a', true), task('b')]);
    assert.deepEqual(order, ['a begins', 'a ends', 'b begins', 'b ends']);
    assert.deepEqual(
      results.map(({ status }) => status),
      ['rejected', 'fulfilled'],
    );
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

  it('amends by a message', async () => {
    base();
    repository.append('a', '1\n');
    assert.ok(await commitNow('better', { amend: true, all: true }));
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

  it('signs where that is asked for, or where git does by itself', async () => {
    const key = sandbox.path('key');
    sandbox.exec('ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', key);
    repository.config('gpg.format', 'ssh');
    repository.config('user.signingKey', `${key}.pub`);
    const isSigned = () => /^gpgsig/m.test(repository.git('cat-file', 'commit', 'HEAD'));
    assert.ok(await commitNow('plain', { empty: true }));
    assert.ok(!isSigned());
    assert.ok(await commitNow('signed', { empty: true, sign: true }));
    assert.ok(isSigned());
    repository.config('commit.gpgSign', 'true');
    assert.ok(await commitNow('signed by git', { empty: true }));
    assert.ok(isSigned());
    repository.config('user.signingKey', '/nowhere/key');
    assert.equal(await commitNow('not signed', { empty: true }), false);
    assert.equal(log('%s').split('\n')[0], 'signed by git');
  });

  it('makes a branch first where that is wanted, and commits nothing where it cannot', async () => {
    base();
    repository.append('a', '1\n');
    const request = { options: { all: true }, message: 'elsewhere', stageFirst: [], newBranch: 'side' };
    assert.ok(await commit(run, repository.root, request));
    assert.equal(repository.git('log', '--format=%s', 'main..side'), 'elsewhere\n');
    repository.append('a', '2\n');
    assert.equal(await commit(run, repository.root, { ...request, newBranch: 'main' }), false);
    assert.equal(repository.git('log', '--format=%s', '-1', 'main'), 'base\n');
    assert.deepEqual(status(), [' M a']);
  });

  it('lets commit.cleanup decide what becomes of the message', async () => {
    base();
    repository.config('commit.cleanup', 'strip');
    assert.ok(await commitNow('title\n# a comment\n\n\nbody', { empty: true }));
    assert.equal(repository.git('log', '-1', '--format=%B'), 'title\n\nbody\n\n');
    repository.config('commit.cleanup', 'verbatim');
    assert.ok(await commitNow('title\n# a comment\n\n\nbody', { empty: true }));
    assert.equal(repository.git('log', '-1', '--format=%B'), 'title\n# a comment\n\n\nbody\n');
  });

  it('shows the changes below a message that is written by hand', async () => {
    base();
    repository.append('a', '1\n');
    const request = { options: { all: true }, message: '', isByHand: true, verbose: true, stageFirst: [] };
    const seen = sandbox.path('seen');
    const editing: Run = (command) => {
      const editor = `sh -c 'cp "$1" "${seen}"; echo by hand >"$1"' -`;
      const program = { path: 'git', env: { ...sandbox.env, GIT_EDITOR: editor } };
      return runGit(program, repository.root, command, new AbortController().signal);
    };
    assert.ok(await commit(editing, repository.root, request));
    assert.match(readFileSync(seen, 'utf8'), /^\+1$/m);
  });

  describe('the template', () => {
    const read = () => readCommitTemplate(run, repository.root);
    const given = 'Topic: \n\nWhy:\n# as short as can be\n; not this\n\n';

    it('is none where there is none, found out by one git', async () => {
      assert.equal(await read(), '');
      assert.equal(gits, 1);
      repository.config('commit.template', 'missing');
      assert.equal(await read(), '');
    });

    it('is found from the root, or from home, without its comments', async () => {
      repository.write('.gitmessage', given);
      repository.config('commit.template', '.gitmessage');
      assert.equal(await read(), 'Topic: \n\nWhy:\n; not this');
      writeFileSync(`${sandbox.env.HOME}/message`, 'of mine\n');
      repository.config('commit.template', '~/message');
      assert.equal(await read(), 'of mine');
    });

    it('is none where it is no file, or too long for a message', async () => {
      repository.config('commit.template', 't');
      execFileSync('mkfifo', [`${repository.root}/t`]);
      assert.equal(await read(), '');
      repository.remove('t');
      repository.write('t', 'm'.repeat(64 * 1024));
      assert.equal((await read()).length, 64 * 1024);
      repository.append('t', 'm');
      assert.equal(await read(), '');
    });

    it('has the comments that git would leave there', async () => {
      repository.write('t', given);
      repository.config('commit.template', 't');
      repository.config('core.commentChar', ';');
      assert.equal(await read(), 'Topic: \n\nWhy:\n# as short as can be');
      repository.config('commit.cleanup', 'whitespace');
      assert.equal(await read(), given.trimEnd());
    });
  });

  it('guesses no identity', async () => {
    repository.git('config', '--file', sandbox.path('gitconfig'), '--remove-section', 'user');
    assert.equal(await commitNow('nobody', { empty: true }), false);
  });
});
