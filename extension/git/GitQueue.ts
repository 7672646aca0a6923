/**
 * One thing after another in each repository: two of ours never meet at its locks. Does not know `vscode`.
 *
 * Invariants:
 *  - Tasks of one key run in the order in which they came, whatever became of those before.
 *  - A task that is cancelled before its turn is never begun.
 */
import { Emitter } from '../model/Emitter';

export class CancelledError extends Error {
  override readonly name = 'CancelledError';
}

export class GitQueue {
  private readonly changed = new Emitter<void>();
  /** Whether something runs or waits. */
  readonly onDidChange = this.changed.event;

  private readonly tails = new Map<string, Promise<unknown>>();
  private readonly cancellations = new Map<string, Set<AbortController>>();

  /** Rejects with `CancelledError` where it was cancelled before its turn, else settles as `task` does. */
  async run<T>(key: string, task: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    const { signal } = controller;
    const own = this.cancellations.get(key) ?? new Set();
    this.cancellations.set(key, own.add(controller));
    const before = this.tails.get(key) ?? Promise.resolve();
    const turn = before.then(() => {
      if (signal.aborted) throw new CancelledError('cancelled before its turn');
      return task(signal);
    });
    const tail = turn.catch(() => undefined);
    this.tails.set(key, tail);
    this.changed.fire();
    try {
      return await turn;
    } finally {
      own.delete(controller);
      if (own.size === 0) this.cancellations.delete(key);
      if (this.tails.get(key) === tail) this.tails.delete(key);
      this.changed.fire();
    }
  }

  isBusy(key?: string): boolean {
    return key === undefined ? this.cancellations.size > 0 : this.cancellations.has(key);
  }

  /** What runs, and what waits. Of every repository without a key. */
  cancel(key?: string): void {
    const chosen = key === undefined ? [...this.cancellations.values()] : [this.cancellations.get(key) ?? []];
    for (const controllers of chosen) for (const controller of [...controllers]) controller.abort();
  }
}
