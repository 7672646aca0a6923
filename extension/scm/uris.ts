/**
 * The URIs of rows, badges and editors. `vscode.Uri.toString` throws on lone surrogates. A path that is not valid text is
 * therefore never put into a URI unchanged. Its URI has a display text as the path, and the bytes in the query.
 */
import { Uri } from 'vscode';
import { RepoPath } from '../protocol';
import { formatContentQuery } from '../model/contentQuery';
import { Source } from '../model/openTarget';
import { fromPercent, isText, join, toDisplay, toPercent } from '../model/repoPath';
import { Repository } from '../model/Repository';
import { WorkspacePaths } from '../model/WorkspacePaths';

export const kContentScheme = 'resident-git';
const kBytesQuery = 'bytes=';

/** Every URI by which the editor can name a file of the worktree. Show the first. Never empty. */
export function worktreeUris(paths: WorkspacePaths, repository: Repository, path: RepoPath): [Uri, ...Uri[]] {
  const real = join(repository.root, path.endsWith('/') ? path.slice(0, -1) : path);
  const [first, ...others] = paths.toOpened(real);
  return [fileUri(first), ...others.map(fileUri)];
}

export function worktreeUri(paths: WorkspacePaths, repository: Repository, path: RepoPath): Uri {
  return worktreeUris(paths, repository, path)[0];
}

function fileUri(path: string): Uri {
  if (isText(path)) return Uri.file(path);
  // The query distinguishes the file from a file whose real name is the display text.
  return Uri.file(toDisplay(path)).with({ query: kBytesQuery + toPercent(path) });
}

/** Inverts `worktreeUris`: returns the path that the user sees, with all its bytes. */
export function pathOf(uri: Uri): string {
  return uri.query.startsWith(kBytesQuery) ? fromPercent(uri.query.slice(kBytesQuery.length)) : uri.fsPath;
}

/** The version of a file in `source`. The URI's path is for titles and languages; the query identifies the version. */
export function contentUri(
  paths: WorkspacePaths,
  repository: Repository,
  path: RepoPath,
  source: Source,
): Uri {
  const [shown] = paths.toOpened(join(repository.root, path));
  const query = formatContentQuery({ root: repository.root, path, source });
  return Uri.file(toDisplay(shown)).with({ scheme: kContentScheme, query });
}

/** The file in the worktree, by a URI that the editor can open. */
export function openableUri(paths: WorkspacePaths, repository: Repository, path: RepoPath): Uri {
  if (isText(path) && isText(repository.root)) return worktreeUri(paths, repository, path);
  return contentUri(paths, repository, path, 'worktree');
}
