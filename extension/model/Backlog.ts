/**
 * Work on many things, done in slices, one in each turn of the event loop, so that nothing else waits for all of it.
 * A thing that is added again before its turn comes need not be worked on again: whoever works on it looks at its
 * newest state. What waits is no more than the set that was added first and the different things that came after it.
 */
export class Backlog<T> {
  /** A set that was added while nothing waited: a copy of a large one would take a turn of its own. */
  private first: Iterator<T> | undefined;
  private readonly waiting = new Set<T>();
  private turn: NodeJS.Immediate | undefined;
  /** Since the last end. */
  private hasWorked = false;

  constructor(
    private readonly sliceSize: number,
    private readonly work: (slice: T[]) => void,
    /** Called after the slice that leaves nothing. */
    private readonly onDone: () => void = () => undefined,
  ) {}

  get isEmpty(): boolean {
    return this.first === undefined && this.waiting.size === 0;
  }

  /** Work that fits a slice is done before this returns, where nothing waits already. A set may not change any more. */
  add(things: Iterable<T>): void {
    if (this.isEmpty && things instanceof Set) this.first = (things as Set<T>).values();
    else for (const thing of things) this.waiting.add(thing);
    if (this.turn === undefined && !this.isEmpty) this.next();
  }

  /** Nothing that waits is worked on any more. */
  clear(): void {
    this.first = undefined;
    this.waiting.clear();
    clearImmediate(this.turn);
    this.turn = undefined;
  }

  private next(): void {
    this.turn = undefined;
    const slice = this.takeSlice();
    if (!this.isEmpty) {
      this.turn = setImmediate(() => {
        this.next();
      });
    }
    if (slice.length > 0) {
      this.hasWorked = true;
      this.work(slice);
    }
    if (!this.isEmpty || !this.hasWorked) return;
    this.hasWorked = false;
    this.onDone();
  }

  private takeSlice(): T[] {
    const slice: T[] = [];
    while (this.first !== undefined) {
      if (slice.length === this.sliceSize) return slice;
      const { done, value } = this.first.next() as IteratorResult<T, undefined>;
      if (done === true) this.first = undefined;
      else slice.push(value);
    }
    for (const thing of this.waiting) {
      if (slice.length === this.sliceSize) break;
      slice.push(thing);
      this.waiting.delete(thing);
    }
    return slice;
  }
}
