/** Options of the programs that run seeds by hand. */

export function numberOption(text: string, name: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 0) throw new Error(`${name}: not a number: ${text}`);
  return value;
}

/** Numbers with commas between them. */
export function numbersOption(text: string, name: string): number[] {
  return text
    .split(',')
    .filter(Boolean)
    .map((word) => numberOption(word, name));
}

/** `--seed N` or `--seeds A..B`. */
export function seedsOption(values: { seed?: string; seeds?: string }): number[] {
  if (values.seed !== undefined) return [numberOption(values.seed, '--seed')];
  const range = /^(\d+)\.\.(\d+)$/.exec(values.seeds ?? '');
  if (!range) throw new Error('name a seed (--seed N) or several (--seeds A..B)');
  const [first, last] = [Number(range[1]), Number(range[2])];
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);
}
