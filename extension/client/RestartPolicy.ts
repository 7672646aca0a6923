/**
 * When a helper that ended by itself is started again: at most four times within three minutes, which is what
 * vscode-languageclient's default error handler allows.
 */
export const kMaxRestarts = 4;
export const kWindowMs = 3 * 60 * 1000;

export class RestartPolicy {
  private restarts: number[] = [];

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Counts the restart that it allows. */
  allowsRestart(): boolean {
    const now = this.now();
    this.restarts = this.restarts.filter((time) => now - time < kWindowMs);
    if (this.restarts.length >= kMaxRestarts) return false;
    this.restarts.push(now);
    return true;
  }

  /** How many restarts count at the moment. */
  get count(): number {
    return this.restarts.length;
  }

  reset(): void {
    this.restarts = [];
  }
}
