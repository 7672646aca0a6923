/** Runs an action at once, and then at most once per interval however often it is asked for. */
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
