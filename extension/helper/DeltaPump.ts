/**
 * Sends a worktree's deltas to the client, one at a time. Takes the next delta after the client has applied the last
 * one. Meanwhile the addon merges new changes. Between two deltas, other worktrees and requests get their turn.
 */
import type { Delta } from './native';

export class DeltaPump {
  private isUnderWay = false;
  /** A turn is scheduled. */
  private isScheduled = false;
  private isStopped = false;

  /** `send` resolves when the client has applied the delta. It never rejects. */
  constructor(
    private readonly take: () => Delta | undefined,
    private readonly send: (delta: Delta) => Promise<void>,
  ) {}

  /** Call when deltas are waiting. */
  wake(): void {
    if (!this.isScheduled) this.turn();
  }

  /** No delta is taken or sent after this call. */
  stop(): void {
    this.isStopped = true;
  }

  private turn(): void {
    this.isScheduled = false;
    if (this.isStopped || this.isUnderWay) return;
    const delta = this.take();
    // The addon calls again when it has the next delta.
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
