/**
 * Carries a worktree's deltas to the client, one at a time: the next is taken once the client has taken the last one
 * in, and what happens meanwhile is merged by the addon. Other worktrees and requests get their turn between two.
 */
import type { Delta } from './native';

export class DeltaPump {
  private isUnderWay = false;
  /** A turn is on its way. */
  private isScheduled = false;
  private isStopped = false;

  /** `send` resolves once the client took the delta in; it does not reject. */
  constructor(
    private readonly take: () => Delta | undefined,
    private readonly send: (delta: Delta) => Promise<void>,
  ) {}

  /** Deltas wait. */
  wake(): void {
    if (!this.isScheduled) this.turn();
  }

  /** Nothing is taken or sent any more. */
  stop(): void {
    this.isStopped = true;
  }

  private turn(): void {
    this.isScheduled = false;
    if (this.isStopped || this.isUnderWay) return;
    const delta = this.take();
    // The addon calls again when there is one.
    if (delta === undefined) return;
    this.isUnderWay = true;
    void this.send(delta).then(() => {
      this.isUnderWay = false;
      this.schedule();
    });
  }

  private schedule(): void {
    if (this.isScheduled || this.isStopped) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.turn();
    });
  }
}
