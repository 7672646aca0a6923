/** Joins PNG pictures of one size to an animated PNG, which browsers and VS Code show (the APNG chunks of the PNG standard). */
import { crc32 } from 'node:zlib';

export interface Frame {
  png: Buffer;
  /** How long it is shown, in milliseconds. */
  ms: number;
}

interface Chunk {
  type: string;
  data: Buffer;
}

const kSignatureBytes = 8;

function chunksOf(png: Buffer): Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = kSignatureBytes; at < png.length;) {
    const length = png.readUInt32BE(at);
    chunks.push({
      type: png.toString('latin1', at + 4, at + 8),
      data: png.subarray(at + 8, at + 8 + length),
    });
    at += length + 12;
  }
  return chunks;
}

function encoded({ type, data }: Chunk): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, sum]);
}

function uint32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => bytes.writeUInt32BE(value, index * 4));
  return bytes;
}

/** It runs again and again. */
export function animated(frames: readonly Frame[]): Buffer {
  const [first] = frames;
  if (first === undefined) throw new Error('an animation needs a frame');
  const chunks = chunksOf(first.png);
  const header = chunks.find(({ type }) => type === 'IHDR');
  if (header === undefined) throw new Error('no PNG');
  const size = header.data.subarray(0, 8);
  let sequence = 0;
  const body = frames.flatMap(({ png, ms }, index): Chunk[] => {
    const delay = Buffer.alloc(6);
    delay.writeUInt16BE(ms, 0);
    delay.writeUInt16BE(1000, 2);
    const control = Buffer.concat([uint32(sequence++), size, uint32(0, 0), delay]);
    const parts = chunksOf(png).filter(({ type }) => type === 'IDAT');
    const pixels = parts.map(({ data }) =>
      index === 0
        ? { type: 'IDAT', data }
        : { type: 'fdAT', data: Buffer.concat([uint32(sequence++), data]) },
    );
    return [{ type: 'fcTL', data: control }, ...pixels];
  });
  const all = [
    header,
    { type: 'acTL', data: uint32(frames.length, 0) },
    ...body,
    { type: 'IEND', data: Buffer.alloc(0) },
  ];
  return Buffer.concat([first.png.subarray(0, kSignatureBytes), ...all.map(encoded)]);
}
