/**
 * Parses the output of `logCommand` while it arrives. A commit is reported as soon as its own bytes are complete: the
 * next commit may be seconds away.
 *
 * Contents of files and messages of commits are texts of strangers. The mark is random, so no text can contain it. The
 * buffered bytes are bounded.
 */
import { textOf } from '../../git/outputText';
import { fromBytes } from '../../model/repoPath';
import { FileChange, HistoryCommit, kFieldCount, Subject } from './plan';

/** Limit for the fields of a commit, and for the start of its change. Larger ones are skipped. */
const kMaxBytes = 1 << 20;

export class LogParser {
  private readonly mark: Buffer;
  private bytes: Buffer = Buffer.alloc(0);
  /** Its fields are complete; its change is awaited. */
  private commit: HistoryCommit | undefined;
  private isInCommit = false;

  constructor(
    mark: string,
    private readonly kind: Subject['kind'],
    private readonly report: (commit: HistoryCommit) => void,
  ) {
    this.mark = Buffer.from(mark);
  }

  add(chunk: Buffer): void {
    this.bytes = this.bytes.length === 0 ? chunk : Buffer.concat([this.bytes, chunk]);
    while (this.step());
  }

  /** git has ended by itself: no more bytes belong to the last commit. */
  end(): void {
    this.finish(undefined);
  }

  /** False: more bytes are needed. */
  private step(): boolean {
    if (this.commit !== undefined) return this.readChange(this.commit);
    return this.isInCommit ? this.readFields() : this.findMark();
  }

  private findMark(): boolean {
    const at = this.bytes.indexOf(this.mark);
    this.isInCommit = at >= 0;
    // The end of the bytes can be the start of a mark.
    const used = at >= 0 ? at + this.mark.length : this.bytes.length - this.mark.length + 1;
    if (used > 0) this.bytes = this.bytes.subarray(used);
    return this.isInCommit;
  }

  private readFields(): boolean {
    const fields: string[] = [];
    let at = 0;
    while (fields.length < kFieldCount) {
      const end = this.bytes.indexOf(0, at);
      if (end < 0) {
        this.isInCommit = this.bytes.length <= kMaxBytes;
        return !this.isInCommit;
      }
      fields.push(textOf(this.bytes.subarray(at, end)));
      at = end + 1;
    }
    this.bytes = this.bytes.subarray(at);
    this.isInCommit = false;
    const commit = commitOf(fields);
    if (commit === undefined) return true;
    this.commit = commit;
    // git shows a change of lines only against a single parent.
    const hasNoChange = this.kind === 'folder' || (this.kind === 'lines' && commit.parents.length > 1);
    if (hasNoChange) this.finish(undefined);
    return true;
  }

  private readChange(commit: HistoryCommit): boolean {
    const next = this.bytes.indexOf(this.mark);
    const own = next < 0 ? this.bytes : this.bytes.subarray(0, next);
    const found = this.kind === 'file' ? rawChange(own) : lineChange(own);
    if (found === undefined && next < 0 && own.length <= kMaxBytes) return false;
    this.commit = commit;
    this.finish(found);
    return true;
  }

  private finish(file: FileChange | undefined): void {
    const { commit } = this;
    this.commit = undefined;
    if (commit !== undefined) this.report(file === undefined ? commit : { ...commit, file });
  }
}

function commitOf(fields: readonly string[]): HistoryCommit | undefined {
  const [oid = '', parents = '', date = '', author = '', email = '', subject = ''] = fields;
  if (!/^[0-9a-f]{40,64}$/.test(oid)) return undefined;
  return {
    oid,
    parents: parents === '' ? [] : parents.split(' '),
    date: Number(date) || 0,
    author: author.trimEnd(),
    email: email.trimEnd(),
    subject: subject.trimEnd(),
  };
}

/** The first entry in git's raw format (git's Documentation/diff-format.txt). Undefined: it is not complete. */
function rawChange(bytes: Buffer): FileChange | undefined {
  const start = bytes.indexOf(':');
  const headEnd = start < 0 ? -1 : bytes.indexOf(0, start);
  if (headEnd < 0) return undefined;
  const head = bytes.toString('latin1', start, headEnd);
  const [leftMode = '', rightMode = '', left = '', right = '', letter = ''] =
    /^:(\d+) (\d+) ([0-9a-f]+) ([0-9a-f]+) ([A-Z])/.exec(head)?.slice(1) ?? [];
  const firstEnd = bytes.indexOf(0, headEnd + 1);
  if (firstEnd < 0) return undefined;
  const first = fromBytes(bytes.subarray(headEnd + 1, firstEnd));
  const objects = { leftMode, left, rightMode, right };
  if (letter !== 'R' && letter !== 'C') {
    return { path: first, from: letter === 'A' ? undefined : first, objects };
  }
  const secondEnd = bytes.indexOf(0, firstEnd + 1);
  if (secondEnd < 0) return undefined;
  return { path: fromBytes(bytes.subarray(firstEnd + 1, secondEnd)), from: first, objects };
}

/** The names and the first hunk of a patch. Undefined: they are not complete. */
function lineChange(bytes: Buffer): FileChange | undefined {
  const hunk = bytes.indexOf('\n@@ ');
  const hunkEnd = hunk < 0 ? -1 : bytes.indexOf('\n', hunk + 1);
  if (hunkEnd < 0) return undefined;
  const lines = fromBytes(bytes.subarray(0, hunkEnd)).split('\n');
  const nameAfter = (prefix: string) => {
    const line = lines.find((each) => each.startsWith(prefix));
    return line === undefined ? undefined : nameIn(line.slice(prefix.length));
  };
  const [from, path] = [nameAfter('--- '), nameAfter('+++ ')];
  if (path === undefined) return undefined;
  const start = /^@@ -\S+ \+(\d+)/.exec(lines.at(-1) ?? '')?.[1];
  return { path, from, ...(start !== undefined && { line: Math.max(0, Number(start) - 1) }) };
}

const kEscapes: Readonly<Record<string, string>> = {
  ...{ a: '\x07', b: '\b', t: '\t', n: '\n', v: '\v', f: '\f', r: '\r' },
  ...{ '"': '"', '\\': '\\' },
};

/** The path in a line of a patch. Undefined for /dev/null. git quotes names with control characters or quotes. */
function nameIn(text: string): string | undefined {
  if (text === '/dev/null') return undefined;
  const quoted = /^"(.*)"$/.exec(text)?.[1];
  if (quoted === undefined) return text.replace(/\t$/, '').slice('a/'.length);
  const unquoted = quoted.replace(/\\([0-3][0-7]{2}|.)/g, (_, code: string) =>
    code.length === 3 ? String.fromCharCode(parseInt(code, 8)) : (kEscapes[code] ?? code),
  );
  return unquoted.slice('a/'.length);
}
