/** Lines, line differences, and partial changes of a text. All results are exact to the byte. */
import { strict as assert } from 'node:assert';
import {
  applyChanges,
  areAligned,
  changeOfEditor,
  changesWithin,
  inverse,
  LineChange,
  placeOf,
} from '../../../../extension/features/hunks/lineChanges';
import { diffLines } from '../../../../extension/features/hunks/lineDiff';
import {
  splitLines,
  TextLines,
  trimmed,
  withoutTerminator,
} from '../../../../extension/features/hunks/textLines';

const lines = (text: string) => splitLines(Buffer.from(text, 'latin1'));
const change = (oldStart: number, oldEnd: number, newStart: number, newEnd: number): LineChange => ({
  oldStart,
  oldEnd,
  newStart,
  newEnd,
});

/** A repeatable random source: integers from 0 to below `bound`. */
function numbers(seed: number): (bound: number) => number {
  let state = seed * 2654435761 + 1;
  return (bound) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

const kEnds = ['\n', '\n', '\n', '\r\n', '\r'];

function randomText(next: (bound: number) => number): string {
  let text = '';
  for (let left = next(12); left > 0; left--) text += 'abc \t\xe9'.charAt(next(6)) + (kEnds[next(5)] ?? '');
  return next(3) === 0 ? text + 'end' : text;
}

/** Removes, inserts and changes some of the lines. */
function edited(text: string, next: (bound: number) => number): string {
  const all = lines(text).lines.map((line) => line.toString('latin1'));
  const result = all.flatMap((line) => {
    const what = next(8);
    if (what === 0) return [];
    if (what === 1) return [`new${next(3)}\n`, line];
    return what === 2 ? [line.replace(/^[^\r\n]*/, 'changed')] : [line];
  });
  return result.join('') + (next(6) === 0 ? 'tail' : '');
}

describe('lines', () => {
  it('end after every terminator that the editor knows, and joined are the text', () => {
    const text = 'a\nb\r\nc\rd\r\r\n\n';
    assert.deepEqual(
      lines(text).lines.map((line) => line.toString()),
      ['a\n', 'b\r\n', 'c\r', 'd\r', '\r\n', '\n', ''],
    );
    assert.deepEqual(lines('').lines.length, 1);
  });

  it('of 16-bit units end where those do', () => {
    const little = splitLines(Buffer.from('\ufeffa\u0a0d\r\nb\u0d0a\n', 'utf16le'));
    assert.equal(little.unit, 'utf16le');
    assert.deepEqual(
      little.lines.map((line) => line.toString('utf16le')),
      ['\ufeffa\u0a0d\r\n', 'b\u0d0a\n', ''],
    );
    const big = splitLines(Buffer.from('\ufeffa\r\nb\u0d0a', 'utf16le').swap16());
    assert.deepEqual([big.unit, big.lines.length], ['utf16be', 2]);
    assert.equal(splitLines(Buffer.from('ab\ncd', 'utf16le')).unit, 'utf16le');
    assert.equal(splitLines(Buffer.from('ab\ncd', 'utf16le').swap16()).unit, 'utf16be');
    assert.equal(splitLines(Buffer.from('a\0b\0\0\n')).unit, 'byte');
  });

  it('are the same for the editor but for white space and a byte order mark', () => {
    assert.equal(trimmed(Buffer.from('\ufeff a b\t\r\n'), 'byte'), 'a b');
    assert.equal(trimmed(Buffer.from('\ufeff a\r\n', 'utf16le'), 'utf16le'), 'a\0');
    assert.equal(withoutTerminator(Buffer.from('a\r\n', 'utf16le'), 'utf16le').toString('utf16le'), 'a');
  });
});

describe('changes of lines', () => {
  it('are as the editor tells them', () => {
    const told = (a: number, b: number, c: number, d: number) =>
      changeOfEditor({
        originalStartLineNumber: a,
        originalEndLineNumber: b,
        modifiedStartLineNumber: c,
        modifiedEndLineNumber: d,
      });
    assert.deepEqual(told(2, 3, 2, 2), change(1, 3, 1, 2));
    assert.deepEqual(told(2, 0, 3, 4), change(2, 2, 2, 4));
    assert.deepEqual(told(1, 2, 0, 0), change(0, 2, 0, 0));
    assert.equal(changeOfEditor({ originalStartLineNumber: 1 }), undefined);
  });

  it('at the end of a text bring and take the terminator before them', () => {
    const apply = (from: string, to: string, changes: LineChange[]) =>
      applyChanges(lines(from), lines(to), changes).toString();
    assert.equal(apply('a\r\nb', 'a\r\nb\r\nc', [change(2, 2, 2, 3)]), 'a\r\nb\r\nc');
    assert.equal(apply('a\nb\n', 'a\nb', [change(2, 3, 2, 2)]), 'a\nb');
    assert.equal(apply('a\nb', 'a\nb\n', [change(2, 2, 2, 3)]), 'a\nb\n');
    assert.equal(apply('a\nb\nc', 'a', [change(1, 3, 1, 1)]), 'a');
  });

  it('are of these texts only where all between them is the same', () => {
    const [from, to] = [lines('a\n  b\nc\n'), lines('a\nX\nb\r\nc\n')];
    assert.ok(areAligned(from, to, [change(1, 1, 1, 2)]));
    assert.ok(!areAligned(from, to, [change(0, 0, 0, 1)]));
    assert.ok(!areAligned(from, to, []));
    assert.ok(!areAligned(from, to, [change(1, 1, 1, 3)]));
  });

  it('stand where the editor shows them', () => {
    const from = '{\n  a();\n}\n';
    assert.deepEqual(diffLines(lines(from), lines('{\n  a();\n}\n{\n  b();\n}\n')), [change(3, 3, 3, 6)]);
    assert.deepEqual(diffLines(lines('x\n  y\n  z\n'), lines('x\n  y\n  y\n  z\n')), [change(1, 1, 1, 2)]);
  });

  it('are found where nearly all differs', () => {
    const many = (start: number) =>
      Array.from({ length: 900 }, (_, i) => (i % 3 === 0 ? `same ${i}` : `${start + i}`)).join('\n');
    const found = diffLines(lines(many(0)), lines(many(100_000)));
    assert.equal(found.length, 300);
    const others = Array.from({ length: 3000 }, (_, i) => `x${i}`).join('\n');
    assert.equal(diffLines(lines(many(0)), lines(others)).length, 1);
  });

  /** Encodes a text like a file. UTF-16 has a byte order mark. */
  const kWritten = {
    byte: (text: string) => Buffer.from(text, 'latin1'),
    utf16le: (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le'),
    utf16be: (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
  };

  for (const [unit, written] of Object.entries(kWritten)) {
    it(`all together are the whole, one by one too, and some leave every other byte: ${unit}`, () => {
      for (let seed = 0; seed < 2000; seed++) {
        const next = numbers(seed);
        const text = randomText(next);
        const [before, after] = [written(text), written(edited(text, next))];
        const [from, to] = [splitLines(before), splitLines(after)];
        assert.equal(from.unit, unit);
        const all = diffLines(from, to);
        assert.ok(areAligned(from, to, all), `seed ${seed}`);
        assert.ok(applyChanges(from, to, all).equals(after), `seed ${seed}`);
        assert.ok(applyChanges(to, from, all.map(inverse)).equals(before), `seed ${seed}`);
        oneByOne(before, to, after, next, `seed ${seed}`);
        for (const chosen of all) onlyThat(from, to, chosen, `seed ${seed}`);
        const some = all.filter(() => next(2) === 0);
        assert.ok(areAligned(splitLines(applyChanges(from, to, some)), to, rest(all, some)), `seed ${seed}`);
      }
    });
  }

  /** The changes that remain after `made` was applied, with shifted line numbers. */
  function rest(all: readonly LineChange[], made: readonly LineChange[]): LineChange[] {
    let shift = 0;
    return all.flatMap((each) => {
      const { oldStart, oldEnd, newStart, newEnd } = each;
      const left = change(oldStart + shift, oldEnd + shift, newStart, newEnd);
      if (!made.includes(each)) return [left];
      shift += newEnd - newStart - (oldEnd - oldStart);
      return [];
    });
  }

  /** Applies the remaining changes one by one, in random order. */
  function oneByOne(
    before: Buffer,
    to: TextLines,
    after: Buffer,
    next: (bound: number) => number,
    seed: string,
  ): void {
    let now = before;
    for (let i = diffLines(splitLines(now), to).length; i > 0; i--) {
      const left = diffLines(splitLines(now), to);
      const chosen = left[next(left.length)];
      if (chosen !== undefined) now = applyChanges(splitLines(now), to, [chosen]);
    }
    assert.ok(now.equals(after), seed);
  }

  /** Applying `chosen` keeps all other lines. Only the last kept line may gain or lose its terminator. */
  function onlyThat(from: TextLines, to: TextLines, chosen: LineChange, seed: string): void {
    const { oldStart, oldEnd, newStart, newEnd } = chosen;
    const result = applyChanges(from, to, [chosen]);
    const head = Buffer.concat(from.lines.slice(0, oldStart));
    const tail = Buffer.concat(from.lines.slice(oldEnd));
    const isAtEnd = oldEnd === from.lines.length;
    const kept = isAtEnd ? withoutTerminator(head, from.unit) : head;
    assert.ok(result.subarray(0, kept.length).equals(kept), seed);
    assert.ok(result.subarray(result.length - tail.length).equals(tail), seed);
    if (isAtEnd) return;
    const own = result.subarray(head.length, result.length - tail.length);
    assert.ok(own.equals(Buffer.concat(to.lines.slice(newStart, newEnd))), seed);
  }
});

describe('changes within selected lines', () => {
  it('are parts of a change: line by line, or with all that it replaces', () => {
    const replaced = [change(1, 4, 1, 4)];
    assert.deepEqual(changesWithin(replaced, [{ start: 2, end: 3 }]), [change(2, 3, 2, 3)]);
    const grown = [change(1, 2, 1, 4)];
    assert.deepEqual(changesWithin(grown, [{ start: 2, end: 3 }]), [change(1, 2, 2, 3)]);
    assert.deepEqual(
      changesWithin(grown, [
        { start: 3, end: 9 },
        { start: 0, end: 2 },
      ]),
      [change(1, 2, 1, 2), change(2, 2, 3, 4)],
    );
    assert.deepEqual(changesWithin(grown, [{ start: 4, end: 9 }]), []);
  });

  it('hold lines that are gone beside them', () => {
    const gone = [change(2, 4, 2, 2)];
    for (const start of [1, 2]) assert.deepEqual(changesWithin(gone, [{ start, end: start + 1 }]), gone);
    for (const start of [0, 3]) assert.deepEqual(changesWithin(gone, [{ start, end: start + 1 }]), []);
  });

  it('take every line once, whatever ranges share', () => {
    const ranges = [
      { start: 0, end: 2 },
      { start: 1, end: 3 },
    ];
    assert.deepEqual(changesWithin([change(0, 3, 0, 3)], ranges), [change(0, 3, 0, 3)]);
  });

  it('have lines of the old text at another place of the new one, or at none of their own', () => {
    const changes = [change(1, 2, 1, 4), change(4, 6, 6, 6), change(8, 8, 8, 9)];
    const places: [number, number, [number, number] | undefined][] = [
      [0, 0, [0, 0]],
      [3, 3, [5, 5]],
      [0, 3, [0, 5]],
      [1, 2, [1, 4]],
      [4, 6, [6, 6]],
      [7, 8, [7, 9]],
      [8, 8, [8, 9]],
      [9, 11, [10, 12]],
      [0, 1, undefined],
      [2, 4, undefined],
      [5, 7, undefined],
      [9, 9, [10, 10]],
    ];
    for (const [start, end, place] of places) {
      const expected = place && { start: place[0], end: place[1] };
      assert.deepEqual(placeOf(changes, { start, end }), expected, `${start}..${end}`);
    }
  });

  it('of a range are replaced by what others have there, and nothing else is', () => {
    for (let seed = 1; seed <= 3000; seed++) {
      const next = numbers(seed);
      const head = randomText(next);
      const index = edited(head, next);
      const [old, now] = [lines(head), lines(index)];
      const start = next(old.lines.length + 1);
      const end = start + next(old.lines.length - start + 1);
      const place = placeOf(diffLines(old, now), { start, end });
      if (place === undefined) continue;
      const around = [...now.lines.slice(0, place.start), ...now.lines.slice(place.end)];
      const apart = diffLines(old, now).filter(({ oldStart, oldEnd }) => oldEnd < start || oldStart > end);
      const expected: Buffer[] = [];
      let at = 0;
      for (const each of [...apart, change(start, end, 0, 0)].sort((a, b) => a.oldStart - b.oldStart)) {
        expected.push(...old.lines.slice(at, each.oldStart), ...now.lines.slice(each.newStart, each.newEnd));
        at = each.oldEnd;
      }
      assert.deepEqual(around, [...expected, ...old.lines.slice(at)], `seed ${seed}`);
    }
  });
});
