/** Repositories that were found and are not open: asked about, opened, and closed again. */
import { window } from 'vscode';
import { Feature } from '../lifecycle';
import { t } from '../l10n';
import { basename, toDisplay } from '../model/repoPath';
import { RepositoryRegistry } from '../model/RepositoryRegistry';
import { OpenAnswer } from '../scm/OpenAnswers';
import { WorktreeRoot } from '../protocol';
import { CommandContext, CommandTable } from './context';
import { inRepository } from './repository';

type Answering = Pick<CommandContext, 'registry' | 'openAnswers'>;

export const openRepositoryCommands = {
  'residentGit.openRepository': (context) => pickAndOpen(context),
  'residentGit.closeRepository': inRepository((context, { root }) => answerAll(context, [root], 'close')),
} satisfies CommandTable;

async function answerAll(
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

/** Asks once per window about what the rule says to ask about. */
export class OpenRepositoryOffer extends Feature {
  private readonly asked = new Set<WorktreeRoot>();

  constructor(
    registry: RepositoryRegistry,
    private readonly context: Answering,
  ) {
    super();
    // The end of every look for repositories is among what it tells.
    this.store.add(
      registry.onDidChangeProblems(() => {
        const roots = [...registry.leftOut].flatMap(([root, verdict]) => (verdict === 'ask' ? [root] : []));
        void this.ask(roots.filter((root) => !this.asked.has(root)));
      }),
    );
  }

  private async ask(roots: readonly WorktreeRoot[]): Promise<void> {
    const [first] = roots;
    if (first === undefined) return;
    for (const root of roots) this.asked.add(root);
    const message =
      roots.length === 1
        ? t("Resident Git found the repository '{0}'. Would you like to open it?", toDisplay(first))
        : t('Resident Git found {0} repositories. Would you like to open them?', roots.length);
    // "Open Repository..." lets the user choose some of them.
    const [open, never] = [t('Open'), t('Never')] as const;
    const answer = await window.showInformationMessage(message, open, never);
    if (answer === open) await answerAll(this.context, roots, 'open');
    if (answer === never) await answerAll(this.context, roots, 'close');
  }
}
