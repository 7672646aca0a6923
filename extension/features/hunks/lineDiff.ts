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
  const ids = new Map<string, number>();
  const idsOf = ({ lines }: TextLines) =>
    lines.map((line) => {
      const key = line.toString('latin1');
      const id = ids.get(key) ?? ids.size;
      ids.set(key, id);
      return id;
    });
  const [a, b] = [idsOf(from), idsOf(to)];
  return shifted(differing(a, b), { ids: a, lines: from.lines }, { ids: b, lines: to.lines });
}

/** In order. Equal lines separate any two changes. */
function differing(a: number[], b: number[]): LineChange[] {
  const parts = diffArrays(a, b, { maxEditLength: kMaxEdits });
  if (parts === undefined) return [between(a, b)];
  const changes: LineChange[] = [];
  let [old, next] = [0, 0];
  let change: LineChange | undefined;
  for (const { count, added, removed } of parts) {
    if (!added && !removed) change = undefined;
    else if (change === undefined) {
      change = { oldStart: old, oldEnd: old, newStart: next, newEnd: next };
      changes.push(change);
    }
    if (!added) old += count;
    if (!removed) next += count;
    if (change !== undefined) [change.oldEnd, change.newEnd] = [old, next];
  }
  return changes;
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
  lines: readonly Buffer[];
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
  const indentation = (line: Buffer | undefined) =>
    line === undefined ? 0 : (/^(?:\0?[ \t]\0?)*/.exec(line.toString('latin1'))?.[0].length ?? 0);
  return indentation(lines[at - 1]) + indentation(lines[at]);
}
