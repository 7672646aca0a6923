/** Finds lines of one text in another one. */
import { LineChange } from '../hunks/lineChanges';
import { diffLines } from '../hunks/lineDiff';
import { splitLines } from '../hunks/textLines';
import { Lines } from './plan';

/** The lines of `from` that are `range` in `to`. Undefined: `from` has none of them. Line endings do not count. */
export function linesBefore(from: string, to: string, range: Lines): Lines | undefined {
  const [old, next] = [textLines(from), textLines(to)];
  const { start, end } = mapped(diffLines(old, next), range);
  // The editor shows an empty line after the last line break. git knows no such line.
  const count = old.lines.length - (old.lines.at(-1)?.length === 0 ? 1 : 0);
  const last = Math.min(end, count);
  return start < last ? { start, end: last } : undefined;
}

const textLines = (text: string) => splitLines(Buffer.from(text.replace(/\r\n?/g, '\n')));

/** A range that ends inside a change ends with all old lines of the change. */
function mapped(changes: readonly LineChange[], { start, end }: Lines): Lines {
  const result = { start, end };
  for (const { oldStart, oldEnd, newStart, newEnd } of changes) {
    if (newEnd <= start) result.start = start + oldEnd - newEnd;
    else if (newStart <= start) result.start = oldStart;
    if (newEnd < end) result.end = end + oldEnd - newEnd;
    else if (newStart < end) result.end = oldEnd;
  }
  return result;
}
