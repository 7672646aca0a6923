/**
 * Places in a list that is shown anew with each letter. What stands in one keeps it while it is found, and once more: until
 * then the list before is what a person sees, and may choose from. There are never more than two lists need.
 */
export class Places<T> {
  private readonly first: ReadonlySet<T>;
  private readonly standing: T[] = [];
  private last: readonly T[] = [];

  /** `first` has places of its own, before these. */
  constructor(first: Iterable<T>) {
    this.first = new Set(first);
  }

  /** What stands in each place, now that this is found. */
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
