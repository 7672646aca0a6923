/** A click on a commit, selected lines before an edit, and the texts of the view. */
import { strict as assert } from 'node:assert';
import {
  commitChangesCommand,
  commitTextCommand,
  isBelow,
  isOid,
  parseCommitChanges,
  parseCommitText,
} from '../../../../extension/features/history/commit';
import { blobsOf, changeAt, compare } from '../../../../extension/features/history/fileChange';
import {
  descriptionText,
  emptyText,
  nameOf,
  spokenText,
  Target,
} from '../../../../extension/features/history/historyText';
import { linesBefore } from '../../../../extension/features/history/lineMap';
import { FileChange, HistoryCommit, Subject } from '../../../../extension/features/history/plan';
import { Repository } from '../../../support/repository';
import { Sandbox } from '../../../support/sandbox';
import { runsWell } from '../../support/runs';

const [kA, kB, kNone] = ['a', 'b', '0'].map((letter) => letter.repeat(40)) as [string, string, string];
const commit: HistoryCommit = {
  ...{
    oid: kB,
    parents: [kA],
    date: 1700000000,
    author: 'Ada\x07',
    email: 'ada@example.com',
    subject: 'One\x1b',
  },
};
const change = (leftMode: string, rightMode: string, left = kA, right = kB): FileChange => ({
  ...{ path: 'd/new', from: leftMode === '000000' ? undefined : 'd/old' },
  objects: { leftMode, rightMode, left, right },
});
const compared = (file: FileChange) => compare(commit, file, blobsOf(file));

describe('a click on a commit', () => {
  it('compares the version in the parent, at the path there, with the one in the commit', () => {
    assert.deepEqual(compared(change('100644', '100755')), {
      kind: 'diff',
      left: { path: 'd/old', source: `blob:${kA}` },
      right: { path: 'd/new', source: `blob:${kB}` },
      title: 'new (aaaaaaaa ↔ bbbbbbbb)',
    });
  });

  it('compares with nothing where the file was added or deleted', () => {
    const added = compared(change('000000', '100644', kNone));
    assert.ok(added.kind === 'diff');
    assert.deepEqual([added.left.source, added.title], ['nothing', 'new (Added in bbbbbbbb)']);
    const deleted = compared(change('100644', '000000', kA, kNone));
    assert.ok(deleted.kind === 'diff');
    assert.deepEqual([deleted.right.source, deleted.title], ['nothing', 'new (Deleted in bbbbbbbb)']);
  });

  it('tells the commits of a submodule, and a new mode', () => {
    const text = (file: FileChange) => {
      const result = compared(file);
      return result.kind === 'message' ? result.text : assert.fail(result.title);
    };
    const expected = '"new" is a submodule. Its commit changed:';
    assert.equal(text(change('160000', '160000')), `${expected} aaaaaaaa → bbbbbbbb.`);
    assert.equal(text(change('000000', '160000', kNone)), `${expected} nothing → bbbbbbbb.`);
    assert.equal(text(change('100644', '160000')), `${expected} aaaaaaaa → bbbbbbbb.`);
    const mode = { ...change('100644', '100755', kA, kA), from: 'd/new' };
    assert.equal(text(mode), 'bbbbbbbb changed only the mode of "new": 100644 → 100755.');
    const gone = compare(commit, { path: 'x', from: 'x' }, { left: undefined, right: undefined });
    assert.deepEqual(gone, { kind: 'message', text: '"x" is not in bbbbbbbb.' });
  });

  it('takes the path of a merge from the newer commit', () => {
    const subject: Subject = { root: '/r', path: 'z', committed: 'y', kind: 'lines', start: kA };
    const commits = [commit, { ...commit, file: { path: 'y', from: 'x' } }, commit];
    const paths = [0, 1, 2]
      .map((index) => changeAt(subject, commits, index))
      .map(({ path, from }) => [from, path]);
    assert.deepEqual(paths, [
      ['y', 'y'],
      ['x', 'y'],
      ['x', 'x'],
    ]);
  });
});

describe('selected lines', () => {
  const old = 'one\ntwo\nthree\nfour\n';
  const cases: [string, string, [number, number], [number, number] | undefined][] = [
    ['unchanged', old, [1, 3], [1, 3]],
    ['below added lines', `zero\nzero\n${old}`, [3, 4], [1, 2]],
    ['below a deleted line', 'two\nthree\nfour\n', [0, 1], [1, 2]],
    ['changed themselves', 'one\nTWO\nthree\nfour\n', [1, 2], [1, 2]],
    ['above a deleted line', 'one\nthree\nfour\n', [0, 1], [0, 1]],
    ['around added lines', 'one\nnew\ntwo\nthree\nfour\n', [0, 3], [0, 2]],
    ['with another line ending', 'one\r\ntwo\r\nthree\r\nfour\r\n', [1, 2], [1, 2]],
    ['with the empty line at the end', old, [3, 5], [3, 4]],
    ['added', 'one\nnew\ntwo\nthree\nfour\n', [1, 2], undefined],
    ['the empty line at the end', old, [4, 5], undefined],
  ];
  for (const [what, text, [start, end], expected] of cases) {
    it(`are found where they are ${what}`, () => {
      const found = linesBefore(old, text, { start, end });
      assert.deepEqual(found && [found.start, found.end], expected);
    });
  }
});

