/**
 * Runs one task at a time in each repository, so that our own commands never compete for its locks. Does not know
 * `vscode`.
 *
 * Invariants:
 *  - Tasks of one key run in the order of their arrival, even after failures.
 *  - A task that is cancelled before its turn never starts.
 *  - Owners with the same key wait for each other. Each owner is cancelled separately.
 */
import { Emitter } from '../model/Emitter';

export class CancelledError extends Error {
  override readonly name = 'CancelledError';
}

export class GitQueue {
  private readonly changed = new Emitter<void>();
  /** Fires when a task arrives or ends. */
  readonly onDidChange = this.changed.event;

  private readonly tails = new Map<string, Promise<unknown>>();
  /** The unfinished tasks of each owner. */
  private readonly cancellations = new Map<string, Set<AbortController>>();

  /** Rejects with `CancelledError` if cancelled before its turn; otherwise settles like `task`. */
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

  /** Cancels the running and waiting tasks of the owner. */
  cancel(owner: string): void {
    for (const controller of [...(this.cancellations.get(owner) ?? [])]) controller.abort();
  }
}
