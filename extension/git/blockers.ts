/**
 * What restoring a file would overwrite without a word: git removes a folder that stands where the file was, with all
 * that is in it, and a file that stands where one of its folders was (`remove_subtree`, `create_directories` in git's
 * entry.c). Nobody chose those. Does not know `vscode`.
 */
import { lstat } from 'node:fs/promises';
import { RepoPath } from '../protocol';
import { t } from '../l10n';
import { Left } from '../model/changes';
import { join, toBytes } from '../model/repoPath';

type Kind = 'folder' | 'other' | 'none';

/** Looks at the disk that are under way at once. */
const kAtOnce = 200;

/** Those of the paths that cannot be restored without a loss of something else. */
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
      if (kind === 'other') return t('would overwrite the file {0}, which was a folder', folder);
      if (kind === 'none') return undefined;
    }
    return (await look(root, path)) === 'folder'
      ? t('would delete the folder that has its name now')
      : undefined;
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
