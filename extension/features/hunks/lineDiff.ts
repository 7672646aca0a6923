/**
 * Changes between the lines of two texts, compared byte for byte, by the shortest edit script. A change with several
 * possible positions has the position that VS Code shows (`shiftSequenceDiffs` in its
 * heuristicSequenceOptimizations.ts).
 */
import { diffArrays } from 'diff';
import { LineChange } from './lineChanges';
import { TextLines } from './textLines';

/** Limit of edits in the search for the shortest script. Texts with more differences get one change. */
const kMaxEdits = 2000;
const kMaxShifted = 100;

export function diffLines(from: TextLines, to: TextLines): LineChange[] {
  return diff(
    from.lines.map((line) => line.toString('latin1')),
    to.lines.map((line) => line.toString('latin1')),
  );
}

/** Compares lines of decoded text. */
export function diff(from: readonly string[], to: readonly string[]): LineChange[] {
  const ids = new Map<string, number>();
  const idsOf = (lines: readonly string[]) =>
    lines.map((line) => {
      const id = ids.get(line) ?? ids.size;
      ids.set(line, id);
      return id;
    });
  const [a, b] = [idsOf(from), idsOf(to)];
  return shifted(differing(a, b), { ids: a, lines: from }, { ids: b, lines: to });
}

/** In order. Equal lines separate any two changes. */
function differing(a: number[], b: number[]): LineChange[] {
  // A line that only one text has cannot be equal to any. Without such lines, the search is short.
  const [inA, inB] = [new Set(a), new Set(b)];
  const [oldAt, nextAt] = [placesOf(a, inB), placesOf(b, inA)];
  const idsAt = (ids: number[], places: number[]) => places.map((at) => ids[at] ?? 0);
  const parts = diffArrays(idsAt(a, oldAt), idsAt(b, nextAt), { maxEditLength: kMaxEdits });
  if (parts === undefined) return [between(a, b)];
  const changes: LineChange[] = [];
  let [oldEnd, newEnd] = [0, 0];
  const equal = (old: number, next: number) => {
    if (oldEnd < old || newEnd < next)
      changes.push({ oldStart: oldEnd, oldEnd: old, newStart: newEnd, newEnd: next });
    [oldEnd, newEnd] = [old + 1, next + 1];
  };
  let [old, next] = [0, 0];
  for (const { count, added, removed } of parts) {
    if (added) next += count;
    else if (removed) old += count;
    else for (let i = 0; i < count; i++) equal(oldAt[old++] ?? a.length, nextAt[next++] ?? b.length);
  }
  equal(a.length, b.length);
  return changes;
}

function placesOf(ids: readonly number[], others: ReadonlySet<number>): number[] {
  const places: number[] = [];
  ids.forEach((id, at) => {
    if (others.has(id)) places.push(at);
  });
  return places;
}

/** One change from the first difference to the last. */
function between(a: number[], b: number[]): LineChange {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let [oldEnd, newEnd] = [a.length, b.length];
  while (oldEnd > start && newEnd > start && a[oldEnd - 1] === b[newEnd - 1]) {
    oldEnd--;
    newEnd--;
  }
  return { oldStart: start, oldEnd, newStart: start, newEnd };
}

interface Side {
  ids: readonly number[];
  lines: readonly string[];
}

function shifted(changes: LineChange[], from: Side, to: Side): LineChange[] {
  changes.forEach((change, i) => {
    const [previous, next] = [changes[i - 1], changes[i + 1]];
    const room = {
      old: { start: (previous?.oldEnd ?? -1) + 1, end: (next?.oldStart ?? from.ids.length + 1) - 1 },
      new: { start: (previous?.newEnd ?? -1) + 1, end: (next?.newStart ?? to.ids.length + 1) - 1 },
    };
    const { oldStart, oldEnd, newStart, newEnd } = change;
    let delta = 0;
    if (oldStart === oldEnd) {
      delta = bestShift({ start: newStart, end: newEnd }, to, room.new, oldStart, from, room.old);
    } else if (newStart === newEnd) {
      delta = bestShift({ start: oldStart, end: oldEnd }, from, room.old, newStart, to, room.new);
    }
    changes[i] = {
      oldStart: oldStart + delta,
      oldEnd: oldEnd + delta,
      newStart: newStart + delta,
      newEnd: newEnd + delta,
    };
  });
  return changes;
}

interface Range {
  start: number;
  end: number;
}

/** How far to move a block of lines that only one text has: to the position with the least indentation around it. */
function bestShift(own: Range, ownSide: Side, ownRoom: Range, at: number, other: Side, room: Range): number {
  const isSame = (i: number, j: number) => ownSide.ids[i] === ownSide.ids[j];
  let up = 0;
  while (
    up + 1 < kMaxShifted &&
    at - up - 1 >= room.start &&
    own.start - up - 1 >= ownRoom.start &&
    isSame(own.start - up - 1, own.end - up - 1)
  )
    up++;
  let down = 0;
  while (
    down < kMaxShifted &&
    at + down < room.end &&
    own.end + down < ownRoom.end &&
    isSame(own.start + down, own.end + down)
  )
    down++;
  let [best, least] = [0, Infinity];
  for (let delta = -up; delta <= down; delta++) {
    const cost =
      indentationAround(other, at + delta) +
      indentationAround(ownSide, own.start + delta) +
      indentationAround(ownSide, own.end + delta);
    if (cost < least) [best, least] = [delta, cost];
  }
  return best;
}

function indentationAround({ lines }: Side, at: number): number {
  const indentation = (line = '') => /^(?:\0?[ \t]\0?)*/.exec(line)?.[0].length ?? 0;
  return indentation(lines[at - 1]) + indentation(lines[at]);
}
