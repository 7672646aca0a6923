/**
 * Parses the output of `git blame --incremental` while it arrives. Its format: "Incremental Output" in git's
 * Documentation/git-blame.txt. git describes a commit only in the first record that names it. Throws on any other
 * output.
 */

export interface BlameCommit {
  hash: string;
  authorName: string;
  authorEmail: string;
  /** In seconds since 1970. */
  authorDate: number;
  /** The first paragraph of the message, in one line. */
  subject: string;
}

/** Lines [start, end) of the blamed version, counted from 0. */
export interface BlameRange {
  start: number;
  end: number;
  commit: BlameCommit;
}

/** Limit for one line of the output, in bytes. */
const kLongestLine = 1 << 20;
const kLineFeed = 0x0a;

export class IncrementalParser {
  private readonly commits = new Map<string, BlameCommit>();
  /** The last line, still without its end. */
  private rest: Buffer = Buffer.alloc(0);
  private record: BlameRange | undefined;

  constructor(
    private readonly mostLines: number,
    private readonly onRange: (range: BlameRange) => void,
  ) {}

  push(chunk: Buffer): void {
    const bytes = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    let start = 0;
    for (let end = bytes.indexOf(kLineFeed); end >= 0; end = bytes.indexOf(kLineFeed, start)) {
      this.line(bytes.toString('utf8', start, end));
      start = end + 1;
    }
    // A copy: the chunk's memory may belong to a pool.
    this.rest = Buffer.from(bytes.subarray(start));
    if (this.rest.length > kLongestLine) throw unexpected(this.rest.toString('utf8', 0, 40));
  }

  /** Call at the end of the output. Throws if a record is cut off. */
  end(): void {
    if (this.rest.length > 0 || this.record !== undefined) throw unexpected('the end');
  }

  private line(line: string): void {
    const { record } = this;
    if (record === undefined) {
      this.record = this.begin(line);
      return;
    }
    const space = line.indexOf(' ');
    const value = space < 0 ? '' : line.slice(space + 1);
    switch (space < 0 ? line : line.slice(0, space)) {
      case 'author':
        record.commit.authorName = value;
        break;
      case 'author-mail':
        record.commit.authorEmail = value.replace(/^<|>$/g, '');
        break;
      case 'author-time':
        record.commit.authorDate = Number.isSafeInteger(Number(value)) ? Number(value) : 0;
        break;
      case 'summary':
        record.commit.subject = value;
        break;
      case 'filename':
        this.record = undefined;
        this.onRange(record);
        break;
    }
  }

  private begin(line: string): BlameRange {
    const match = /^([0-9a-f]{40}|[0-9a-f]{64}) \d+ (\d+) (\d+)$/.exec(line);
    const [hash = '', first, count] = match?.slice(1) ?? [];
    const start = Number(first) - 1;
    const end = start + Number(count);
    // Also refuses a missing match, because NaN fails each comparison.
    if (!(start >= 0 && end > start && end <= this.mostLines)) throw unexpected(line);
    const commit = this.commits.get(hash) ?? {
      hash,
      authorName: '',
      authorEmail: '',
      authorDate: 0,
      subject: '',
    };
    this.commits.set(hash, commit);
    return { start, end, commit };
  }
}

function unexpected(what: string): Error {
  return new Error(`unexpected output of git blame: ${what.slice(0, 80)}`);
}
