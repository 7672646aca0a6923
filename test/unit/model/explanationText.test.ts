/** The text of an explanation. */
import { strict as assert } from 'node:assert';
import { explanationText } from '../../../extension/model/explanationText';
import type { Explanation } from '../../../extension/protocol';

/** The explanation's lines, without the path and the empty line after it. */
function linesOf(explanation: Partial<Explanation>): string[] {
  const text = explanationText('/r', { path: 'p', kind: 'file', ...explanation });
  assert.ok(text.startsWith('p\n\n') && text.endsWith('\n'), text);
  return text.slice(3, -1).split('\n');
}

const entry = { stage: 0, mode: '100644', oid: 'abc' };

describe('explanationText', () => {
  it('names the rule that ignores, and the folder that it matches', () => {
    const ignore = { source: '.gitignore', line: 4, pattern: '/build/', at: 'build' };
    assert.deepEqual(linesOf({ ignored: true, ignore }), [
      'It is ignored.',
      '',
      'The rule that ignores it:',
      '  .gitignore:4: /build/',
      '  It matches the folder build.',
    ]);
    assert.ok(
      linesOf({ entries: [entry], ignore }).includes('The rule that would ignore it, were it not tracked:'),
    );
    assert.ok(
      linesOf({ untracked: true, ignore: { ...ignore, negative: true } }).includes(
        'The rule because of which it is not ignored:',
      ),
    );
  });

  it('tells what differs, and of what is hidden that it is', () => {
    const differs: Partial<Explanation> = {
      entries: [entry],
      worktreeMode: '100755',
      differences: ['mode', 'endOfLine'],
    };
    assert.deepEqual(linesOf({ ...differs, row: { index: '.', worktree: 'M' } }).slice(0, 4), [
      'It is changed in the worktree (.M): modified.',
      'Against the index:',
      '  The mode is another one: 100755, and not 100644.',
      '  Only the ends of lines are other ones.',
    ]);
    assert.deepEqual(linesOf({ ...differs, hidden: ['assumeUnchanged'] }).slice(0, 3), [
      'It is tracked, and git status shows no change.',
      'Changes are hidden: it is marked assume-unchanged.',
      'What is hidden, against the index:',
    ]);
  });

  it('tells of renames and conflicts', () => {
    assert.deepEqual(
      linesOf({ row: { index: 'R', worktree: '.', from: 'o\xadld\n', score: 90 } }).slice(0, 2),
      ['It is changed in the index (R.): renamed.', 'It was o\xadld\\n, and is 90% the same.'],
    );
    const conflict = { index: 'D', worktree: 'U', unmerged: true } as const;
    assert.deepEqual(linesOf({ row: conflict }), ['It is in conflict (DU): we deleted it.']);
  });

  it('names where attributes come from', () => {
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
      conversion: { filter: 'lfs', endOfLine: 'auto' },
    });
    assert.deepEqual(lines.slice(2), [
      'Attributes:',
      '  diff: unset',
      '    a/.gitattributes:2: * (through m) (as the index has it)',
      '  x: set',
      '    built into git',
      'On its way into the index:',
      '  the filter lfs is run',
      '  CRLF becomes LF, if it is text',
    ]);
  });

  it('tells why nothing is shown', () => {
    const first = (explanation: Partial<Explanation>) => linesOf(explanation)[0];
    const nothing: Explanation = { path: 'p' };
    assert.equal(
      explanationText('/r', nothing),
      'p\n\nNothing is there, and nothing is tracked at this path.\n',
    );
    assert.equal(first({ kind: 'special' }), 'git does not see sockets, pipes and devices.');
    assert.equal(first({ kind: 'directory' }), 'git sees no folder in which there is no file to be added.');
    assert.match(first({ place: 'submodule', placeAt: 's' }) ?? '', /in the submodule s,/);
    assert.match(
      explanationText('/r', { path: '', kind: 'directory', trackedBelow: 1234 }),
      /^\/r\n\n.*: 1,234\./,
    );
  });
});
