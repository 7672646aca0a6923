/** Repositories in which git talks to a remote now. Their synchronize button spins. */
import { Feature } from '../lifecycle';
import { Emitter } from '../model/Emitter';
import { Repository } from '../model/Repository';

export class Synchronizing extends Feature {
  private readonly running = new Map<Repository, number>();
  private readonly changed = this.store.add(new Emitter<Repository>());
  readonly onDidChange = this.changed.event;

  has(repository: Repository): boolean {
    return this.running.has(repository);
  }

  /** Marks the repository until `task` ends. Returns the result of `task`. */
  async during<T>(repository: Repository, task: Promise<T>): Promise<T> {
    this.count(repository, 1);
    try {
      return await task;
    } finally {
      this.count(repository, -1);
    }
  }

  private count(repository: Repository, change: number): void {
    const count = (this.running.get(repository) ?? 0) + change;
    if (count > 0) this.running.set(repository, count);
    else this.running.delete(repository);
    this.changed.fire(repository);
  }
}
