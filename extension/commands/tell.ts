/** What a command says of what it did not do, and asks before what cannot be undone. */
import { window } from 'vscode';
import { t } from '../l10n';
import { Left } from '../model/changes';
import { toDisplay } from '../model/repoPath';

/** How many of the paths a message names. */
const kNamed = 5;

export function tellLeft(left: readonly Left[]): void {
  if (left.length === 0) return;
  const named = left.slice(0, kNamed).map(({ path, why }) => `${toDisplay(path)} ${toDisplay(why)}`);
  const more = left.length > kNamed ? t('; and {0} more', left.length - kNamed) : '';
  void window.showWarningMessage(t('Resident Git left alone: {0}{1}.', named.join('; '), more));
}

export function tellNoSuchChange(): void {
  void window.showInformationMessage(t('Resident Git knows of no such change to this file.'));
}

/** A question with one yes. */
export async function isMeant(message: string, yes: string, detail?: string): Promise<boolean> {
  const options = detail === undefined ? { modal: true } : { modal: true, detail };
  return (await window.showWarningMessage(message, options, yes)) === yes;
}
