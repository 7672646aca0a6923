/** Shows many changes in one editor. */
import { commands, Uri, window } from 'vscode';
import { TreeChange } from '../git/treeDiff';
import { t } from '../l10n';
import { grouped } from '../model/numberText';
import { Repository } from '../model/Repository';
import { WorkspacePaths } from '../model/WorkspacePaths';
import { RepoPath } from '../protocol';
import { contentUri, worktreeUri } from '../scm/uris';

/** Limit for the changes in one editor: VS Code draws all of them at once. */
const kMaxViewed = 500;

/** Arguments of `vscode.changes` for one file: its URI, its old side, its new side. */
export type Sides = [Uri, Uri | undefined, Uri | undefined];

/** Calls `sidesOf` only for the changes that are shown. */
export async function viewChanges<T>(
  title: string,
  changes: readonly T[],
  sidesOf: (change: T) => Sides | undefined,
): Promise<void> {
  if (changes.length === 0) {
    void window.showInformationMessage(t('There are no changes to show.'));
    return;
  }
  const sides = changes.slice(0, kMaxViewed).map(sidesOf);
  await commands.executeCommand(
    'vscode.changes',
    title,
    sides.filter((side) => side !== undefined),
  );
  if (changes.length > kMaxViewed) {
    const count = grouped(changes.length);
    void window.showInformationMessage(
      t('Resident Git shows the first {0} of {1} changes.', kMaxViewed, count),
    );
  }
}

/** The sides of a change between two trees. Undefined: a submodule, which has no content to show. */
export function blobSides(
  paths: WorkspacePaths,
  repository: Repository,
  { path, from = path, left, right }: TreeChange,
): Sides | undefined {
  const uri = (where: RepoPath, oid: string | undefined) =>
    oid === undefined ? undefined : contentUri(paths, repository, where, `blob:${oid}`);
  const [before, after] = [uri(from, left), uri(path, right)];
  return (before ?? after) ? [worktreeUri(paths, repository, path), before, after] : undefined;
}
