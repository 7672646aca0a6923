/** Runs an action immediately, and then at most once per interval. */
export class Throttle {
  private timer: NodeJS.Timeout | undefined;
  private isAsked = false;

  constructor(
    private readonly intervalMs: number,
    private readonly action: () => void,
  ) {}

  schedule(): void {
    if (this.timer !== undefined) {
      this.isAsked = true;
      return;
    }
    this.run();
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.isAsked = false;
  }

  private run(): void {
    this.timer = setTimeout(() => {
      this.timer = undefined;
      if (!this.isAsked) return;
      this.isAsked = false;
      this.run();
    }, this.intervalMs);
    this.action();
  }
}
