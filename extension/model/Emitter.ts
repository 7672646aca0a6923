/**
 * An event source for code that must not know `vscode`. Listeners run in order of subscription, synchronously. One that
 * throws takes the event from nobody else: not from the other listeners, nor from whoever fires, which may be in the
 * middle of a change that nobody tells again. What it throws is an uncaught exception, which the editor logs.
 */
export interface Subscription {
  dispose(): void;
}
export type Event<T> = (listener: (value: T) => void) => Subscription;

export class Emitter<T> {
  private readonly listeners = new Set<(value: T) => void>();

  readonly event: Event<T> = (listener) => {
    // Wrapped, so that subscribing one function twice makes two subscriptions.
    const own = (value: T) => {
      listener(value);
    };
    this.listeners.add(own);
    return { dispose: () => void this.listeners.delete(own) };
  };

  /** A listener that is disposed while the event is under way is not called any more. */
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
