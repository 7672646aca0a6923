/** Shows many changes in one editor. */
import { commands, Uri, window } from 'vscode';
import { t } from '../l10n';

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
    const count = changes.length.toLocaleString('en');
    void window.showInformationMessage(
      t('Resident Git shows the first {0} of {1} changes.', kMaxViewed, count),
    );
  }
}
