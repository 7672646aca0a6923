/** What `git check-attr -z` answers. Does not know `vscode`. */
import { RepoPath } from '../protocol';
import { fromBytes } from '../model/repoPath';

export interface Attribute {
  path: RepoPath;
  name: string;
  /** 'set', 'unset' and 'unspecified', or the text that it is set to. */
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
