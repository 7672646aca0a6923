/**
 * The commits of one subject, filled page by page.
 *
 * Invariants:
 *  - At most one read is under way. Another subject or `clear` cancels it.
 *  - Commits keep their places while pages are added. A refresh replaces them only when its own list is complete.
 */
import { Emitter } from '../../model/Emitter';
import { HistoryReader, PageEnd } from './HistoryReader';
import { HistoryCommit, isSameSubject, Subject } from './plan';

export const kPage = 50;

export class HistoryList {
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;

  private current: Subject | undefined;
  private shown: HistoryCommit[] = [];
  private end: PageEnd | undefined;
  private reading: { abort: AbortController; done: Promise<void> } | undefined;

  constructor(private readonly reader: HistoryReader) {}

  get subject(): Subject | undefined {
    return this.current;
  }
  get commits(): readonly HistoryCommit[] {
    return this.shown;
  }
  get isReading(): boolean {
    return this.reading !== undefined;
  }
  /** True if the last read has ended by itself. */
  get isRead(): boolean {
    return this.end !== undefined;
  }
  /** True if the history may have more commits. */
  get hasMore(): boolean {
    return this.end === 'full';
  }
  /** Why the last read failed. */
  get failure(): string | undefined {
    return typeof this.end === 'object' ? this.end.failed : undefined;
  }
  /** True if the whole history was read, and has no commit. */
  get isEmpty(): boolean {
    return this.end === 'end' && this.shown.length === 0;
  }
  /** Settles when the read under way ends. */
  get done(): Promise<void> {
    return this.reading?.done ?? Promise.resolve();
  }

  /** Reads another subject from the top; or the same one with as many commits as are shown. */
  open(subject: Subject): void {
    const isSame = this.current !== undefined && isSameSubject(this.current, subject);
    const count = isSame ? Math.max(kPage, Math.ceil(this.shown.length / kPage) * kPage) : kPage;
    this.current = subject;
    if (!isSame) this.shown = [];
    this.start(subject, 0, count, isSame && this.shown.length > 0);
  }

  more(): void {
    if (this.current === undefined || this.isReading || !this.hasMore) return;
    this.start(this.current, this.shown.length, kPage, false);
  }

  clear(): void {
    this.stop();
    this.current = undefined;
    this.shown = [];
    this.end = undefined;
    this.changed.fire();
  }

  /** Cancels the read under way. The commits stay. */
  stop(): void {
    this.reading?.abort.abort();
    this.reading = undefined;
  }

  /** `isLate`: shows the commits only when all are there. */
  private start(subject: Subject, skipped: number, count: number, isLate: boolean): void {
    this.stop();
    this.end = undefined;
    const abort = new AbortController();
    const own = { abort, done: Promise.resolve() };
    this.reading = own;
    const late: HistoryCommit[] = [];
    const report = (commits: HistoryCommit[]) => {
      if (abort.signal.aborted) return;
      (isLate ? late : this.shown).push(...commits);
      if (!isLate) this.changed.fire();
    };
    const page = { skipped, after: this.shown[skipped - 1]?.oid, count };
    own.done = this.reader.read(subject, page, report, abort.signal).then((end) => {
      if (this.reading !== own) return;
      this.reading = undefined;
      if (end === 'moved') {
        this.start(subject, 0, this.shown.length + kPage, true);
        return this.done;
      }
      if (isLate && typeof end !== 'object') this.shown = late;
      this.end = end;
      this.changed.fire();
      return undefined;
    });
    this.changed.fire();
  }
}
