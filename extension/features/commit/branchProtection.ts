/**
 * Protected branches: a person does not want to commit to them by mistake. The patterns are the globs of VS Code's
 * own Git.
 */

/**
 * `*` and `?` match within one part of the name, `**` across parts. `!` before a pattern exempts names from other
 * patterns.
 */
export function isProtected(branch: string | undefined, patterns: readonly string[]): boolean {
  if (branch === undefined) return false;
  const given = patterns.map((pattern) => pattern.trim()).filter((pattern) => pattern !== '');
  const matches = (pattern: string) => globOf(pattern).test(branch);
  const isTakenBack = given.some((pattern) => pattern.startsWith('!') && matches(pattern.slice(1)));
  return !isTakenBack && given.some((pattern) => !pattern.startsWith('!') && matches(pattern));
}

function globOf(pattern: string): RegExp {
  const source = pattern.replace(/\*\*\/|\*\*|\*|\?|[^*?]+/g, (part) => {
    if (part === '**/') return '(?:.*/)?';
    if (part === '**') return '.*';
    if (part === '*') return '[^/]*';
    return part === '?' ? '[^/]' : part.replace(/[\\^$.|+()[\]{}]/g, '\\$&');
  });
  return new RegExp(`^${source}$`, 's');
}
