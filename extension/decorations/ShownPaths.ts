/**
 * The paths with a status that the editor asked about last, for `when` clauses of the explorer's menu. Each update sends
 * the whole list, and a worktree can have a million changes: the list is bounded, and updates are delayed. All answers
 * after clear() then make one update.
 */
import { setContextKey } from '../contextKeys';

const kMaxPaths = 1000;
const kDelayMs = 250;

export class ShownPaths {
  /** The newest last. */
  private readonly paths = new Set<string>();
  private timer: NodeJS.Timeout | undefined;

  note(path: string, hasStatus: boolean): void {
    if (hasStatus === this.paths.has(path)) return;
    if (hasStatus) this.paths.add(path);
    else this.paths.delete(path);
    for (const oldest of this.paths) {
      if (this.paths.size <= kMaxPaths) break;
      this.paths.delete(oldest);
    }
    this.updateSoon();
  }

  /** Call when the editor asks for all badges again. */
  clear(): void {
    this.paths.clear();
    this.updateSoon();
  }

  dispose(): void {
    clearTimeout(this.timer);
  }

  private updateSoon(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      setContextKey('residentGit.pathsWithStatus', [...this.paths]);
    }, kDelayMs);
  }
}
