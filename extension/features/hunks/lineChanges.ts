/**
 * Changes of lines between two texts, and applying them. Works on bytes: lines outside of the changes stay identical.
 */
import { terminatorOf, TextLines, trimmed, withoutTerminator } from './textLines';

/** Lines [oldStart, oldEnd) of one text are [newStart, newEnd) in the other, counted from 0. */
export interface LineChange {
  oldStart: number;
  oldEnd: number;
  newStart: number;
  newEnd: number;
}

/** Lines [start, end). */
export interface LineRange {
  start: number;
  end: number;
}

/**
 * Converts a change of the editor (`ILineChange` in VS Code's legacyLinesDiffComputer.ts). The editor counts lines
 * from 1. An end of 0 means no lines, after line `start`. Undefined: the value is not a change.
 */
export function changeOfEditor(value: unknown): LineChange | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const numberOf = (name: string) => {
    const number = (value as Record<string, unknown>)[name];
    return typeof number === 'number' && Number.isInteger(number) && number >= 0 ? number : undefined;
  };
  const range = (start: number, end: number): [number, number] =>
    end === 0 ? [start, start] : [start - 1, end];
  const [oldFrom, oldTo] = [numberOf('originalStartLineNumber'), numberOf('originalEndLineNumber')];
  const [newFrom, newTo] = [numberOf('modifiedStartLineNumber'), numberOf('modifiedEndLineNumber')];
  if (oldFrom === undefined || oldTo === undefined) return undefined;
  if (newFrom === undefined || newTo === undefined) return undefined;
  const [oldStart, oldEnd] = range(oldFrom, oldTo);
  const [newStart, newEnd] = range(newFrom, newTo);
  return { oldStart, oldEnd, newStart, newEnd };
}

export function inverse({ oldStart, oldEnd, newStart, newEnd }: LineChange): LineChange {
  return { oldStart: newStart, oldEnd: newEnd, newStart: oldStart, newEnd: oldEnd };
}

/**
 * True if the changes, in order, can be all differences between the texts. The lines between the changes must match
 * in number, and be equal except for white space at their ends. False: the changes belong to other texts.
 */
export function areAligned(from: TextLines, to: TextLines, changes: readonly LineChange[]): boolean {
  let [old, next] = [0, 0];
  const end = { oldStart: from.lines.length, oldEnd: 0, newStart: to.lines.length, newEnd: 0 };
  for (const { oldStart, oldEnd, newStart, newEnd } of [...changes, end]) {
    if (oldStart < old || oldStart - old !== newStart - next) return false;
    for (; old < oldStart; old++, next++) {
      const [a, b] = [from.lines[old], to.lines[next]];
      if (a === undefined || b === undefined) return false;
      if (!a.equals(b) && trimmed(a, from.unit) !== trimmed(b, to.unit)) return false;
    }
    [old, next] = [oldEnd, newEnd];
  }
  return true;
}

/** `from` with the lines of `to` at the changes. The changes are in order. */
export function applyChanges(from: TextLines, to: TextLines, changes: readonly LineChange[]): Buffer {
  const parts: Buffer[] = [];
  let isLastOfFrom = false;
  /** Adds a terminator to the last line, because more lines follow. */
  const goOn = (...like: readonly (Buffer | undefined)[]) => {
    const last = parts.at(-1);
    if (last === undefined || terminatorOf(last, from.unit).length > 0) return;
    const ends = like.filter((line) => line !== undefined).map((line) => terminatorOf(line, to.unit));
    parts.push(ends.find(({ length }) => length > 0) ?? kLineFeeds[to.unit]);
  };
  let old = 0;
  for (const { oldStart, oldEnd, newStart, newEnd } of changes) {
    if (old < oldStart) {
      goOn(from.lines[old - 1]);
      parts.push(...from.lines.slice(old, oldStart));
      isLastOfFrom = true;
    }
    if (newStart < newEnd) {
      goOn(to.lines[newStart - 1], from.lines[oldEnd - 1]);
      parts.push(...to.lines.slice(newStart, newEnd));
      isLastOfFrom = false;
    }
    old = oldEnd;
  }
  if (old < from.lines.length) {
    goOn(from.lines[old - 1]);
    parts.push(...from.lines.slice(old));
  } else if (isLastOfFrom) {
    // All following lines are gone, and the terminator before them too.
    const last = parts.pop();
    if (last !== undefined) parts.push(withoutTerminator(last, from.unit));
  }
  return Buffer.concat(parts);
}

const kLineFeeds = {
  byte: Buffer.from('\n'),
  utf16le: Buffer.from('\n\0'),
  utf16be: Buffer.from('\0\n'),
} as const;

/**
 * The parts of the changes that lie in the ranges of new lines. A change with as many old as new lines is cut line by
 * line. Otherwise, the first part takes all old lines. A pure deletion is included if a range contains a line beside
 * it.
 */
export function changesWithin(changes: readonly LineChange[], ranges: readonly LineRange[]): LineChange[] {
  return changes.flatMap((change) => {
    const { oldStart, oldEnd, newStart, newEnd } = change;
    if (newStart === newEnd) {
      const isBeside = ranges.some(({ start, end }) => start < end && start <= newStart && newStart <= end);
      return isBeside ? [change] : [];
    }
    const held = joined(ranges)
      .map(({ start, end }) => ({ start: Math.max(start, newStart), end: Math.min(end, newEnd) }))
      .filter(({ start, end }) => start < end);
    if (oldEnd - oldStart === newEnd - newStart) {
      const shift = oldStart - newStart;
      return held.map(({ start, end }) => ({
        oldStart: start + shift,
        oldEnd: end + shift,
        newStart: start,
        newEnd: end,
      }));
    }
    // Old lines can be removed once only: with the first part.
    return held.map(({ start, end }, i) => ({
      oldStart: i === 0 ? oldStart : oldEnd,
      oldEnd,
      newStart: start,
      newEnd: end,
    }));
  });
}

/**
 * The lines of the new text that correspond to these old lines. Undefined if a change is neither within the range nor
 * apart from it: no lines of the new text then belong to the range alone.
 */
export function placeOf(changes: readonly LineChange[], { start, end }: LineRange): LineRange | undefined {
  const place = { start, end };
  for (const { oldStart, oldEnd, newStart, newEnd } of changes) {
    if (oldStart > end) continue;
    const grown = newEnd - newStart - (oldEnd - oldStart);
    const isBefore = oldEnd < start;
    if (!isBefore && (oldStart < start || oldEnd > end)) return undefined;
    if (isBefore) place.start += grown;
    place.end += grown;
  }
  return place;
}

function joined(ranges: readonly LineRange[]): LineRange[] {
  const all: LineRange[] = [];
  for (const { start, end } of [...ranges].sort((a, b) => a.start - b.start)) {
    const last = all.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else all.push({ start, end });
  }
  return all;
}
