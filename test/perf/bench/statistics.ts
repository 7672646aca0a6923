/** Statistics of a list of samples for the report. */

export interface Summary {
  least: number;
  median: number;
  count: number;
}

export function median(samples: readonly number[]): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}

export function summarize(samples: readonly number[]): Summary {
  return { least: Math.min(...samples), median: median(samples), count: samples.length };
}

export interface Ratio {
  least: number;
  median: number;
}

/**
 * Ratio of the smallest samples, and the median ratio over the rounds. Other work on the machine in a round
 * affects both sides of its ratio. Lists of different lengths give the ratio of the medians.
 */
export function ratio(ours: readonly number[], floor: readonly number[]): Ratio {
  const least = Math.min(...ours) / Math.min(...floor);
  if (ours.length !== floor.length) return { least, median: median(ours) / median(floor) };
  return { least, median: median(ours.map((sample, i) => sample / (floor[i] ?? NaN))) };
}

/** Sum of the samples by index; as long as the shortest list. */
export function sum(...lists: readonly (readonly number[])[]): number[] {
  const count = Math.min(...lists.map((list) => list.length));
  return Array.from({ length: count }, (_, i) => lists.reduce((total, list) => total + (list[i] ?? NaN), 0));
}
