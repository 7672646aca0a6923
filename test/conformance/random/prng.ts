/** A small seeded generator (xorshift over a mixed seed): a run depends only on its seed. */
export class Prng {
  private state: number;

  constructor(seed: number, stream = 0) {
    let mixed = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(stream + 1, 0x85ebca6b)) >>> 0;
    for (let round = 0; round < 3; round++) {
      mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d) >>> 0;
      mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b) >>> 0;
    }
    this.state = mixed || 1;
  }

  private next(): number {
    let x = this.state;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.state = x >>> 0;
    return this.state;
  }

  /** Returns 0 .. limit - 1. */
  below(limit: number): number {
    return this.next() % limit;
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  /** Fails on an empty list. */
  pick<T>(list: readonly T[]): T {
    const chosen = list[this.below(list.length)];
    if (chosen === undefined) throw new Error('nothing to pick from');
    return chosen;
  }

  /** A random element, by weight. */
  weighted<T extends { weight: number }>(list: readonly T[]): T {
    let rest = this.below(list.reduce((sum, { weight }) => sum + weight, 0));
    for (const element of list) {
      rest -= element.weight;
      if (rest < 0) return element;
    }
    throw new Error('nothing to pick from');
  }

  /** Up to `count` different elements, in list order. */
  sample<T>(list: readonly T[], count: number): T[] {
    const rest = [...list.keys()];
    const chosen = new Set<number>();
    while (chosen.size < count && rest.length > 0) {
      for (const index of rest.splice(this.below(rest.length), 1)) chosen.add(index);
    }
    return list.filter((_, index) => chosen.has(index));
  }
}
