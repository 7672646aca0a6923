import assert from 'node:assert/strict';
import { badgeStatus, groupsOf } from '../../../extension/model/status';
import { openTarget } from '../../../extension/model/openTarget';
import { changesWith, formatContentQuery, parseContentQuery } from '../../../extension/model/contentQuery';
import { entry } from '../support/deltas';

describe('status', () => {
  it('puts entries into the groups of their columns', () => {
    assert.deepEqual(groupsOf(entry('MM a')), ['index', 'workingTree']);
    assert.deepEqual(groupsOf(entry('A  a')), ['index']);
    assert.deepEqual(groupsOf(entry(' A a')), ['workingTree']);
    assert.deepEqual(groupsOf(entry('UU a')), ['merge']);
    assert.deepEqual(groupsOf(entry('?? a')), ['untracked']);
  });

  it('lets index < untracked < working tree < merge decide the badge', () => {
    assert.equal(badgeStatus([entry('MM a')]), 'modified');
    assert.equal(badgeStatus([entry('AD a')]), 'deleted');
    assert.equal(badgeStatus([entry('D  a'), entry('?? a')]), 'untracked');
    assert.equal(badgeStatus([entry('UU a'), entry('?? a')]), 'bothModified');
    assert.equal(badgeStatus([]), undefined);
  });
});

describe('openTarget', () => {
  const sides = (line: string, group: Parameters<typeof openTarget>[1]) => {
    const target = openTarget(entry(line), group);
    if (target?.kind === 'diff') return `${target.left.source}..${target.right.source}`;
    return target?.kind === 'file' ? target.file.source : target?.kind;
  };

  it('compares each column with what it is about', () => {
    assert.equal(sides('MM a', 'index'), 'HEAD..index');
    assert.equal(sides('MM a', 'workingTree'), 'index..worktree');
    assert.equal(sides('?? a', 'untracked'), 'worktree');
    assert.equal(sides(' D a', 'workingTree'), 'index');
    assert.equal(sides('D  a', 'index'), 'HEAD');
    assert.equal(sides('A  a', 'index'), 'index');
    assert.equal(sides('UU a', 'merge'), 'worktree');
    assert.equal(sides('DD a', 'merge'), 'stage1');
    assert.equal(sides('?? a', 'index'), undefined);
    assert.equal(sides('?? nested/', 'untracked'), 'folder');
  });

  it('compares a rename with the old path, and a change after it with the new one', () => {
    const renamed = { ...entry('RM new'), from: 'old' } as ReturnType<typeof entry>;
    const inIndex = openTarget(renamed, 'index');
    const inWorktree = openTarget(renamed, 'workingTree');
    assert.ok(inIndex?.kind === 'diff' && inWorktree?.kind === 'diff');
    assert.deepEqual([inIndex.left.path, inIndex.right.path], ['old', 'new']);
    assert.deepEqual([inWorktree.left.path, inWorktree.right.path], ['new', 'new']);
  });
});

describe('contentQuery', () => {
  it('carries any path', () => {
    for (const path of ['a', 'ä &=#?%', 'bad\udcff', 'new\nline', 'a/b']) {
      const key = { root: '/w x', path, source: 'index' } as const;
      assert.deepEqual(parseContentQuery(formatContentQuery(key)), key);
    }
  });
  it('is another text after what may change it, and never of an object of git', () => {
    const change = { content: true, paths: new Set(['a']) };
    const by = (source: string, path: string) => {
      const key = parseContentQuery(`source=${source}&root=/w&path=${path}`);
      assert.ok(key);
      return [changesWith(key, change), changesWith(key, { ...change, content: false })];
    };
    assert.deepEqual(by('HEAD', 'b'), [true, false]);
    assert.deepEqual(
      [by('worktree', 'a'), by('worktree', 'b')],
      [
        [true, true],
        [false, false],
      ],
    );
    for (const source of [`blob:${'1'.repeat(40)}`, 'nothing'])
      assert.deepEqual(by(source, 'a'), [false, false]);
  });
  it('refuses what is not its own', () => {
    for (const query of ['', 'x', 'source=evil&root=/&path=a', 'source=index&root=&path=', '{"ref":"~"}']) {
      assert.equal(parseContentQuery(query), undefined);
    }
  });
});
