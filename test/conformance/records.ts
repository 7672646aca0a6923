/** `git status --porcelain=v2 -z` as a list of records, and a readable difference of two such lists. */
import { type Bytes, fromBuffer, printable } from '../support/bytes';

/** One record per element. The source path of a rename stays in its record, after a NUL. */
export function splitRecords(output: Buffer): Bytes[] {
  const fields = fromBuffer(output).split('\0');
  const unterminated = fields.pop();
  const records: Bytes[] = [];
  for (let i = 0; i < fields.length; i++) {
    const field = fields[i] ?? '';
    const source = field.startsWith('2 ') ? fields[++i] : undefined;
    records.push(source === undefined ? field : `${field}\0${source}`);
  }
  if (unterminated) records.push(unterminated);
  return records;
}

export function showRecord(record: Bytes): string {
  return record.split('\0').map(printable).join(' <- ');
}

/** Lines of "  same", "- only expected", "+ only actual"; long runs of equal lines are shortened. */
export function diffRecords(expected: readonly Bytes[], actual: readonly Bytes[]): string {
  const lines: string[] = [];
  const context = 2;
  let same: Bytes[] = [];
  const flush = (last: boolean): void => {
    const head = lines.length === 0 ? 0 : context;
    const tail = last ? 0 : context;
    if (same.length > head + tail + 1) {
      const cut = same.length - head - tail;
      const shown = same.map((record) => `  ${showRecord(record)}`);
      lines.push(...shown.slice(0, head), `  ... ${cut} equal records`, ...shown.slice(shown.length - tail));
    } else {
      lines.push(...same.map((record) => `  ${showRecord(record)}`));
    }
    same = [];
  };
  for (const { side, record } of align(expected, actual)) {
    if (side === ' ') {
      same.push(record);
    } else {
      flush(false);
      lines.push(`${side} ${showRecord(record)}`);
    }
  }
  flush(true);
  return lines.join('\n');
}

interface Aligned {
  side: ' ' | '-' | '+';
  record: Bytes;
}

/** A longest common subsequence, after equal heads and tails are removed. */
function align(expected: readonly Bytes[], actual: readonly Bytes[]): Aligned[] {
  let head = 0;
  while (head < expected.length && head < actual.length && expected[head] === actual[head]) head++;
  let tail = 0;
  while (
    tail < expected.length - head &&
    tail < actual.length - head &&
    expected[expected.length - 1 - tail] === actual[actual.length - 1 - tail]
  ) {
    tail++;
  }
  const left = expected.slice(head, expected.length - tail);
  const right = actual.slice(head, actual.length - tail);
  const lengths = Array.from({ length: left.length + 1 }, () => new Uint32Array(right.length + 1));
  const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  for (let i = left.length - 1; i >= 0; i--) {
    const row = lengths[i];
    if (!row) continue;
    for (let j = right.length - 1; j >= 0; j--) {
      row[j] = left[i] === right[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const middle: Aligned[] = [];
  let i = 0;
  let j = 0;
  while (i < left.length || j < right.length) {
    const [l, r] = [left[i], right[j]];
    if (l !== undefined && l === r) {
      middle.push({ side: ' ', record: l });
      i++;
      j++;
    } else if (l !== undefined && (r === undefined || at(i + 1, j) >= at(i, j + 1))) {
      middle.push({ side: '-', record: l });
      i++;
    } else if (r !== undefined) {
      middle.push({ side: '+', record: r });
      j++;
    }
  }
  const equal = (record: Bytes): Aligned => ({ side: ' ', record });
  return [
    ...expected.slice(0, head).map(equal),
    ...middle,
    ...expected.slice(expected.length - tail).map(equal),
  ];
}
