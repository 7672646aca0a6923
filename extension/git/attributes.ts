/** Parses the output of `git check-attr -z`. Does not know `vscode`. */
import { RepoPath } from '../protocol';
import { fromBytes } from '../model/repoPath';

export interface Attribute {
  path: RepoPath;
  name: string;
  /** 'set', 'unset', 'unspecified', or the attribute's text. */
  value: string;
}

export function parseAttributes(output: Uint8Array): Attribute[] {
  const words = fromBytes(output).split('\0');
  const attributes: Attribute[] = [];
  for (let i = 0; i + 2 < words.length; i += 3) {
    const [path = '', name = '', value = ''] = words.slice(i, i + 3);
    attributes.push({ path, name, value });
  }
  return attributes;
}
