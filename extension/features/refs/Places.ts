/**
 * Positions of items in a list that is updated with each typed letter. An item keeps its position while it is found,
 * and in one more list. Until the new list arrives, a person sees the previous list and may choose from it. The list
 * is never longer than two results need.
 */
export class Places<T> {
  private readonly first: ReadonlySet<T>;
  private readonly standing: T[] = [];
  private last: readonly T[] = [];

  /** Items of `first` have their own positions, before these. */
  constructor(first: Iterable<T>) {
    this.first = new Set(first);
  }

  /** Returns the item at each position, with `found` as the new result. */
  show(found: readonly T[]): readonly T[] {
    const others = found.filter((one) => !this.first.has(one));
    const kept = new Set([...others, ...this.last]);
    const free = this.standing.flatMap((one, place) => (kept.has(one) ? [] : [place]));
    const stands = new Set(this.standing);
    for (const one of others) {
      if (!stands.has(one)) this.standing[free.shift() ?? this.standing.length] = one;
    }
    this.last = others;
    return this.standing;
  }
}
