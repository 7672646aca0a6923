/**
 * Paths and contents are bytes. In `Bytes`, each character is one byte (latin1). Paths can be joined,
 * compared and used as keys, and contain any byte. `utf8` converts a text with characters beyond ASCII to
 * `Bytes`.
 */
export type Bytes = string;

export function utf8(text: string): Bytes {
  return Buffer.from(text, 'utf8').toString('latin1');
}

export function toBuffer(bytes: Bytes): Buffer {
  return Buffer.from(bytes, 'latin1');
}

export function fromBuffer(buffer: Buffer): Bytes {
  return buffer.toString('latin1');
}

/** True if the bytes are valid UTF-8, and so can be a process argument. */
export function isUtf8(bytes: Bytes): boolean {
  const buffer = toBuffer(bytes);
  return Buffer.from(buffer.toString('utf8'), 'utf8').equals(buffer);
}

/** The text whose UTF-8 form is these bytes. */
export function toText(bytes: Bytes): string {
  return toBuffer(bytes).toString('utf8');
}

function escapeByte(code: number): string {
  return '\\' + code.toString(8).padStart(3, '0');
}

/** One printable line: bytes outside printable ASCII appear as backslash and three octal digits. */
export function printable(bytes: Bytes): string {
  return bytes.replace(/[^\x20-\x5b\x5d-\x7e]/g, (byte) => escapeByte(byte.charCodeAt(0)));
}

/** A word that bash reads back as these bytes. */
export function shellWord(bytes: Bytes): string {
  if (/^[\w@%+=:,./^~-]+$/.test(bytes) && !bytes.startsWith('~')) return bytes;
  if (/^[\x20-\x7e]*$/.test(bytes)) return `'${bytes.replaceAll("'", `'\\''`)}'`;
  return `$'${printable(bytes).replaceAll("'", `\\'`)}'`;
}

/** A format for printf(1) that prints these bytes, NUL included. */
export function shellFormat(bytes: Bytes): string {
  return `'${printable(bytes).replaceAll('%', '%%').replaceAll("'", '\\047')}'`;
}
