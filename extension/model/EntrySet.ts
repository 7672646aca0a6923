/** The entries of one repository by key, and the number of rows in each group. */
import { StatusEntry } from '../protocol';
import { GroupId, groupsOf } from './status';

export class EntrySet {
  private readonly byKey = new Map<string, StatusEntry>();
  private readonly counts = new Map<GroupId, number>();

  get size(): number {
    return this.byKey.size;
  }

  get(key: string): StatusEntry | undefined {
    return this.byKey.get(key);
  }

  has(key: string): boolean {
    return this.byKey.has(key);
  }

  [Symbol.iterator](): IterableIterator<[string, StatusEntry]> {
    return this.byKey.entries();
  }

  values(): IterableIterator<StatusEntry> {
    return this.byKey.values();
  }

  countIn(group: GroupId): number {
    return this.counts.get(group) ?? 0;
  }

  /** `next` undefined: removes the entry. Returns the previous entry. */
  set(key: string, next: StatusEntry | undefined): StatusEntry | undefined {
    const previous = this.byKey.get(key);
    if (next === undefined) this.byKey.delete(key);
    else this.byKey.set(key, next);
    if (previous !== undefined) this.count(previous, -1);
    if (next !== undefined) this.count(next, 1);
    return previous;
  }

  private count(entry: StatusEntry, step: 1 | -1): void {
    for (const group of groupsOf(entry)) this.counts.set(group, this.countIn(group) + step);
  }
}
