/** The plan of blame for a file, and whether ours is shown beside the built-in's. */
import { strict as assert } from 'node:assert';
import { isVisible, planBlame, textWithoutCommit } from '../../../../extension/features/blame/plan';
import type { StatusEntry } from '../../../../extension/protocol';

const changed = (index: string, worktree: string, more = {}) =>
  ({ kind: 'changed', path: 'f', index, worktree, ...more }) as StatusEntry;
const untracked: StatusEntry = { kind: 'untracked', path: 'f' };
const unmerged: StatusEntry = { kind: 'unmerged', path: 'f', conflict: 'UU' };

describe('the plan of blame', () => {
  const plan = (...entries: StatusEntry[]) => planBlame('f', entries, 'head');
  const blame = (path: string) => ({ kind: 'blame', path });

  it('blames the file in HEAD, by its path there', () => {
    assert.deepEqual(plan(), blame('f'));
    assert.deepEqual(plan(changed('.', 'M')), blame('f'));
    assert.deepEqual(plan(changed('M', 'M')), blame('f'));
    assert.deepEqual(plan(unmerged), blame('f'));
    assert.deepEqual(plan(changed('R', '.', { from: 'old' })), blame('old'));
    assert.deepEqual(plan(changed('C', 'M', { from: 'old' })), blame('old'));
  });

  it('has new files as not committed, also before the first commit', () => {
    assert.deepEqual(plan(changed('A', 'M')), { kind: 'uncommitted' });
    assert.deepEqual(planBlame('f', [changed('A', '.')], undefined), { kind: 'uncommitted' });
    assert.deepEqual(planBlame('f', [], undefined), { kind: 'none' });
  });

  it('blames nothing that git does not track, and no file of git', () => {
    assert.deepEqual(plan(untracked), { kind: 'none' });
    assert.deepEqual(plan(changed('D', '.'), untracked), { kind: 'none' });
    for (const path of ['', '.git', '.git/config', 'a\udc80b'])
      assert.deepEqual(planBlame(path, [], 'head'), { kind: 'none' });
    assert.deepEqual(planBlame('.gitignore', [], 'head'), blame('.gitignore'));
    assert.deepEqual(plan(changed('R', '.', { from: 'a\udc80b' })), { kind: 'none' });
  });

  it('shows blame once, unless somebody asks for ours', () => {
    const visible = (own: boolean | undefined, builtIn: boolean | undefined, isInBuiltIn: boolean) =>
      isVisible({ own, byDefault: true, builtIn, isInBuiltIn });
    assert.equal(visible(undefined, undefined, false), true);
    assert.equal(visible(undefined, undefined, true), false);
    assert.equal(visible(undefined, false, false), false);
    assert.equal(visible(undefined, true, false), true);
    for (const isInBuiltIn of [true, false]) {
      assert.equal(visible(true, false, isInBuiltIn), true);
      assert.equal(visible(false, true, isInBuiltIn), false);
    }
    assert.equal(
      isVisible({ own: undefined, byDefault: false, builtIn: undefined, isInBuiltIn: false }),
      false,
    );
  });

  it('says why there is no commit', () => {
    assert.equal(textWithoutCommit({ kind: 'uncommitted' }), 'Not Committed Yet');
    assert.equal(textWithoutCommit({ kind: 'tooLarge' }), 'No blame: over 100,000 lines');
    assert.equal(textWithoutCommit({ kind: 'failed', reason: 'x' }), 'No blame: git failed');
    assert.equal(textWithoutCommit({ kind: 'none' }), undefined);
    assert.equal(textWithoutCommit({ kind: 'waiting' }), undefined);
  });
});
