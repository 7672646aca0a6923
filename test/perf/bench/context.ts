/** What every row is measured with. */
import type { Programs } from './programs';
import type { Subject } from './subject';

export interface Context {
  subject: Subject;
  programs: Programs;
  /** git-resident. */
  binary: string;
  /** How often each thing is measured, in rounds that alternate between all that is compared. */
  runs: number;
  threads: number;
  /** How many small repositories the row `many` opens at once. */
  worktrees: number;
  /** Where repositories are made and kept. */
  cache: string;
  /** Whether system calls are counted, by strace. */
  strace: boolean;
  say: (text: string) => void;
}

/** Samples by the name of what was measured, round by round. */
export class Rounds {
  private readonly lists = new Map<string, number[]>();

  add(name: string, samples: readonly number[]): void {
    const list = this.lists.get(name);
    if (list === undefined) this.lists.set(name, [...samples]);
    else list.push(...samples);
  }

  of(name: string): number[] {
    const list = this.lists.get(name);
    if (list === undefined) throw new Error(`nothing was measured as ${name}`);
    return list;
  }

  /** The largest; NaN where there is none. */
  most(name: string): number {
    return Math.max(...(this.lists.get(name) ?? [NaN]));
  }
}
