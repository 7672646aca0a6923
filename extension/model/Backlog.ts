/**
 * Processes many items in slices, at most one slice per turn of the event loop, so that other work is not blocked. An
 * item that is added again while it waits need not be processed twice: `work` reads its newest state. The backlog
 * holds at most the first set and the distinct items that were added after it.
 */
export class Backlog<T> {
  /** The set that was added while the backlog was empty. Iterated in place: copying a large set would block a turn. */
  private first: Iterator<T> | undefined;
  private readonly waiting = new Set<T>();
  private turn: NodeJS.Immediate | undefined;
  /** Since the last call of `onDone`. */
  private hasWorked = false;

  constructor(
    private readonly sliceSize: number,
    private readonly work: (slice: T[]) => void,
    /** Called after the slice that empties the backlog. */
    private readonly onDone: () => void = () => undefined,
  ) {}

  get isEmpty(): boolean {
    return this.first === undefined && this.waiting.size === 0;
  }

  /** If the backlog is empty, processes the first slice before it returns. The caller must not change an added set. */
  add(things: Iterable<T>): void {
    if (this.isEmpty && things instanceof Set) this.first = (things as Set<T>).values();
    else for (const thing of things) this.waiting.add(thing);
    if (this.turn === undefined && !this.isEmpty) this.next();
  }

  /** Drops all waiting items. */
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
