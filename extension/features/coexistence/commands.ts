/** Commands that answer the question about the built-in Git, and undo the answer. */
import { window } from 'vscode';
import { CommandContext, CommandTable } from '../../commands/context';
import { t } from '../../l10n';
import { applyAndTell, undoAndTell } from './applyAnswer';
import { Coexistence } from './Coexistence';
import { kAnswers } from './CoexistenceOffer';

export interface CoexistenceContext extends CommandContext {
  coexistence: Coexistence;
}

export const coexistenceCommands = {
  'residentGit.setUpCoexistence': async (context) => {
    const placeHolder = t('Choose how to work with built-in Git');
    const picked = await window.showQuickPick(kAnswers, { placeHolder });
    if (picked?.answer !== undefined) await applyAndTell(context, picked.answer);
  },
  'residentGit.undoCoexistence': undoAndTell,
} satisfies CommandTable<CoexistenceContext>;
