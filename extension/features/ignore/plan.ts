/** Converts a file's name to a line of `.gitignore` that matches only this file, whatever its name (gitignore(5)). */
import { toBytes } from '../../model/repoPath';
import { RepoPath } from '../../protocol';

/** `path` is relative to the folder of the `.gitignore`. */
function ignoreLine(path: RepoPath): Buffer {
  const escaped = path
    .replace(/[\\*?[\]]/g, '\\$&')
    // A line cannot contain a line break: '?' matches any single character.
    .replace(/[\n\r]/g, '?')
    .replace(/ +$/, (spaces) => '\\ '.repeat(spaces.length))
    .replace(/\t$/, '\\\t');
  return toBytes(`/${escaped}`);
}

/** The text to append to `before` so that these paths are ignored. It has the line ends of `before`. */
export function ignoreAddition(before: Buffer, paths: readonly RepoPath[]): Buffer {
  const newline = before.includes('\r\n') ? '\r\n' : '\n';
  const parts: (Buffer | string)[] = [];
  if (before.length > 0 && before.at(-1) !== 0x0a) parts.push(newline);
  for (const path of paths) parts.push(ignoreLine(path), newline);
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
}
