/** What a command says: what it did, what it did not do, and what it asks before a loss. */
import { window } from 'vscode';
import { t } from '../l10n';
import { Left } from '../model/changes';
import { toDisplay } from '../model/repoPath';

/** A message names so many paths. */
const kNamed = 5;

export function tellLeft(left: readonly Left[]): void {
  if (left.length === 0) return;
  const named = left.slice(0, kNamed).map(({ path, why }) => `${toDisplay(path)} ${toDisplay(why)}`);
  const more = left.length > kNamed ? t('; and {0} more', left.length - kNamed) : '';
  void window.showWarningMessage(t('Not changed: {0}{1}.', named.join('; '), more));
}

export function tellNoSuchChange(): void {
  void window.showInformationMessage(t('This file has no such change.'));
}

/** Says what was done. `undo` runs where the person wants that; it checks again before it acts. */
export function tellDone(message: string, undo: () => Promise<unknown>): void {
  const label = t('Undo');
  void window
    .showInformationMessage(message, label)
    .then((answer) => (answer === label ? undo() : undefined));
}

export function tellNotUndone(): void {
  void window.showWarningMessage(t('Nothing was undone: the repository has changed since.'));
}

/** A question with one yes. */
export async function isMeant(message: string, yes: string, detail?: string): Promise<boolean> {
  const options = detail === undefined ? { modal: true } : { modal: true, detail };
  return (await window.showWarningMessage(message, options, yes)) === yes;
}
