/** Damages to the bytes of a file: drawn from a seed, applied, and reported exactly. */
import { type Bytes, printable } from '../../support/bytes';
import type { Prng } from '../random/prng';

/** Replaces the bytes from `at` to `end` by `bytes`. */
export interface Damage {
  kind: string;
  at: number;
  end: number;
  bytes: Bytes;
}

/** How the damaged file is written: over the old bytes, or by rename like git. */
export type Way = 'in place' | 'by rename';

/** Words with a meaning in text files of a git directory, and words close to them. */
const words: readonly Bytes[] = [
  ...[
    '\n',
    '\r',
    '\0',
    ' ',
    '\t',
    '\f',
    '\v',
    '#',
    '/',
    '.',
    '..',
    '..',
    '-',
    '!',
    '*',
    '"',
    '\\',
    '=',
    '\xff',
  ],
  ...[
    'ref: ',
    'ref: refs/heads/main\n',
    'refs/',
    'HEAD',
    '[core]\n',
    '[a',
    ']\n',
    'bare = true\n',
    '^',
    '# pack-refs',
  ],
  ...['0', 'f', 'g', '0'.repeat(40), 'f'.repeat(40), '0'.repeat(64), 'a', '\n\n', '100645', '40000 x\0'],
];

const numbers: readonly Bytes[] = [
  '\0\0\0\0',
  '\0\0\0\x01',
  '\0\0\x01\0',
  '\x7f\xff\xff\xff',
  '\x80\0\0\0',
  '\xff\xff\xff\xff',
];

function someBytes(prng: Prng): Bytes {
  if (prng.chance(60)) return prng.pick(words);
  return Array.from({ length: 1 + prng.below(24) }, () => String.fromCharCode(prng.below(256))).join('');
}

interface Kind {
  kind: string;
  weight: number;
  /** `size` is at least 1. */
  draw(prng: Prng, content: Bytes): Omit<Damage, 'kind'>;
}

/** Prefers headers and trailers, which hold most of a format. */
function place(prng: Prng, size: number): number {
  if (prng.chance(25)) return prng.below(Math.min(size, 32));
  if (prng.chance(20)) return size - 1 - prng.below(Math.min(size, 48));
  return prng.below(size);
}

const kinds: readonly Kind[] = [
  {
    kind: 'a bit flipped',
    weight: 8,
    draw: (prng, content) => {
      const at = place(prng, content.length);
      const flipped = content.charCodeAt(at) ^ (1 << prng.below(8));
      return { at, end: at + 1, bytes: String.fromCharCode(flipped) };
    },
  },
  {
    kind: 'a byte replaced',
    weight: 4,
    draw: (prng, content) => {
      const at = place(prng, content.length);
      return { at, end: at + 1, bytes: String.fromCharCode(prng.below(256)) };
    },
  },
  {
    kind: 'a number replaced',
    weight: 3,
    draw: (prng, content) => {
      const at = place(prng, content.length) & ~3;
      return { at, end: Math.min(at + 4, content.length), bytes: prng.pick(numbers) };
    },
  },
  {
    kind: 'bytes replaced',
    weight: 3,
    draw: (prng, content) => {
      const at = place(prng, content.length);
      const bytes = someBytes(prng);
      return { at, end: Math.min(at + bytes.length, content.length), bytes };
    },
  },
  {
    kind: 'bytes inserted',
    weight: 4,
    draw: (prng, content) => {
      const at = place(prng, content.length);
      return { at, end: at, bytes: someBytes(prng) };
    },
  },
  {
    kind: 'bytes behind the end',
    weight: 3,
    draw: (prng, { length }) => ({ at: length, end: length, bytes: someBytes(prng) }),
  },
  {
    kind: 'bytes cut out',
    weight: 3,
    draw: (prng, content) => {
      const at = place(prng, content.length);
      return { at, end: Math.min(at + 1 + prng.below(24), content.length), bytes: '' };
    },
  },
  {
    kind: 'the end cut off',
    weight: 4,
    draw: (prng, { length }) => ({ at: place(prng, length), end: length, bytes: '' }),
  },
  {
    kind: 'a part repeated',
    weight: 1,
    draw: (prng, content) => {
      const at = place(prng, content.length);
      return { at, end: at, bytes: content.slice(at, at + 1 + prng.below(64)) };
    },
  },
  { kind: 'emptied', weight: 1, draw: (_, { length }) => ({ at: 0, end: length, bytes: '' }) },
];

export const damageKinds: readonly string[] = kinds.map(({ kind }) => kind);

/** Undefined if the file would not change. */
export function drawDamage(prng: Prng, content: Bytes): Damage | undefined {
  if (content.length === 0) {
    return { kind: 'bytes behind the end', at: 0, end: 0, bytes: someBytes(prng) };
  }
  const { kind, draw } = prng.weighted(kinds);
  const damage = { kind, ...draw(prng, content) };
  return damaged(content, damage) === content ? undefined : damage;
}

export function damaged(content: Bytes, { at, end, bytes }: Damage): Bytes {
  return content.slice(0, at) + bytes + content.slice(end);
}

export function describeDamage(damage: Damage, content: Bytes): string {
  const { kind, at, end, bytes } = damage;
  const before = content.slice(at, end);
  const shown = (text: Bytes): string =>
    text.length > 80 ? `${text.length} bytes` : printable(text) || 'nothing';
  return `${kind}: ${shown(before)} at ${at} of ${content.length} bytes became ${shown(bytes)}`;
}
