/** VS Code truncates a decoration event at this many URIs and guesses the rest (vscode#272461). */
export const kMaxUrisPerEvent = 250;

export function inBatches<T>(items: readonly T[], size = kMaxUrisPerEvent): T[][] {
  const batches: T[][] = [];
  for (let start = 0; start < items.length; start += size) batches.push(items.slice(start, start + size));
  return batches;
}
