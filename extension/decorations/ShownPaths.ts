/**
 * The paths with a status that the editor asked about last, for `when` clauses of the explorer's menu. Each update sends
 * the whole list, and a worktree can have a million changes: the list is bounded, and updates are throttled.
 */
import { setContextKey } from '../contextKeys';
import { Throttle } from '../model/Throttle';

const kMaxPaths = 1000;
const kIntervalMs = 250;

export class ShownPaths {
  /** The newest last. */
  private readonly paths = new Set<string>();
  private readonly telling = new Throttle(kIntervalMs, () => {
    setContextKey('residentGit.pathsWithStatus', [...this.paths]);
  });

  note(path: string, hasStatus: boolean): void {
    if (hasStatus === this.paths.has(path)) return;
    if (hasStatus) this.paths.add(path);
    else this.paths.delete(path);
    for (const oldest of this.paths) {
      if (this.paths.size <= kMaxPaths) break;
      this.paths.delete(oldest);
    }
    this.telling.schedule();
  }

  /** Call when the editor asks for all badges again. */
  clear(): void {
    this.paths.clear();
    this.telling.schedule();
  }

  dispose(): void {
    this.telling.dispose();
  }
}
