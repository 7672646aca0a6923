/**
 * Paths of a repository in three forms: bytes (for git and the disk), `RepoPath` (text that carries the bytes, see
 * protocol.ts) and display text. No function here throws on any string.
 */
import { RepoPath } from '../protocol';

const kLoneSurrogate = /\p{Cs}/u;
const kNeedsEscape = /[\p{Cs}\p{Cc}]/u;
const kEscaped = /[\p{Cs}\p{Cc}]/gu;
const kNamedControls: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
};

/** The bytes of `path`. A lone surrogate that carries no byte becomes U+FFFD; the helper never sends one. */
export function toBytes(path: RepoPath): Buffer {
  if (!kLoneSurrogate.test(path)) return Buffer.from(path, 'utf8');
  const parts: Buffer[] = [];
  let start = 0;
  for (let i = 0; i < path.length;) {
    const code = path.codePointAt(i) ?? 0;
    if (code >= 0xdc80 && code <= 0xdcff) {
      if (i > start) parts.push(Buffer.from(path.slice(start, i), 'utf8'));
      parts.push(Buffer.from([code - 0xdc00]));
      start = i + 1;
    }
    i += code > 0xffff ? 2 : 1;
  }
  parts.push(Buffer.from(path.slice(start), 'utf8'));
  return Buffer.concat(parts);
}

/** The text that carries `bytes`. `toBytes` inverts it. */
export function fromBytes(bytes: Uint8Array): RepoPath {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let text = '';
  let start = 0;
  for (let i = 0; i < buffer.length;) {
    const length = validSequenceLength(buffer, i);
    if (length > 0) {
      i += length;
      continue;
    }
    text += buffer.toString('utf8', start, i) + String.fromCharCode(0xdc00 + (buffer[i] ?? 0));
    i += 1;
    start = i;
  }
  return text + buffer.toString('utf8', start);
}

/** Length of the well-formed UTF-8 sequence (Unicode table 3-7) at `at`; 0 where there is none. */
function validSequenceLength(bytes: Buffer, at: number): number {
  const lead = bytes[at] ?? 0;
  if (lead < 0x80) return 1;
  const continues = (offset: number, low = 0x80, high = 0xbf) => {
    const byte = bytes[at + offset];
    return byte !== undefined && byte >= low && byte <= high;
  };
  if (lead >= 0xc2 && lead <= 0xdf) return continues(1) ? 2 : 0;
  if (lead >= 0xe0 && lead <= 0xef) {
    const second = continues(1, lead === 0xe0 ? 0xa0 : 0x80, lead === 0xed ? 0x9f : 0xbf);
    return second && continues(2) ? 3 : 0;
  }
  if (lead >= 0xf0 && lead <= 0xf4) {
    const second = continues(1, lead === 0xf0 ? 0x90 : 0x80, lead === 0xf4 ? 0x8f : 0xbf);
    return second && continues(2) && continues(3) ? 4 : 0;
  }
  return 0;
}

/** True if the path is valid text. A `vscode.Uri` of scheme `file` can name only such a path. */
export function isText(path: RepoPath): boolean {
  return !kLoneSurrogate.test(path);
}

/** The path for a human. Invalid bytes and control characters are escaped like in git (`\377`, `\n`). */
export function toDisplay(path: RepoPath): string {
  if (!kNeedsEscape.test(path)) return path;
  return path.replace(kEscaped, (character) => {
    const named = kNamedControls[character];
    if (named !== undefined) return named;
    const code = character.charCodeAt(0);
    if (code < 0x80) return octal(code);
    if (code < 0xa0) return [...Buffer.from(character, 'utf8')].map(octal).join('');
    return code >= 0xdc80 && code <= 0xdcff ? octal(code - 0xdc00) : '\ufffd';
  });
}

function octal(byte: number): string {
  return '\\' + byte.toString(8).padStart(3, '0');
}

/** The path's bytes, percent-encoded: pure ASCII, safe in any part of a URI. */
export function toPercent(path: RepoPath): string {
  let text = '';
  for (const byte of toBytes(path)) {
    const character = String.fromCharCode(byte);
    text += /[A-Za-z0-9/._~-]/.test(character)
      ? character
      : '%' + byte.toString(16).padStart(2, '0').toUpperCase();
  }
  return text;
}

/** Inverts `toPercent`. A '%' that begins no escape stays a '%'. */
export function fromPercent(text: string): RepoPath {
  const bytes: number[] = [];
  const input = Buffer.from(text, 'utf8');
  for (let i = 0; i < input.length; i++) {
    const escape = input.toString('latin1', i, i + 3);
    if (/^%[0-9A-Fa-f]{2}$/.test(escape)) {
      bytes.push(parseInt(escape.slice(1), 16));
      i += 2;
    } else {
      bytes.push(input[i] ?? 0);
    }
  }
  return fromBytes(Uint8Array.from(bytes));
}

/** The part after the last '/'. A trailing '/' is ignored. */
export function basename(path: RepoPath): string {
  const end = path.endsWith('/') ? path.length - 1 : path.length;
  return path.slice(path.lastIndexOf('/', end - 1) + 1, end);
}

/** The path of `child` relative to `parent`; '' for `parent` itself. Undefined: `child` is not below `parent`. */
export function relativeTo(parent: string, child: string): string | undefined {
  const base = parent.endsWith('/') ? parent.slice(0, -1) : parent;
  if (child === base || child === parent) return '';
  return child.startsWith(base + '/') ? child.slice(base.length + 1) : undefined;
}

/** `relative` below `parent`; `parent` itself for ''. */
export function join(parent: string, relative: string): string {
  if (relative === '') return parent;
  return parent.endsWith('/') ? parent + relative : `${parent}/${relative}`;
}
