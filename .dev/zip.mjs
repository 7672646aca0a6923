/**
 * Reads a ZIP file as vsce writes it: no encryption, no ZIP64 (APPNOTE.TXT 4.3). For our own checks; throws on
 * anything else.
 */
import fs from 'node:fs';
import zlib from 'node:zlib';

const kEndOfDirectory = 0x06054b50;
const kDirectoryEntry = 0x02014b50;
const kEndSize = 22;

/** [{ name, mode, size, read() }] in the order of the central directory. `mode` holds Unix permission bits. */
export function readZip(file) {
  const data = fs.readFileSync(file);
  let end = data.length - kEndSize;
  while (end >= 0 && data.readUInt32LE(end) !== kEndOfDirectory) end -= 1;
  if (end < 0) throw new Error(`${file}: the ZIP directory is missing`);
  const entries = [];
  let at = data.readUInt32LE(end + 16);
  for (let left = data.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (data.readUInt32LE(at) !== kDirectoryEntry) throw new Error(`${file}: the ZIP directory is damaged`);
    const method = data.readUInt16LE(at + 10);
    const packedSize = data.readUInt32LE(at + 20);
    const nameLength = data.readUInt16LE(at + 28);
    const header = data.readUInt32LE(at + 42);
    entries.push({
      name: data.toString('utf8', at + 46, at + 46 + nameLength),
      mode: (data.readUInt32LE(at + 38) >>> 16) & 0o777,
      size: data.readUInt32LE(at + 24),
      read() {
        const start = header + 30 + data.readUInt16LE(header + 26) + data.readUInt16LE(header + 28);
        const packed = data.subarray(start, start + packedSize);
        return method === 0 ? packed : zlib.inflateRawSync(packed);
      },
    });
    at += 46 + nameLength + data.readUInt16LE(at + 30) + data.readUInt16LE(at + 32);
  }
  return entries;
}
