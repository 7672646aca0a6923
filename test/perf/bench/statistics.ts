/** What a report says of a list of samples. */

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
 * Of the least samples, and the median over the rounds: whatever else the machine does in one round falls on both
 * sides of that round's ratio. Where the rounds are not the same ones, of the medians.
 */
export function ratio(ours: readonly number[], floor: readonly number[]): Ratio {
  const least = Math.min(...ours) / Math.min(...floor);
  if (ours.length !== floor.length) return { least, median: median(ours) / median(floor) };
  return { least, median: median(ours.map((sample, i) => sample / (floor[i] ?? NaN))) };
}

/** Sample by sample; as long as the shortest. */
export function sum(...lists: readonly (readonly number[])[]): number[] {
  const count = Math.min(...lists.map((list) => list.length));
  return Array.from({ length: count }, (_, i) => lists.reduce((total, list) => total + (list[i] ?? NaN), 0));
}
