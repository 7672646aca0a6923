/** Repositories that were found but are not open: asks about them, opens them, and closes them again. */
import { window } from 'vscode';
import { CommandContext, CommandTable } from '../../commands/context';
import { inRepository } from '../../commands/repository';
import { t } from '../../l10n';
import { basename, toDisplay } from '../../model/repoPath';
import { WorktreeRoot } from '../../protocol';
import { OpenAnswer, OpenAnswers } from './OpenAnswers';

export interface OpeningContext extends CommandContext {
  openAnswers: OpenAnswers;
}

export type Answering = Pick<OpeningContext, 'registry' | 'openAnswers'>;

export const openRepositoryCommands = {
  'residentGit.openRepository': (context) => pickAndOpen(context),
  'residentGit.closeRepository': inRepository((context, { root }) => answerAll(context, [root], 'close')),
} satisfies CommandTable<OpeningContext>;

export async function answerAll(
  { registry, openAnswers }: Answering,
  roots: readonly WorktreeRoot[],
  answer: OpenAnswer,
): Promise<void> {
  await openAnswers.note(roots, answer);
  await registry.discoverAll();
}

async function pickAndOpen(context: Answering): Promise<void> {
  const items = [...context.registry.leftOut.keys()].map((root) => ({
    label: `$(repo) ${toDisplay(basename(root))}`,
    description: toDisplay(root),
    root,
  }));
  if (items.length === 0) {
    void window.showInformationMessage(t('All repositories that were found are open.'));
    return;
  }
  const placeHolder = t('Select repositories to open');
  const picked = await window.showQuickPick(items, {
    placeHolder,
    canPickMany: true,
    matchOnDescription: true,
  });
  if (picked !== undefined && picked.length > 0) {
    await answerAll(
      context,
      picked.map(({ root }) => root),
      'open',
    );
  }
}
