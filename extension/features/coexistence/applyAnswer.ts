/** Applies and undoes the answer about the built-in Git, and tells the user. `Coexistence` writes the settings. */
import { window } from 'vscode';
import { CommandContext } from '../../commands/context';
import { tellDone } from '../../commands/tell';
import { setContextKey } from '../../contextKeys';
import { t } from '../../l10n';
import { Coexistence } from './Coexistence';
import { Answer, describe } from './plan';

export type Applying = Pick<CommandContext, 'log' | 'registry'> & { coexistence: Coexistence };

export async function undoAndTell({ coexistence, log }: Applying): Promise<void> {
  const writes = await coexistence.undo();
  for (const write of writes) log.info(describe(write));
  tellContext(coexistence);
  const none = t('Nothing to undo.');
  void window.showInformationMessage(
    writes.length === 0 ? none : t('The settings of built-in Git are restored.'),
  );
}

export async function applyAndTell(context: Applying, answer: Answer): Promise<void> {
  const { coexistence, log, registry } = context;
  const writes = await coexistence.apply(answer);
  for (const write of writes) log.info(describe(write));
  tellContext(coexistence);
  if (writes.length === 0) {
    void window.showInformationMessage(t('Nothing to change.'));
    return;
  }
  tellDone(applied(answer, registry.repositories.length), () => undoAndTell(context));
}

function applied(answer: Answer, repositories: number): string {
  if (answer === 'sideBySide') return t('Built-in Git stays on. Its badges and its count are hidden.');
  return repositories === 1
    ? t('Built-in Git is off for this repository.')
    : t('Built-in Git is off for these {0} repositories.', repositories);
}

export function tellContext({ canUndo }: Coexistence): void {
  setContextKey('residentGit.coexistenceApplied', canUndo);
}
