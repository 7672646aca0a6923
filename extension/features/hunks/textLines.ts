/**
 * Text as bytes, split into the editor's lines: after "\r\n", "\n" and "\r". Each line includes its terminator. The
 * last line has none, and is empty if the text ends with a terminator. The joined lines are the same bytes again.
 */

/** Unit of a terminator: a byte, or 16 bits. */
export type Unit = 'byte' | 'utf16le' | 'utf16be';

export interface TextLines {
  readonly unit: Unit;
  /** Never empty. */
  readonly lines: readonly Buffer[];
}

/** Number of bytes that the editor searches for 16-bit units. */
const kLookedAt = 512;
const kCarriageReturn = 0x0d;
const kLineFeed = 0x0a;

/** Detects the unit like the editor: by a byte order mark, or by the positions of zero bytes. */
function unitOf(bytes: Uint8Array): Unit {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf16be';
  const head = bytes.subarray(0, kLookedAt);
  if (!head.includes(0)) return 'byte';
  const hasZeros = (odd: number) => head.every((byte, i) => (byte === 0) === (i % 2 === odd));
  if (hasZeros(1)) return 'utf16le';
  return hasZeros(0) ? 'utf16be' : 'byte';
}

/** The editor's lines of a decoded text, without their terminators. */
export function linesOf(text: string): string[] {
  return text.split(/\r\n|\n|\r/);
}

export function splitLines(bytes: Buffer): TextLines {
  const unit = unitOf(bytes);
  const size = unit === 'byte' ? 1 : 2;
  const lines: Buffer[] = [];
  let start = 0;
  for (let at = 0; at + size <= bytes.length;) {
    const code = codeAt(bytes, at, unit);
    at += size;
    if (code !== kLineFeed && code !== kCarriageReturn) continue;
    if (code === kCarriageReturn && at + size <= bytes.length && codeAt(bytes, at, unit) === kLineFeed) {
      at += size;
    }
    lines.push(bytes.subarray(start, at));
    start = at;
  }
  lines.push(bytes.subarray(start));
  return { unit, lines };
}

function codeAt(bytes: Buffer, at: number, unit: Unit): number {
  if (unit === 'byte') return bytes[at] ?? 0;
  return unit === 'utf16le' ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at);
}

/** The terminator of the line; empty for a last line. */
export function terminatorOf(line: Buffer, unit: Unit): Buffer {
  return line.subarray(line.length - terminatorLength(line, unit));
}

export function withoutTerminator(line: Buffer, unit: Unit): Buffer {
  return line.subarray(0, line.length - terminatorLength(line, unit));
}

function terminatorLength(line: Buffer, unit: Unit): number {
  const size = unit === 'byte' ? 1 : 2;
  if (line.length < size) return 0;
  const last = codeAt(line, line.length - size, unit);
  if (last === kCarriageReturn) return size;
  if (last !== kLineFeed) return 0;
  const hasReturn = line.length >= 2 * size && codeAt(line, line.length - 2 * size, unit) === kCarriageReturn;
  return hasReturn ? 2 * size : size;
}

/**
 * The line without its terminator, white space at its ends and a byte order mark. The editor may ignore them in a
 * diff.
 */
export function trimmed(line: Buffer, unit: Unit): string {
  return line
    .toString('latin1')
    .replace(unit === 'byte' ? /^\xef\xbb\xbf/ : /^(\xff\xfe|\xfe\xff)/, '')
    .replace(unit === 'byte' ? /^[\0-\x20]+|[\0-\x20]+$/g : kBlank16[unit], '');
}

const kBlank16 = {
  utf16le: /^(?:[\0-\x20]\0)+|(?:[\0-\x20]\0)+$/g,
  utf16be: /^(?:\0[\0-\x20])+|(?:\0[\0-\x20])+$/g,
} as const;
