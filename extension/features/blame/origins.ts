/**
 * Finds, for each line of an edited text, the line of the committed text that it comes from. Lines count like in git:
 * a last line without a line break differs from the same line with a line break. Line breaks themselves do not count,
 * because git converts them.
 */
import { LineChange } from '../hunks/lineChanges';
import { diff } from '../hunks/lineDiff';

/** The line is not in the committed text. */
export const kUncommitted = -1;
/** The empty line after the last line break. git has no such line. */
export const kNoLine = -2;

/** Lines before and after the differences that are compared too: a change may move over equal lines. */
const kContext = 100;

/** `from` and `to`: the editor's lines of both texts. Result: for each line of `to`, a line of `from` or a constant. */
export function originsOf(
  from: readonly string[],
  to: readonly string[],
  { ignoreWhitespace = false } = {},
): Int32Array {
  const [old, next] = [gitLines(from, ignoreWhitespace), gitLines(to, ignoreWhitespace)];
  const origins = new Int32Array(to.length).fill(kNoLine);
  let [oldAt, nextAt] = [0, 0];
  const end = { oldStart: old.length, oldEnd: old.length, newStart: next.length, newEnd: next.length };
  for (const { oldEnd, newStart, newEnd } of [...changesOf(old, next), end]) {
    while (nextAt < newStart) origins[nextAt++] = oldAt++;
    origins.fill(kUncommitted, newStart, newEnd);
    [oldAt, nextAt] = [oldEnd, newEnd];
  }
  return origins;
}

function changesOf(from: readonly string[], to: readonly string[]): LineChange[] {
  const least = Math.min(from.length, to.length);
  let start = 0;
  while (start < least && from[start] === to[start]) start++;
  if (start === from.length && start === to.length) return [];
  let same = 0;
  while (same < least - start && from[from.length - 1 - same] === to[to.length - 1 - same]) same++;
  start = Math.max(0, start - kContext);
  const kept = Math.max(0, same - kContext);
  const changes = diff(from.slice(start, from.length - kept), to.slice(start, to.length - kept));
  return changes.map(({ oldStart, oldEnd, newStart, newEnd }) => ({
    oldStart: oldStart + start,
    oldEnd: oldEnd + start,
    newStart: newStart + start,
    newEnd: newEnd + start,
  }));
}

/** Without the empty line at the end. Two lines are equal if git takes them as equal. */
function gitLines(lines: readonly string[], ignoreWhitespace: boolean): string[] {
  const isEnded = lines.at(-1) === '';
  const own = isEnded ? lines.slice(0, -1) : [...lines];
  if (own[0]?.startsWith('\ufeff') === true) own[0] = own[0].slice(1);
  // git's option -w ignores these characters, and a missing line break.
  if (ignoreWhitespace) return own.map((line) => line.replace(/[ \t\r]+/g, ''));
  const last = own.at(-1);
  if (last !== undefined && !isEnded) own[own.length - 1] = `${last}\n`;
  return own;
}
