/** Reads the history of a subject in pages. */
import { randomBytes } from 'node:crypto';
import { textOf } from '../../git/outputText';
import { BackgroundRun, GitResult } from '../../git/runGit';
import { t } from '../../l10n';
import { messageOf } from '../../model/messageOf';
import { LogParser } from './LogParser';
import { HistoryCommit, logCommand, Subject } from './plan';

/** A page: `count` commits after the first `skipped` ones. */
export interface Page {
  skipped: number;
  /** The last skipped commit. */
  after?: string | undefined;
  count: number;
}

export type PageEnd =
  /** The page is full. The history may continue. */
  | 'full'
  /** The history has no more commits. */
  | 'end'
  /** The skipped commits are other ones than before: read from the top. */
  | 'moved'
  | 'cancelled'
  | { failed: string };

export interface HistoryReader {
  /**
   * Reports the commits in git's order, as soon as each is known. Settles when the page is full, and no later than
   * when the history ends. Never rejects. After an abort, nothing is reported.
   */
  read(
    subject: Subject,
    page: Page,
    report: (commits: HistoryCommit[]) => void,
    signal: AbortSignal,
  ): Promise<PageEnd>;
}

/**
 * Reads by one `git log` for each page, which is ended when the page is full. A later page walks over the commits
 * before it again: git's own `--skip` counts other commits when it follows renames.
 */
export class GitHistoryReader implements HistoryReader {
  constructor(private readonly run: BackgroundRun) {}

  async read(
    subject: Subject,
    { skipped, after, count }: Page,
    report: (commits: HistoryCommit[]) => void,
    signal: AbortSignal,
  ): Promise<PageEnd> {
    const mark = randomBytes(16).toString('hex');
    const command = logCommand(subject, mark);
    if (command === undefined) return { failed: t('the name is not valid UTF-8') };
    const own = new AbortController();
    let seen = 0;
    let how: PageEnd | undefined;
    /** A callback changes it, unseen by the compiler. */
    const ended = () => how;
    let batch: HistoryCommit[] = [];
    const finish = (end: PageEnd) => {
      how ??= end;
      own.abort();
    };
    const parser = new LogParser(mark, subject.kind, (commit) => {
      if (how !== undefined) return;
      seen++;
      if (seen === skipped && commit.oid !== after) finish('moved');
      if (seen > skipped) batch.push(commit);
      if (seen === skipped + count) finish('full');
    });
    const flush = () => {
      const commits = batch;
      batch = [];
      if (commits.length > 0 && !signal.aborted) report(commits);
    };
    const onOutput = (chunk: Buffer) => {
      if (how !== undefined || signal.aborted) return;
      parser.add(chunk);
      flush();
    };
    try {
      const result = await this.run(
        subject.root,
        { ...command, onOutput },
        AbortSignal.any([signal, own.signal]),
      );
      if (signal.aborted) return 'cancelled';
      const early = ended();
      if (early !== undefined) return early;
      if (result === undefined) return { failed: t('git may not run here') };
      if (result.code !== 0) return { failed: reasonIn(result) };
    } catch (error) {
      return signal.aborted ? 'cancelled' : { failed: messageOf(error) };
    }
    parser.end();
    flush();
    return ended() ?? 'end';
  }
}

/** The last line of git's messages. */
function reasonIn({ stderr, code }: GitResult): string {
  const last = textOf(stderr).trim().split('\n').at(-1) ?? '';
  return last === '' ? t('exit code {0}', code ?? 'none') : last.replace(/^fatal: /, '');
}
