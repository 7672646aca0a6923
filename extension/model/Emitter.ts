/** An event source for code that must not know `vscode`. Listeners run in order of subscription, synchronously. */
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
      if (this.listeners.has(listener)) listener(value);
    }
  }

  dispose(): void {
    this.listeners.clear();
  }
}
