/** What the bench finds out: one Report for each run, one Row for each goal, one Figure for each thing measured. */
import { type Ratio, ratio, type Summary, summarize } from './statistics';

export type Unit = 'ms' | 'MB' | 'rows' | 'calls';

export interface Figure {
  name: string;
  unit: Unit;
  samples: number[];
  summary: Summary;
  /** Peak of the process that was measured, where it was one of its own. */
  peakMb?: number;
  /** System calls of one run, where strace is there. */
  systemCalls?: SystemCalls;
}

export interface SystemCalls {
  total: number;
  /** The most frequent ones. */
  byName: Record<string, number>;
}

/** Ours is at most `factor` times the other, or at most `value`. */
export type Goal = { words: string } & ({ factor: number } | { value: number } | object);

export interface Verdict {
  ours: string;
  goal: Goal;
  /** Against what the goal names; absent where the goal is a value. */
  ratio?: Ratio;
  met?: boolean;
}

export interface Row {
  id: string;
  title: string;
  figures: Figure[];
  verdicts: Verdict[];
  /** What was not measured, and why; what is to be known when the figures are read. */
  remarks: string[];
}

export interface SizeReport {
  name: string;
  files: number;
  directories: number;
  indexBytes: number;
  rows: Row[];
}

export interface Report {
  began: string;
  machine: Record<string, string>;
  sizes: SizeReport[];
  /** Across sizes; absent for one size. */
  growth?: Row;
}

export function figure(
  name: string,
  unit: Unit,
  samples: readonly number[],
  more: Partial<Figure> = {},
): Figure {
  return { name, unit, samples: [...samples], summary: summarize(samples), ...more };
}

export function againstFloor(
  ours: Figure,
  floor: readonly number[],
  goal: { words: string; factor: number },
): Verdict {
  const found = ratio(ours.samples, floor);
  return { ours: ours.name, goal, ratio: found, met: Math.max(found.least, found.median) <= goal.factor };
}

export function againstValue(ours: Figure, goal: { words: string; value: number }): Verdict {
  return { ours: ours.name, goal, met: ours.summary.median <= goal.value };
}
