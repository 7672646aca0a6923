/** git's conflict markers in a file: finds them, and replaces each conflict by one side, or by both. */
import { splitLines, TextLines, Unit, withoutTerminator } from '../hunks/textLines';

export type ConflictSide = 'current' | 'incoming' | 'both';

/** Lines of the markers of one conflict. Without a base section, `base` equals `middle`. */
interface Conflict {
  start: number;
  base: number;
  middle: number;
  end: number;
}

/** Number of signs in a marker, unless the attribute `conflict-marker-size` sets another number. */
export const kMarkerSize = 7;

/** Requires a start and an end marker: a line of seven `=` alone is an underlined heading. */
export function hasConflictMarkers(content: Uint8Array, size = kMarkerSize): boolean {
  const markers = markersOf(linesOf(content), size);
  return markers.some(({ sign }) => sign === '<') && markers.some(({ sign }) => sign === '>');
}

/** Undefined: no markers, or incomplete conflicts. The bytes outside of conflicts stay the same. */
export function withoutConflicts(
  content: Uint8Array,
  side: ConflictSide,
  size = kMarkerSize,
): Buffer | undefined {
  const text = linesOf(content);
  const conflicts = conflictsOf(markersOf(text, size));
  if (conflicts === undefined || conflicts.length === 0) return undefined;
  const parts: Buffer[] = [];
  // The byte order mark of 16-bit units precedes a marker on the first line, and is not part of it.
  if (text.unit !== 'byte' && conflicts[0]?.start === 0) parts.push(byteOrderMark(text));
  let at = 0;
  for (const { start, base, middle, end } of conflicts) {
    parts.push(...text.lines.slice(at, start));
    if (side !== 'incoming') parts.push(...text.lines.slice(start + 1, base));
    if (side !== 'current') parts.push(...text.lines.slice(middle + 1, end));
    at = end + 1;
  }
  parts.push(...text.lines.slice(at));
  return Buffer.concat(parts);
}

function byteOrderMark({ lines: [first = Buffer.alloc(0)], unit }: TextLines): Buffer {
  const hasMark = first.readUInt16LE(0) === (unit === 'utf16le' ? 0xfeff : 0xfffe);
  return first.subarray(0, hasMark ? 2 : 0);
}

function linesOf(content: Uint8Array): TextLines {
  return splitLines(Buffer.from(content.buffer, content.byteOffset, content.byteLength));
}

interface Marker {
  sign: string;
  line: number;
}

/** Conflicts inside a base section have longer markers. */
function markersOf({ lines, unit }: TextLines, size: number): Marker[] {
  const pattern = new RegExp(`^([<|=>])\\1{${size - 1}}(?: |$)`);
  return lines.flatMap((text, line) => {
    const sign = pattern.exec(textOf(text, unit))?.[1];
    return sign === undefined ? [] : [{ sign, line }];
  });
}

function textOf(line: Buffer, unit: Unit): string {
  const text = withoutTerminator(line, unit);
  if (unit === 'byte') return text.toString('latin1');
  return (unit === 'utf16le' ? text : Buffer.from(text).swap16()).toString('utf16le').replace(/^\ufeff/, '');
}

/** Undefined: a conflict does not end, or a line of a side looks like a marker. The real marker is then unknown. */
function conflictsOf(markers: readonly Marker[]): Conflict[] | undefined {
  const conflicts: Conflict[] = [];
  let open: { start: number; base?: number; middle?: number } | undefined;
  for (const { sign, line } of markers) {
    if (open === undefined) {
      if (sign === '<') open = { start: line };
      else if (sign === '>') return undefined;
    } else if (sign === '<') return undefined;
    else if (sign === '|' && open.middle === undefined) {
      if (open.base !== undefined) return undefined;
      open.base = line;
    } else if (sign === '=') {
      if (open.middle !== undefined) return undefined;
      open.middle = line;
    } else if (sign === '>') {
      const { start, middle } = open;
      if (middle === undefined) return undefined;
      conflicts.push({ start, base: open.base ?? middle, middle, end: line });
      open = undefined;
    }
  }
  return open === undefined ? conflicts : undefined;
}
