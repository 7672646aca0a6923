/**
 * An event source for code that must not import `vscode`. Listeners run synchronously, in order of subscription. A
 * listener that throws stops neither the other listeners nor the caller of `fire`. The caller may be in the middle of
 * a change that is never reported again. The error becomes an uncaught exception, which the editor logs.
 */
export interface Subscription {
  dispose(): void;
}
export type Event<T> = (listener: (value: T) => void) => Subscription;

export class Emitter<T> {
  private readonly listeners = new Set<(value: T) => void>();

  readonly event: Event<T> = (listener) => {
    // The wrapper lets the same function subscribe twice.
    const own = (value: T) => {
      listener(value);
    };
    this.listeners.add(own);
    return { dispose: () => void this.listeners.delete(own) };
  };

  /** Skips a listener that is disposed while the event is being delivered. */
  fire(value: T): void {
    for (const listener of [...this.listeners]) {
      if (!this.listeners.has(listener)) continue;
      try {
        listener(value);
      } catch (error) {
        setImmediate(() => {
          throw error;
        });
      }
    }
  }

  dispose(): void {
    this.listeners.clear();
  }
}
