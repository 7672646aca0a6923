/** The branch in the status bar: its marks, at most five short lines about it, and the ways to its upstream. */
import assert from 'node:assert/strict';
import {
  branchDetails,
  branchLine,
  BranchSource,
  changeMarks,
  operationLine,
  syncLine,
} from '../../../extension/model/branchText';
import { GroupId } from '../../../extension/model/status';
import { BranchDetails } from '../../../extension/protocol';

const source: BranchSource = {
  branch: { name: 'main', oid: '1'.repeat(40) },
  operation: undefined,
  stale: false,
};
const marksOf = (...groups: GroupId[]) => changeMarks((group) => groups.includes(group));

describe('changeMarks', () => {
  it("are those of VS Code's own Git, in its order", () => {
    assert.equal(marksOf(), '');
    assert.equal(marksOf('workingTree'), '*');
    assert.equal(marksOf('untracked'), '*');
    assert.equal(marksOf('index'), '+');
    assert.equal(marksOf('merge'), '!');
    assert.equal(marksOf('merge', 'index', 'workingTree', 'untracked'), '*+!');
  });
});

describe('branchLine', () => {
  it('has the branch with its marks, and the checkout that a click does', () => {
    assert.deepEqual(branchLine(source, ''), {
      text: '$(git-branch) main',
      tooltip: 'main, Checkout Branch or Tag...',
    });
    assert.deepEqual(branchLine(source, '*+!'), {
      text: '$(git-branch) main*+!',
      tooltip: 'main*+!, Checkout Branch or Tag...\nConflicts, Staged changes, Unstaged changes',
    });
  });

  it('has the commit where no branch is checked out, and the branch of a rebase', () => {
    const detached = branchLine({ ...source, branch: { oid: 'abcdef0123456' } }, '');
    assert.equal(detached.text, '$(git-commit) abcdef01');
    assert.match(detached.tooltip, /^HEAD is detached at abcdef01$/m);
    const rebase = { ...source, branch: { oid: 'abcdef0123' }, operation: 'rebase' } as const;
    const step = { step: 2, of: 5, branch: 'topic' };
    assert.equal(branchLine({ ...rebase, step }, '').text, '$(git-commit) topic');
    assert.match(branchLine({ ...source, branch: { name: 'new' } }, '').tooltip, /^No commits yet$/m);
  });

  it('has at most five short lines, none about watching while nothing is wrong, and no codes of icons', () => {
    const branch = { ...source.branch, upstream: 'origin/main', ahead: 1, behind: 12 };
    const details = { tag: { name: 'v1.2.3', distance: 1234 }, stashes: 2 };
    const quiet = branchLine({ ...source, branch, details }, '*+!');
    assert.deepEqual(quiet.tooltip.split('\n').slice(2), [
      'Upstream origin/main: 1 ahead, 12 behind',
      '1,234 commits after tag v1.2.3 · Stashes: 2',
    ]);
    const step = { step: 2, of: 5, branch: 'topic' };
    const busy = branchLine({ ...source, branch, details, operation: 'rebase', step }, '*+!', 'trouble');
    const lines = busy.tooltip.split('\n');
    assert.deepEqual(lines.slice(3), ['Rebasing 2/5 of topic is in progress', 'trouble']);
    assert.equal(lines.length, 5);
    for (const line of lines) assert.ok(line.length <= 60, line);
    assert.doesNotMatch(busy.tooltip, /\$\(|Watching/);
  });

  it('has no tag and no stash while nothing vouches for them', () => {
    const { tooltip } = branchLine({ ...source, details: { stashes: 2 }, stale: true }, '');
    assert.equal(tooltip, 'main, Checkout Branch or Tag...');
  });
});

describe('operationLine', () => {
  it('continues, or leads to the conflicts first', () => {
    const merging = { ...source, operation: 'merge' } as const;
    assert.deepEqual(operationLine(merging, 0), {
      text: 'Merging: Continue',
      tooltip: 'Merging: Continue',
      does: 'continue',
    });
    assert.deepEqual(operationLine(merging, 1), {
      text: 'Merging: Continue',
      tooltip: 'Merging: Continue. 1 file has conflicts',
      does: 'showConflicts',
    });
    assert.match(operationLine(merging, 1200)?.tooltip ?? '', /1,200 files have conflicts$/);
    const rebasing = { ...source, operation: 'rebase', step: { step: 2, of: 5 } } as const;
    assert.equal(operationLine(rebasing, 0)?.text, 'Rebasing 2/5: Continue');
    assert.equal(operationLine(source, 1), undefined);
  });
});

describe('syncLine', () => {
  const of = (more: object) => syncLine({ ...source.branch, ...more });

  it('says how many commits a click pulls and pushes', () => {
    assert.deepEqual(of({ upstream: 'o/m', ahead: 0, behind: 0 }), {
      text: '$(sync)',
      tooltip: 'Synchronize Changes',
      does: 'sync',
    });
    assert.equal(of({ upstream: 'o/m', ahead: 1, behind: 0 })?.tooltip, 'Push 1 commit to o/m');
    assert.equal(of({ upstream: 'o/m', ahead: 0, behind: 2 })?.tooltip, 'Pull 2 commits from o/m');
    const both = of({ upstream: 'o/m', ahead: 1, behind: 2 });
    assert.equal(both?.text, '$(sync) 2\u2193 1\u2191');
    assert.equal(both.tooltip, 'Pull 2 and push 1 commit between o/m');
  });

  it('publishes a branch without an upstream, or with one that is gone', () => {
    const publish = { text: '$(cloud-upload)', tooltip: 'Publish Branch', does: 'publish' };
    assert.deepEqual(of({}), publish);
    assert.deepEqual(of({ upstream: 'o/m' }), publish);
    assert.equal(of({ upstream: 'o/m', counting: true })?.does, 'sync');
    assert.equal(syncLine({ oid: '1' }), undefined, 'no branch');
    assert.equal(syncLine({ name: 'new' }), undefined, 'no commit');
  });
});

describe('branchDetails', () => {
  const branch = { name: 'main', oid: '1', upstream: 'origin/main', ahead: 1, behind: 0 };
  const upstream = { remote: 'origin', branch: 'main', url: 'https://me:secret@x/a' };
  const shown = (details: BranchDetails, more: object = {}) =>
    branchDetails({ ...source, branch, details, ...more }).slice(2);

  it('have a line for each fact, without passwords', () => {
    assert.deepEqual(shown({}), []);
    assert.deepEqual(
      shown({
        tag: { name: 'v1', distance: 1234 },
        stashes: 2,
        upstream,
        push: { remote: 'mine', branch: 'main', url: '/mine', ahead: 3, behind: 4 },
      }),
      [
        'Remote origin: https://me:***@x/a',
        'Push destination mine/main: 3 ahead, 4 behind',
        'Push remote mine: /mine',
        '1,234 commits after tag v1',
        'Stashes: 2',
      ],
    );
  });

  it('name a push destination only where it is not the upstream', () => {
    const push = { ...upstream, isUpstream: true } as const;
    assert.deepEqual(shown({ tag: { name: 'v1', distance: 0 }, upstream, push, stashes: 0 }), [
      'Remote origin: https://me:***@x/a',
      'At tag v1',
    ]);
    assert.equal(shown({ upstream, push: { ...push, url: 'ssh://x' } })[1], 'Push remote origin: ssh://x');
    assert.deepEqual(shown({ tag: null, push: { remote: 'o', branch: 'b' } }), [
      'Push destination o/b: gone',
    ]);
  });

  it('say what is not known yet', () => {
    assert.deepEqual(shown({ describing: true, push: { remote: '.', branch: 'other', counting: true } }), [
      'Push destination other: counting commits',
      'Searching for the nearest tag',
    ]);
    assert.deepEqual(shown({ tag: { name: 'v1', distance: 1 } }), ['1 commit after tag v1']);
    assert.deepEqual(shown({ tag: { name: 'v1', distance: 1 } }, { stale: true }), []);
  });
});
