/** The page "Why Is This Here?", as Markdown. */
import { strict as assert } from 'node:assert';
import { explanationText, isSubmodule } from '../../../../extension/features/explain/explanationText';
import type { Explanation } from '../../../../extension/protocol';

/** Without the heading, and without empty lines. */
function linesOf(explanation: Partial<Explanation>, checkedOut?: string): string[] {
  const text = explanationText('/r', { path: 'p', kind: 'file', ...explanation }, checkedOut);
  assert.ok(text.startsWith('# `p`\n\n') && text.endsWith('\n'), text);
  return text.slice(7, -1).split(/\n+/);
}

const entry = { stage: 0, mode: '100644', oid: 'abc' };

describe('explanationText', () => {
  it('explains both letters of git status', () => {
    assert.deepEqual(linesOf({ row: { index: '.', worktree: 'M' } }), [
      '`git status` shows `\u00a0M`.',
      '- First letter, the index compared with HEAD: blank, unchanged.',
      '- Second letter, the worktree compared with the index: `M`, modified.',
    ]);
    assert.deepEqual(linesOf({ row: { index: 'A', worktree: 'D' } }), [
      '`git status` shows `AD`.',
      '- First letter, the index compared with HEAD: `A`, added.',
      '- Second letter, the worktree compared with the index: `D`, deleted.',
    ]);
    assert.deepEqual(linesOf({ untracked: true }), [
      '`git status` shows `??`.',
      '- `??` is untracked: git does not track this path, and no rule ignores it.',
    ]);
    assert.deepEqual(linesOf({ ignored: true }), [
      '`git status --ignored` shows `!!`: a rule ignores this path.',
    ]);
  });

  it('explains renames and conflicts', () => {
    assert.deepEqual(linesOf({ row: { index: 'R', worktree: '.', from: 'o\xadld\n', score: 90 } }), [
      '`git status` shows `R\u00a0`.',
      '- First letter, the index compared with HEAD: `R`, renamed.',
      '- Second letter, the worktree compared with the index: blank, unchanged.',
      'The old path is `o\xadld\\n` (90% similar).',
    ]);
    assert.deepEqual(linesOf({ row: { index: 'D', worktree: 'U', unmerged: true } }), [
      '`git status` shows `DU`.',
      '- `DU` is a conflict: our side deleted the file, their side modified it.',
    ]);
  });

  it('names the rule that ignores, and the folder that the rule matches', () => {
    const ignore = { source: '.gitignore', line: 4, pattern: '/build/', at: 'build' };
    assert.deepEqual(linesOf({ ignored: true, ignore }).slice(1), [
      '## Rule that ignores this path',
      '- `.gitignore:4`: `/build/`',
      '- The rule matches the folder `build`.',
    ]);
    assert.ok(
      linesOf({ entries: [entry], ignore }).includes(
        '## Rule that would ignore this path if it were untracked',
      ),
    );
    assert.ok(
      linesOf({ untracked: true, ignore: { ...ignore, negative: true } }).includes(
        '## Rule that keeps this path from being ignored',
      ),
    );
  });

  it('has the differences, and the flag that hides them', () => {
    const differs: Partial<Explanation> = {
      entries: [entry],
      worktreeMode: '100755',
      differences: ['mode', 'endOfLine'],
    };
    assert.deepEqual(linesOf({ ...differs, row: { index: '.', worktree: 'M' } }).slice(3, 6), [
      '## Compared with the index',
      '- The mode differs: `100755` instead of `100644`.',
      '- Only the line endings differ.',
    ]);
    assert.deepEqual(linesOf({ ...differs, hidden: ['assumeUnchanged'] }).slice(0, 3), [
      'git tracks this path, and git status shows no change.',
      'The flag assume-unchanged hides changes.',
      '## Hidden changes, compared with the index',
    ]);
  });

  it('names the rules of attributes, and the conversions', () => {
    const lines = linesOf({
      untracked: true,
      attributes: [
        {
          name: 'diff',
          value: 'unset',
          origin: 'index',
          source: 'a/.gitattributes',
          line: 2,
          pattern: '*',
          macro: 'm',
        },
        { name: 'x', value: 'set', origin: 'builtIn' },
      ],
      conversion: { filter: 'lfs', endOfLine: 'auto', ident: true, encoding: 'UTF-16' },
    });
    assert.deepEqual(lines.slice(2), [
      '## Attributes',
      '- `diff: unset` (`a/.gitattributes:2`: `*`, by the macro `m`, as in the index)',
      '- `x: set` (built into git)',
      '## How git converts the file for the index',
      '- The filter `lfs` runs.',
      '- UTF\\-16 becomes UTF-8.',
      '- CRLF becomes LF if the file is text.',
      '- `$Id: ...$` becomes `$Id$`.',
    ]);
  });

  it('has the commit that is checked out in a submodule, beside those of the index and HEAD', () => {
    const [checkedOut, inIndex, inHead] = ['c', 'b', 'a'].map((letter) => letter.repeat(40));
    const explanation: Partial<Explanation> = {
      row: { index: 'M', worktree: 'M' },
      entries: [{ stage: 0, mode: '160000', oid: inIndex ?? '' }],
      head: { mode: '160000', oid: inHead ?? '' },
      differences: ['commit'],
    };
    assert.deepEqual(linesOf(explanation, checkedOut).slice(3), [
      '## Compared with the index',
      '- The submodule has another commit checked out.',
      '## Commits of the submodule',
      `- Checked out: \`${checkedOut}\``,
      `- Recorded in the index: \`${inIndex}\``,
      `- Recorded in HEAD: \`${inHead}\``,
    ]);
    assert.equal(isSubmodule({ path: 'p', ...explanation }), true);
    assert.equal(isSubmodule({ path: 'p', entries: [entry] }), false);
  });

  it('has the objects of a file, and all stages of a conflict', () => {
    assert.deepEqual(linesOf({ entries: [entry], head: { mode: '100755', oid: 'def' } }).slice(1), [
      '## Objects',
      '- Index: `100644 abc`',
      '- HEAD: `100755 def`',
    ]);
    const stages = [1, 2].map((stage) => ({ ...entry, stage }));
    assert.deepEqual(linesOf({ entries: stages }).slice(-2), [
      '- Index, stage 1: `100644 abc`',
      '- Index, stage 2: `100644 abc`',
    ]);
  });

  it('says why git status shows nothing', () => {
    const first = (explanation: Partial<Explanation>) => linesOf(explanation)[0];
    assert.equal(
      explanationText('/r', { path: 'p' }),
      '# `p`\n\nNothing exists at this path, and git tracks nothing here.\n',
    );
    assert.equal(first({ kind: 'special' }), 'git does not track sockets, pipes and devices.');
    assert.equal(first({ kind: 'directory' }), 'This folder has no file that git could add.');
    assert.equal(
      first({ place: 'submodule', placeAt: 's' }),
      'This path is in the submodule `s`, which has a status of its own.',
    );
    const folder = (trackedBelow: number) =>
      explanationText('/r', { path: '', kind: 'directory', trackedBelow });
    assert.equal(folder(1234), '# `/r`\n\nThis folder has 1,234 tracked files.\n');
    assert.equal(folder(1), '# `/r`\n\nThis folder has 1 tracked file.\n');
  });

  it('shows the text of others as it is, whatever Markdown would make of it', () => {
    const ignore = { source: 'a`b', line: 1, pattern: '*.log', at: 'p' };
    assert.equal(linesOf({ ignored: true, ignore })[2], '- ``a`b:1``: `*.log`');
    const refusal = 'cannot read *x* <img>';
    assert.equal(linesOf({ refusal })[1], 'git status cannot read this path: cannot read \\*x\\* \\<img\\>');
  });
});
