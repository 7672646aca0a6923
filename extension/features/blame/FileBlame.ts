/**
 * The blame of one version of a file, which grows while git runs. Does not know `vscode`.
 *
 * The committed text has editor lines and git lines. They differ if the text has carriage returns alone, or 16-bit
 * units: git ends a line at each line feed byte.
 */
import { linesOf, splitLines } from '../hunks/textLines';
import { BlameEnd, BlameQuestion } from './git';
import { BlameCommit, BlameRange } from './incremental';

export type Decode = (bytes: Buffer) => Promise<string | undefined>;

export interface CommittedText {
  /** The editor's lines. */
  readonly lines: readonly string[];
  /** For each of them, the line of git; undefined: the same. */
  readonly gitLines: Int32Array | undefined;
}

/** Begins the text in place of a large file's content. */
const kPointer = 'version https://git-lfs.github.com/spec/';
const kLineFeed = 0x0a;

export class FileBlame {
  /** Undefined while git runs, or has not started. */
  end: BlameEnd | undefined;
  private bytes: Buffer | undefined;
  private readonly commits: (BlameCommit | undefined)[] = [];
  private readonly texts = new Map<string, Promise<CommittedText | undefined>>();

  constructor(
    readonly root: string,
    readonly question: BlameQuestion,
  ) {}

  /** An estimate, in bytes. */
  get size(): number {
    return 3 * (this.bytes?.length ?? 0) + 8 * this.commits.length;
  }

  get hasText(): boolean {
    return this.bytes !== undefined;
  }

  take(ranges: readonly BlameRange[]): void {
    for (const { start, end, commit } of ranges)
      for (let line = start; line < end; line++) this.commits[line] = commit;
  }

  takeText(bytes: Buffer): void {
    this.bytes = bytes;
  }

  /** `line`: a line of git. Undefined: git has not answered for it yet, or has no such line. */
  commitOf(line: number): BlameCommit | undefined {
    return this.commits[line];
  }

  /** Undefined: there is no text yet, or it cannot be compared with the file. `encoding`: of `decode`. */
  textIn(encoding: string, decode: Decode): Promise<CommittedText | undefined> {
    const { bytes } = this;
    if (bytes === undefined) return Promise.resolve(undefined);
    const known = this.texts.get(encoding);
    if (known !== undefined) return known;
    const text = decodeText(bytes, decode);
    this.texts.set(encoding, text);
    return text;
  }
}

async function decodeText(bytes: Buffer, decode: Decode): Promise<CommittedText | undefined> {
  if (bytes.toString('latin1', 0, kPointer.length) === kPointer) return undefined;
  const text = await decode(bytes);
  if (text === undefined) return undefined;
  const lines = linesOf(text);
  const { unit, lines: raw } = splitLines(bytes);
  if (raw.length !== lines.length) return undefined;
  const isSame = unit === 'byte' && raw.every((line, i) => i === raw.length - 1 || line.at(-1) === kLineFeed);
  return { lines, gitLines: isSame ? undefined : gitLinesOf(raw) };
}

/** Also for a line that begins in the middle of a git line: after a carriage return, or the second half of a unit. */
function gitLinesOf(lines: readonly Buffer[]): Int32Array {
  const numbers = new Int32Array(lines.length);
  let count = 0;
  lines.forEach((line, i) => {
    numbers[i] = count;
    for (let at = line.indexOf(kLineFeed); at >= 0; at = line.indexOf(kLineFeed, at + 1)) count++;
  });
  return numbers;
}
