/** Report of a run over many damages. */
import type { DamageResult } from './run';

export function showDamageFailure(result: DamageResult, damages: number): string {
  const { failure, seed, kind } = result;
  if (!failure) return '';
  const kept = failure.kept ? [`kept: ${failure.kept}`] : [];
  return [
    `seed ${seed}, damage ${failure.number} failed (${kind})`,
    `damaged: ${failure.damage}`,
    failure.reason,
    ...kept,
    `replay: npx tsx test/conformance/damage.ts --seed ${seed} --damages ${damages} --only ${failure.number} --keep`,
    'the repository as a script:',
    ...failure.script.split('\n').map((line) => `  ${line}`),
  ].join('\n');
}

export function showDamageSummary(results: readonly DamageResult[]): string {
  const counts = new Map<string, number>();
  for (const result of results) {
    const own = { ...result.counts, [`repository: ${result.kind}`]: 1 };
    for (const [name, count] of Object.entries(own)) counts.set(name, (counts.get(name) ?? 0) + count);
  }
  const sum = (prefix: string): number =>
    [...counts].reduce((all, [name, count]) => all + (name.startsWith(prefix) ? count : 0), 0);
  const failed = results.filter(({ failure }) => failure).map(({ seed }) => seed);
  const delegated = results.reduce((all, result) => all + result.delegated, 0);
  const rows = [...counts].sort(([left], [right]) => (left < right ? -1 : 1));
  return [
    `${results.length} seeds, ${sum('damage: ')} damages, ${failed.length} seeds failed: ${failed.join(' ')}`,
    `${delegated} answers were given by git in our stead though it had nothing to say`,
    ...rows.map(([name, count]) => `  ${String(count).padStart(6)}  ${name}`),
  ].join('\n');
}
