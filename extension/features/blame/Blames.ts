/**
 * Runs `git blame` in the background, and keeps its answers. Does not know `vscode`.
 *
 * Invariants:
 *  - A version of a file is blamed at most once at a time, and at most kMaxRunning versions are.
 *  - git ends when nobody wants its answer any more. The next question then starts it again.
 *  - Kept answers are bounded in number and in bytes. Failures are kept too: the same question would fail again.
 */
import { BackgroundRun } from '../../git/runGit';
import { messageOf } from '../../model/messageOf';
import { Emitter } from '../../model/Emitter';
import { FileBlame } from './FileBlame';
import { BlameQuestion, runBlame } from './git';

const kMaxRunning = 2;
const kMaxKept = 64;
const kMaxKeptBytes = 64 << 20;

interface Kept {
  blame: FileBlame;
  /** Undefined: it waits for its turn, or has ended. */
  running: AbortController | undefined;
}

export class Blames {
  private readonly changed = new Emitter<FileBlame>();
  /** More lines have their answer, or git has ended. */
  readonly onDidChange = this.changed.event;

  /** In order of use, the last used at the end. */
  private readonly kept = new Map<string, Kept>();
  private running = 0;

  constructor(private readonly run: BackgroundRun) {}

  /** Starts git if this version is not known. `generation`: changes with everything else that decides the answer. */
  of(root: string, generation: number, question: BlameQuestion): FileBlame {
    const { commit, path, ignoreWhitespace } = question;
    const key = JSON.stringify([root, generation, commit, path, ignoreWhitespace]);
    const known = this.kept.get(key);
    this.kept.delete(key);
    const kept = known ?? { blame: new FileBlame(root, question), running: undefined };
    this.kept.set(key, kept);
    this.startNext();
    return kept.blame;
  }

  /** Ends git for all other files. */
  keepOnly(wanted: ReadonlySet<FileBlame>): void {
    for (const [key, { blame, running }] of this.kept) {
      if (wanted.has(blame) || blame.end !== undefined) continue;
      this.kept.delete(key);
      running?.abort();
    }
  }

  /** Drops the answers about this repository. */
  forget(root: string): void {
    for (const [key, { blame, running }] of this.kept) {
      if (blame.root !== root) continue;
      this.kept.delete(key);
      running?.abort();
    }
  }

  dispose(): void {
    for (const { running } of this.kept.values()) running?.abort();
    this.kept.clear();
    this.changed.dispose();
  }

  /** The last question comes first: the user looks at its file now. */
  private startNext(): void {
    for (const kept of [...this.kept.values()].reverse()) {
      if (this.running >= kMaxRunning) return;
      if (kept.blame.end === undefined && kept.running === undefined) void this.start(kept);
    }
  }

  private async start(kept: Kept): Promise<void> {
    const { blame } = kept;
    const controller = new AbortController();
    kept.running = controller;
    this.running++;
    const sink = {
      text: (bytes: Buffer) => {
        blame.takeText(bytes);
        this.changed.fire(blame);
      },
      ranges: (ranges: Parameters<FileBlame['take']>[0]) => {
        blame.take(ranges);
        this.changed.fire(blame);
      },
    };
    try {
      blame.end = await runBlame(this.run, blame.root, blame.question, sink, controller.signal);
    } catch (error) {
      blame.end = { failed: messageOf(error) };
    }
    kept.running = undefined;
    this.running--;
    this.evict();
    this.changed.fire(blame);
    this.startNext();
  }

  private evict(): void {
    let bytes = 0;
    for (const { blame } of this.kept.values()) bytes += blame.size;
    for (const [key, { blame }] of this.kept) {
      if (this.kept.size <= kMaxKept && bytes <= kMaxKeptBytes) return;
      if (blame.end === undefined) continue;
      this.kept.delete(key);
      bytes -= blame.size;
    }
  }
}
