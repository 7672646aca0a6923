/**
 * One thing after another in each repository: two of ours never meet at its locks. Does not know `vscode`.
 *
 * Invariants:
 *  - Tasks of one key run in the order in which they came, whatever became of those before.
 *  - A task that is cancelled before its turn is never begun.
 *  - Owners that share a key wait for each other, and are cancelled each alone.
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
  /** By owner: what has not ended yet. */
  private readonly cancellations = new Map<string, Set<AbortController>>();

  /** Rejects with `CancelledError` where it was cancelled before its turn, else settles as `task` does. */
  async run<T>(key: string, task: (signal: AbortSignal) => Promise<T>, owner = key): Promise<T> {
    const controller = new AbortController();
    const { signal } = controller;
    const own = this.cancellations.get(owner) ?? new Set();
    this.cancellations.set(owner, own.add(controller));
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
      if (own.size === 0) this.cancellations.delete(owner);
      if (this.tails.get(key) === tail) this.tails.delete(key);
      this.changed.fire();
    }
  }

  isBusy(owner: string): boolean {
    return this.cancellations.has(owner);
  }

  /** What runs, and what waits. */
  cancel(owner: string): void {
    for (const controller of [...(this.cancellations.get(owner) ?? [])]) controller.abort();
  }
}
