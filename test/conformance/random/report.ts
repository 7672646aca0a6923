/** Report of a run over many seeds. */
import { expectedKinds } from './kinds';
import type { SeedResult } from './seed';
import { shapeKindsOfOracle } from './shape';

/** With this many seeds, a kind that never occurred is the generator's fault, not chance. */
export const seedsForEveryKind = 500;

export interface Summary {
  seeds: number;
  steps: number;
  comparisons: number;
  delegated: number;
  failures: SeedResult[];
  kinds: Map<string, number>;
}

function addCounts(into: Map<string, number>, counts: Record<string, number>): void {
  for (const [name, count] of Object.entries(counts)) into.set(name, (into.get(name) ?? 0) + count);
}

export function summarize(results: readonly SeedResult[]): Summary {
  const summary: Summary = {
    seeds: results.length,
    steps: 0,
    comparisons: 0,
    delegated: 0,
    failures: [],
    kinds: new Map(),
  };
  for (const result of results) {
    summary.steps += result.steps;
    summary.comparisons += result.comparisons;
    summary.delegated += result.delegated;
    if (result.failure) summary.failures.push(result);
    addCounts(summary.kinds, result.kinds);
  }
  return summary;
}

/** Kinds that did not occur although the run was long enough. */
export function missingKinds(summary: Summary): string[] {
  if (summary.seeds < seedsForEveryKind) return [];
  return [...expectedKinds, ...shapeKindsOfOracle()].filter((kind) => !summary.kinds.has(kind));
}

function table(counts: Map<string, number>): string {
  const rows = [...counts].sort(([left], [right]) => (left < right ? -1 : 1));
  return rows.map(([name, count]) => `  ${String(count).padStart(7)}  ${name}`).join('\n');
}

export function showSummary(summary: Summary): string {
  return [
    `${summary.seeds} seeds, ${summary.steps} steps, ${summary.comparisons} answers compared, ${summary.failures.length} seeds failed`,
    `${summary.delegated} answers were given by git in our stead`,
    'kinds of state, by the number of steps that showed them:',
    table(summary.kinds),
  ].join('\n');
}

export function showFailure(result: SeedResult, operations: number, skip: readonly number[]): string {
  const { failure, seed } = result;
  if (!failure) return '';
  const skipped = skip.length > 0 ? ` --skip ${skip.join(',')}` : '';
  const kept = failure.kept ? [`kept: ${failure.kept}`] : [];
  return [
    `seed ${seed} failed: ${failure.reason}`,
    'operations:',
    ...failure.log.map((line) => `  ${line}`),
    'as a script:',
    ...failure.script.split('\n').map((line) => `  ${line}`),
    ...kept,
    `replay: npx tsx test/conformance/random.ts --seed ${seed} --operations ${operations}${skipped} --keep`,
  ].join('\n');
}