describe('the texts of a history', () => {
  const target = (path: string, more: Partial<Target> = {}): Target => ({
    root: '/r/project',
    path,
    kind: 'file',
    ...more,
  });

  it('name the file, the folder and the lines', () => {
    const names = [
      target('d/a\n.txt'),
      target('d', { kind: 'folder' }),
      target('', { kind: 'folder' }),
      target('f', { kind: 'lines', lines: { start: 2, end: 3 } }),
      target('f', { kind: 'lines', lines: { start: 2, end: 9 } }),
    ].map(nameOf);
    assert.deepEqual(names, ['a\\n.txt', 'd/', 'project/', 'f:3', 'f:3-9']);
  });

  it('show no control characters', () => {
    assert.match(descriptionText(commit, 'en'), /^Ada\\a • .+ ago$/);
    assert.match(spokenText(commit, 'en'), /^One\\033, by Ada\\a, .+ ago, commit bbbbbbbb$/);
  });

  it('say why there is no commit', () => {
    const file = target('f');
    const added = { kind: 'changed' as const, path: 'f', index: 'A' as const, worktree: '.' as const };
    assert.equal(emptyText(file, []), 'No commit changes "f".');
    assert.equal(emptyText(file, [{ kind: 'untracked', path: 'f' }]), '"f" is untracked. No commit has it.');
    assert.equal(emptyText(file, [added]), '"f" is not committed yet.');
  });
});

describe('one commit', () => {
  let sandbox: Sandbox;
  let repository: Repository;
  const run = runsWell(() => repository);

  beforeEach(() => {
    sandbox = new Sandbox();
    repository = Repository.init(sandbox, 'r', '--initial-branch=main');
  });
  afterEach(() => {
    sandbox.remove();
  });

  async function changesOf(revision: string): Promise<[string, string[]]> {
    const found = await run({
      ...commitChangesCommand(repository.git('rev-parse', revision).trim()),
      keepsAll: true,
    });
    assert.ok(found);
    const { subject, changes } = parseCommitChanges(found.stdout);
    const sides = changes.map(({ path, from, left, right }) => {
      const shown = [left && '-', right && '+'].filter(Boolean).join('');
      return `${shown} ${from === undefined ? '' : `${from} → `}${path}`;
    });
    return [subject, sides];
  }

  it('has its changes against the first parent, or against nothing', async () => {
    repository.write('a', 'a\nlines\nof\ntext\n');
    repository.write('d/b', 'b\n');
    repository.commit(':100644 first');
    repository.git('mv', 'a', 'c');
    repository.remove('d/b');
    repository.commit('second');
    repository.git('checkout', '-q', '-b', 'side', 'HEAD~1');
    repository.write('side', 'side\n');
    repository.commit('side');
    repository.git('checkout', '-q', 'main');
    repository.git('merge', '-q', '-m', 'merge', 'side');
    repository.git('commit', '-q', '--allow-empty', '-m', 'empty');
    repository.git('config', 'log.showRoot', 'false');
    assert.deepEqual(await changesOf('HEAD~3'), [':100644 first', ['+ a', '+ d/b']]);
    assert.deepEqual(await changesOf('HEAD~2'), ['second', ['-+ a → c', '- d/b']]);
    assert.deepEqual(await changesOf('HEAD~1'), ['merge', ['+ side']]);
    assert.deepEqual(await changesOf('HEAD'), ['empty', []]);
  });

  it('has its whole message and its refs', async () => {
    repository.git('commit', '-q', '--allow-empty', '-m', 'Subject\n\nBody\nof two lines');
    repository.git('tag', 'v1');
    const found = await run(commitTextCommand(repository.git('rev-parse', 'HEAD').trim()));
    assert.ok(found);
    assert.deepEqual(parseCommitText(found.stdout), {
      refs: 'HEAD -> main, tag: v1',
      message: 'Subject\n\nBody\nof two lines',
    });
  });

  it('is named by its whole id alone, and no folder by the start of another name', () => {
    for (const text of ['HEAD', '--output=x', kA.slice(1), `${kA}\n`, undefined, 7])
      assert.equal(isOid(text), false);
    assert.ok(isOid(kA) && isOid('f'.repeat(64)));
    const at = (path: string, from?: string) => ({
      path,
      ...(from !== undefined && { from }),
      left: kA,
      right: kB,
    });
    assert.deepEqual(
      [at('d/x'), at('dd/x'), at('x', 'd/x'), at('d')].map((each) => isBelow('d', each)),
      [true, false, true, true],
    );
    assert.ok(isBelow('', at('x')));
  });
});
