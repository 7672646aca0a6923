/** The common inputs of every row. */
import type { Programs } from './programs';
import type { Subject } from './subject';

export interface Context {
  subject: Subject;
  programs: Programs;
  /** Path of git-resident. */
  binary: string;
  /** Number of measurements, in rounds that alternate between the compared programs. */
  runs: number;
  threads: number;
  /** Number of small repositories that the row `many` opens at once. */
  worktrees: number;
  /** Folder of generated repositories. */
  cache: string;
  /** True: count system calls with strace. */
  strace: boolean;
  say: (text: string) => void;
}

/** Samples by name, in order of the rounds. */
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

  /** The largest sample; NaN without samples. */
  most(name: string): number {
    return Math.max(...(this.lists.get(name) ?? [NaN]));
  }
}
