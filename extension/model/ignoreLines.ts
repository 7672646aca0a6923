/** A file's name as a line of `.gitignore` that means that file alone, whatever it is called (gitignore(5)). */
import { RepoPath } from '../protocol';
import { toBytes } from './repoPath';

/** `path` is relative to the folder of the `.gitignore`. */
export function ignoreLine(path: RepoPath): Buffer {
  const escaped = path
    .replace(/[\\*?[\]]/g, '\\$&')
    // No line can have one: any single character stands for it.
    .replace(/[\n\r]/g, '?')
    .replace(/ +$/, (spaces) => '\\ '.repeat(spaces.length))
    .replace(/\t$/, '\\\t');
  return toBytes(`/${escaped}`);
}

/** What is to be written after `before`, so that these paths are ignored: its lines end as they do there. */
export function ignoreAddition(before: Buffer, paths: readonly RepoPath[]): Buffer {
  const newline = before.includes('\r\n') ? '\r\n' : '\n';
  const parts: (Buffer | string)[] = [];
  if (before.length > 0 && before.at(-1) !== 0x0a) parts.push(newline);
  for (const path of paths) parts.push(ignoreLine(path), newline);
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
}
