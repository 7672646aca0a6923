/** The files that a failed git names. Does not know `vscode`. */
import { t } from '../l10n';

/** Paths that git prints one to a line after a tab. */
export const filesOf = (lines: string): string[] => lines.split('\n').flatMap((line) => line.trim() || []);

/** Each once, in git's order. */
export function conflictedFiles(said: string): string[] {
  const patterns = [
    /^CONFLICT \([^)]*\): Merge conflict in (.+)$/gm,
    /^CONFLICT \([^)]*\): (.+?) deleted in /gm,
    /^U\t(.+)$/gm,
    /^error: path '(.+)' is unmerged/gm,
    /^(.+): needs merge$/gm,
  ];
  return [
    ...new Set(patterns.flatMap((pattern) => [...said.matchAll(pattern)].map(([, file = '']) => file))),
  ];
}

/** "a", "a and b", "a and 2 more files". */
export function filesText([first = '', second = '', ...others]: readonly string[]): string {
  if (second === '') return first;
  if (others.length === 0) return t('{0} and {1}', first, second);
  return t('{0} and {1} more files', first, others.length + 1);
}
