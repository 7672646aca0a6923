/**
 * Finds files and folders that git would silently delete when it restores a file. Their deletion was never chosen by
 * the user. Does not know `vscode`.
 *
 * Two cases (`remove_subtree`, `create_directories` in git's entry.c):
 *  - A folder with the name of the file: git removes it with all its content.
 *  - A file in place of a parent folder: git removes it.
 */
import { lstat } from 'node:fs/promises';
import { RepoPath } from '../protocol';
import { t } from '../l10n';
import { Left } from '../model/left';
import { join, toBytes } from '../model/repoPath';

type Kind = 'folder' | 'other' | 'none';

/** Limit for parallel lstat() calls. */
const kAtOnce = 200;

/** The paths that cannot be restored without deleting something else, each with the reason. */
export async function blockers(root: string, paths: readonly RepoPath[]): Promise<Left[]> {
  const folders = new Map<RepoPath, Promise<Kind>>();
  const kindOfFolder = (path: RepoPath): Promise<Kind> => {
    let kind = folders.get(path);
    if (kind === undefined) folders.set(path, (kind = look(root, path)));
    return kind;
  };
  const whyBlocked = async (path: RepoPath): Promise<string | undefined> => {
    for (let end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1)) {
      const folder = path.slice(0, end);
      const kind = await kindOfFolder(folder);
      if (kind === 'other') return t('needs a folder in place of the file {0}', folder);
      if (kind === 'none') return undefined;
    }
    return (await look(root, path)) === 'folder' ? t('would replace a folder of the same name') : undefined;
  };
  const blocked: Left[] = [];
  for (let i = 0; i < paths.length; i += kAtOnce) {
    const slice = paths.slice(i, i + kAtOnce);
    const whys = await Promise.all(slice.map(whyBlocked));
    slice.forEach((path, j) => {
      const why = whys[j];
      if (why !== undefined) blocked.push({ path, why });
    });
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
