/**
 * Work on many things, done in slices, one in each turn of the event loop, so that nothing else waits for all of it.
 * A thing that is added again before its turn comes is worked on once: whoever works on it looks at its newest state.
 */
export class Backlog<T> {
  private readonly waiting = new Set<T>();
  private turn: NodeJS.Immediate | undefined;

  constructor(
    private readonly sliceSize: number,
    private readonly work: (slice: T[]) => void,
    /** Called after the slice that leaves nothing. */
    private readonly onDone: () => void = () => undefined,
  ) {}

  get size(): number {
    return this.waiting.size;
  }

  /** Work that fits a slice is done before this returns, where nothing waits already. */
  add(things: Iterable<T>): void {
    for (const thing of things) this.waiting.add(thing);
    if (this.turn !== undefined || this.waiting.size === 0) return;
    this.next();
  }

  /** Nothing that waits is worked on any more. */
  clear(): void {
    this.waiting.clear();
    clearImmediate(this.turn);
    this.turn = undefined;
  }

  private next(): void {
    this.turn = undefined;
    const slice: T[] = [];
    for (const thing of this.waiting) {
      if (slice.length === this.sliceSize) break;
      slice.push(thing);
    }
    for (const thing of slice) this.waiting.delete(thing);
    if (this.waiting.size > 0) {
      this.turn = setImmediate(() => {
        this.next();
      });
    }
    this.work(slice);
    if (this.waiting.size === 0) this.onDone();
  }
}
