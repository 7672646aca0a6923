/**
 * What restoring a file would overwrite without a word: git removes a folder that stands where the file was, with all
 * that is in it, and a file that stands where one of its folders was (`remove_subtree`, `create_directories` in git's
 * entry.c). Nobody chose those. Does not know `vscode`.
 */
import { lstat } from 'node:fs/promises';
import { RepoPath } from '../protocol';
import { Left } from '../model/changes';
import { join, toBytes } from '../model/repoPath';

type Kind = 'folder' | 'other' | 'none';

/** Those of the paths that cannot be restored without a loss of something else. */
export async function blockers(root: string, paths: readonly RepoPath[]): Promise<Left[]> {
  const known = new Map<RepoPath, Promise<Kind>>();
  const kindOf = (path: RepoPath): Promise<Kind> => {
    let kind = known.get(path);
    if (kind === undefined) known.set(path, (kind = look(root, path)));
    return kind;
  };
  const blocked: Left[] = [];
  for (const path of paths) {
    for (let end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1)) {
      const folder = path.slice(0, end);
      const kind = await kindOf(folder);
      if (kind === 'other')
        blocked.push({ path, why: `would overwrite ${folder}, which is no folder any more` });
      if (kind !== 'folder') break;
    }
    if ((await look(root, path)) === 'folder') {
      blocked.push({ path, why: 'would remove the folder that stands there now' });
    }
  }
  return blocked;
}

async function look(root: string, path: RepoPath): Promise<Kind> {
  try {
    return (await lstat(toBytes(join(root, path)))).isDirectory() ? 'folder' : 'other';
  } catch {
    return 'none';
  }
}
