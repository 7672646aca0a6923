/** Applies and undoes the answer about the built-in Git, and tells the user. `Coexistence` writes the settings. */
import { window } from 'vscode';
import { CommandContext } from '../../commands/context';
import { tellDone } from '../../commands/tell';
import { setContextKey } from '../../contextKeys';
import { t } from '../../l10n';
import { Accelerator } from '../accelerate/Accelerator';
import { Coexistence } from './Coexistence';
import { FastGit } from './FastGit';
import { Answer, describe, Write } from './plan';

export type Applying = Pick<CommandContext, 'log' | 'registry'> & {
  accelerator: Accelerator;
  coexistence: Coexistence;
  fastGit: FastGit;
};

export async function undoAndTell(context: Applying): Promise<void> {
  const { coexistence, fastGit, log, registry } = context;
  const writes = await coexistence.undo();
  for (const write of writes) log.info(describe(write));
  const lines = await fastGit.undo(registry.repositories.map(({ root }) => root));
  for (const line of lines) log.info(line);
  tellContext(context);
  const none = t('Nothing to undo.');
  void window.showInformationMessage(
    writes.length + lines.length === 0 ? none : t('The settings of built-in Git are restored.'),
  );
}

export async function applyAndTell(context: Applying, answer: Answer): Promise<void> {
  tellApplied(context, answer, (await apply(context, answer)).length);
}

export async function apply(context: Applying, answer: Answer): Promise<Write[]> {
  const writes = await context.coexistence.apply(answer);
  for (const write of writes) context.log.info(describe(write));
  tellContext(context);
  return writes;
}

/** `changes`: the number of changed settings. */
export function tellApplied(context: Applying, answer: Answer, changes: number): void {
  if (changes === 0) void window.showInformationMessage(t('Nothing to change.'));
  else tellDone(applied(answer, context.registry.repositories.length), () => undoAndTell(context));
}

function applied(answer: Answer, repositories: number): string {
  if (answer === 'sideBySide') return t('Built-in Git stays on. Its badges and its count are hidden.');
  if (answer !== 'only') return t('Built-in Git stays on, and git asks Resident Git which files changed.');
  return repositories === 1
    ? t('Built-in Git is off for this repository.')
    : t('Built-in Git is off for these {0} repositories.', repositories);
}

export function tellContext({ coexistence, fastGit, registry }: Applying): void {
  const roots = registry.repositories.map(({ root }) => root);
  setContextKey('residentGit.coexistenceApplied', coexistence.canUndo || fastGit.canUndo(roots));
}
