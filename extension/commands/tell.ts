/** Messages of commands: their results, the files left unchanged, and questions before a loss. */
import { window } from 'vscode';
import { t } from '../l10n';
import { Left } from '../model/left';
import { toDisplay } from '../model/repoPath';

/** Limit for the paths named in one message. */
const kNamed = 5;

export function tellLeft(left: readonly Left[]): void {
  if (left.length === 0) return;
  const named = left.slice(0, kNamed).map(({ path, why }) => `${toDisplay(path)} ${toDisplay(why)}`);
  const more = left.length > kNamed ? t('; and {0} more', left.length - kNamed) : '';
  void window.showWarningMessage(t('Some files were left unchanged. {0}{1}.', named.join('; '), more));
}

export function tellNoSuchChange(): void {
  void window.showInformationMessage(t('This file has no change for this command.'));
}

/** Reports a finished command, with an Undo button. `undo` checks the repository again before it acts. */
export function tellDone(message: string, undo: () => Promise<unknown>): void {
  const label = t('Undo');
  void window
    .showInformationMessage(message, label)
    .then((answer) => (answer === label ? undo() : undefined));
}

export function tellNotUndone(): void {
  void window.showWarningMessage(
    t('Undo did nothing, because the repository has changed since the command.'),
  );
}

/** A modal question with one button for "yes". */
export async function isMeant(message: string, yes: string, detail?: string): Promise<boolean> {
  const options = detail === undefined ? { modal: true } : { modal: true, detail };
  return (await window.showWarningMessage(message, options, yes)) === yes;
}
