/**
 * Caches which paths of one repository are ignored. Asks the helper in batches. An answer is kept until something
 * changes that it depends on. Does not know its callers.
 */
import { RepoPath } from '../protocol';

/** An editor shows a few hundred files at once. This limit is for sessions that walk a whole tree. */
export const kMaxIgnoredPaths = 20_000;
const kCollectMs = 5;
/** Limit of all paths in one question, in characters. In JSON a character takes at most six bytes. */
const kMaxAskedLength = 100_000;

interface Waiting {
  promise: Promise<boolean>;
  resolve: (ignored: boolean) => void;
}

export class IgnoredCache {
  private readonly known = new Map<RepoPath, boolean>();
  private waiting = new Map<RepoPath, Waiting>();
  private timer: NodeJS.Timeout | undefined;
  /** Incremented to invalidate questions in progress. */
  private generation = 0;

  constructor(
    private readonly ask: (paths: RepoPath[]) => Promise<boolean[]>,
    /** Called when earlier answers are stale; undefined: any of them may be. */
    private readonly onChanged: (paths: RepoPath[] | undefined) => void,
  ) {}

  isIgnored(path: RepoPath): boolean | Promise<boolean> {
    const known = this.known.get(path);
    if (known !== undefined) return known;
    let waiting = this.waiting.get(path);
    if (waiting === undefined) {
      let resolve: (ignored: boolean) => void = () => undefined;
      const promise = new Promise<boolean>((settle) => {
        resolve = settle;
      });
      waiting = { promise, resolve };
      this.waiting.set(path, waiting);
      this.timer ??= setTimeout(() => {
        this.timer = undefined;
        void this.askWaiting();
      }, kCollectMs);
    }
    return waiting.promise;
  }

  /** Call when these paths appeared, disappeared, or became tracked or untracked. */
  forget(paths: Iterable<RepoPath>): void {
    if (this.known.size === 0) return;
    for (const path of paths) this.known.delete(path);
  }

  /** Call when rules or the index changed. Asks about all cached paths again and reports the answers that differ. */
  async recheck(): Promise<void> {
    const generation = ++this.generation;
    const paths = [...this.known.keys()];
    if (paths.length === 0) return;
    let answers: boolean[];
    try {
      answers = await this.askInParts(paths);
    } catch {
      if (generation === this.generation) this.clear();
      return;
    }
    if (generation !== this.generation) return;
    const changed = paths.filter((path, i) => {
      const answer = answers[i] === true;
      const differs = this.known.get(path) !== answer;
      if (this.known.has(path)) this.known.set(path, answer);
      return differs;
    });
    if (changed.length > 0) this.onChanged(changed);
  }

  /** Drops all answers and reports that any of them may be stale. */
  clear(): void {
    this.generation++;
    this.known.clear();
    this.onChanged(undefined);
  }

  dispose(): void {
    this.generation++;
    clearTimeout(this.timer);
    for (const { resolve } of this.waiting.values()) resolve(false);
    this.waiting.clear();
    this.known.clear();
  }

  /** Asks in sequence. Each part fits in a message. */
  private async askInParts(paths: readonly RepoPath[]): Promise<boolean[]> {
    const answers: boolean[] = [];
    for (let start = 0; start < paths.length;) {
      let end = start;
      let length = 0;
      while (end < paths.length && length < kMaxAskedLength) length += (paths[end++] ?? '').length;
      answers.push(...(await this.ask(paths.slice(start, end))));
      start = end;
    }
    return answers;
  }

  private async askWaiting(): Promise<void> {
    const asked = this.waiting;
    this.waiting = new Map();
    const paths = [...asked.keys()];
    const generation = this.generation;
    let answers: boolean[] = [];
    let isAnswered = true;
    try {
      answers = await this.askInParts(paths);
    } catch {
      isAnswered = false;
    }
    const isCurrent = generation === this.generation;
    paths.forEach((path, i) => {
      const answer = answers[i] === true;
      if (isAnswered) this.known.set(path, answer);
      asked.get(path)?.resolve(answer);
    });
    if (this.known.size > kMaxIgnoredPaths) this.clear();
    // The question is older than the change of rules: its answers may follow the old rules.
    else if (!isCurrent) await this.recheck();
  }
}
