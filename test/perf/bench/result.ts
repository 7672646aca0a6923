/** Results of the bench: a Report for each run, a Row for each goal, a Figure for each measurement. */
import { type Ratio, ratio, type Summary, summarize } from './statistics';

export type Unit = 'ms' | 'MB' | 'rows' | 'calls';

export interface Figure {
  name: string;
  unit: Unit;
  samples: number[];
  summary: Summary;
  /** Peak memory of the measured process, if it was a separate one. */
  peakMb?: number;
  /** System calls of one run, if strace exists. */
  systemCalls?: SystemCalls;
}

export interface SystemCalls {
  total: number;
  /** The most frequent calls. */
  byName: Record<string, number>;
}

/** Our limit: `factor` times the other, or `value`. */
export type Goal = { words: string } & ({ factor: number } | { value: number } | object);

export interface Verdict {
  ours: string;
  goal: Goal;
  /** Compares with the goal's subject; absent if the goal is a value. */
  ratio?: Ratio;
  met?: boolean;
}

export interface Row {
  id: string;
  title: string;
  figures: Figure[];
  verdicts: Verdict[];
  /** Skipped measurements with reasons, and notes for the reader of the figures. */
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
  /** Comparison of sizes; absent for one size. */
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
