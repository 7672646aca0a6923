/**
 * Carries a worktree's deltas to the client, no faster than its channel takes them: what waits meanwhile is merged
 * by the addon. Other worktrees and requests get their turn between two deltas.
 */
import type { Delta } from './native';

/** Enough that the channel is never idle, few enough that what is sent is not stale. */
const kMaxInFlight = 4;

export class DeltaPump {
  private inFlight = 0;
  /** A turn is on its way. */
  private isScheduled = false;
  private isStopped = false;

  /** `send` resolves once the channel took the message; it does not reject. */
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
    if (this.isStopped || this.inFlight >= kMaxInFlight) return;
    const delta = this.take();
    // The addon calls again when there is one.
    if (delta === undefined) return;
    this.inFlight++;
    void this.send(delta).then(() => {
      this.inFlight--;
      this.schedule();
    });
    this.schedule();
  }

  private schedule(): void {
    if (this.isScheduled || this.isStopped) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.turn();
    });
  }
}
