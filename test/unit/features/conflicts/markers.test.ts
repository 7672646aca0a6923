/** Finds git's conflict markers, and replaces them by a side or by both sides. */
import { strict as assert } from 'node:assert';
import {
  ConflictSide,
  hasConflictMarkers,
  withoutConflicts,
} from '../../../../extension/features/conflicts/markers';

describe('hasConflictMarkers', () => {
  const has = (text: string) => hasConflictMarkers(Buffer.from(text));

  it('finds what git writes, whatever the ends of lines', () => {
    assert.ok(has('a\n<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> theirs\n'));
    assert.ok(has('<<<<<<< HEAD\r\nours\r\n=======\r\ntheirs\r\n>>>>>>> theirs\r\n'));
  });

  it('takes neither a heading nor a quotation for one', () => {
    assert.ok(!has('Heading\n=======\n'));
    assert.ok(!has('> <<<<<<< HEAD\n> >>>>>>> theirs\n'));
    assert.ok(!has('<<<<<<<< eight\n>>>>>>>> eight\n'));
  });
});

describe('withoutConflicts', () => {
  const kText =
    'a\r\n<<<<<<< HEAD\nours\n||||||| base\n=======x\nold\n=======\ntheirs\r\n>>>>>>> branch\nz\xff';
  const resolved = (text: string, side: ConflictSide, size?: number) =>
    withoutConflicts(Buffer.from(text, 'latin1'), side, size)?.toString('latin1');

  it('leaves one side or both, without their base, and every other byte', () => {
    assert.equal(resolved(kText, 'current'), 'a\r\nours\nz\xff');
    assert.equal(resolved(kText, 'incoming'), 'a\r\ntheirs\r\nz\xff');
    assert.equal(resolved(kText, 'both'), 'a\r\nours\ntheirs\r\nz\xff');
  });

  it('takes every conflict of a file, and of a base only the outer one', () => {
    const one = '<<<<<<< a\n1\n=======\n2\n>>>>>>> b\n';
    assert.equal(resolved(`${one}between\n${one}`, 'incoming'), '2\nbetween\n2\n');
    const inner = '<<<<<<<<< a\n=========\n>>>>>>>>> b\n';
    assert.equal(resolved(`<<<<<<< a\n1\n||||||| c\n${inner}=======\n2\n>>>>>>> b\n`, 'both'), '1\n2\n');
  });

  it('knows markers of another size, and in 16-bit units', () => {
    const long = '<<<<<<<<< a\n<<<<<<< 1\n=========\n2\n>>>>>>>>> b\n';
    assert.equal(resolved(long, 'current', 9), '<<<<<<< 1\n');
    const wide = Buffer.from('\ufeff<<<<<<< a\r\n1\r\n=======\r\n2\r\n>>>>>>> b\r\n', 'utf16le');
    assert.ok(hasConflictMarkers(wide));
    assert.equal(withoutConflicts(wide, 'incoming')?.toString('utf16le'), '\ufeff2\r\n');
  });

  it('does nothing to what is no whole conflict', () => {
    for (const text of [
      '',
      'text\n',
      '<<<<<<< a\n=======\n',
      '<<<<<<< a\n>>>>>>> b\n',
      '=======\n>>>>>>> b\n',
    ])
      assert.equal(resolved(text, 'current'), undefined);
    assert.equal(resolved(`<<<<<<< a\n=======\n<<<<<<< a\n=======\n>>>>>>> b\n`, 'current'), undefined);
  });

  it('does nothing where a line of a side may be the marker', () => {
    for (const text of [
      '<<<<<<< a\nChanges\n=======\nours\n=======\ntheirs\n>>>>>>> b\n',
      '<<<<<<< a\n||||||| ours\n||||||| c\n=======\ntheirs\n>>>>>>> b\n',
      '<<<<<<< a\nours\n=======\n>>>>>>> theirs\n>>>>>>> b\n',
    ])
      assert.equal(resolved(text, 'current'), undefined, text);
  });
});
