/** Commands that answer the question about the built-in Git, and undo the answer. */
import { window } from 'vscode';
import { CommandContext, CommandTable } from '../../commands/context';
import { t } from '../../l10n';
import { Applying, undoAndTell } from './applyAnswer';
import { kAnswers } from './CoexistenceOffer';

export type CoexistenceContext = CommandContext & Applying;

export const coexistenceCommands = {
  'residentGit.setUpCoexistence': async (context) => {
    const placeHolder = t('Choose how to work with built-in Git');
    const picked = await window.showQuickPick(kAnswers, { placeHolder });
    await picked?.act?.(context);
  },
  'residentGit.undoCoexistence': undoAndTell,
} satisfies CommandTable<CoexistenceContext>;
