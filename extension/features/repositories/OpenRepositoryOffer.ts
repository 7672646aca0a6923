/** Asks whether to open repositories that were found. */
import { window } from 'vscode';
import { t } from '../../l10n';
import { Feature } from '../../lifecycle';
import { toDisplay } from '../../model/repoPath';
import { RepositoryRegistry } from '../../model/RepositoryRegistry';
import { WorktreeRoot } from '../../protocol';
import { answerAll, Answering } from './openCommands';

/** Asks once per window about each repository whose rule says "ask". */
export class OpenRepositoryOffer extends Feature {
  private readonly asked = new Set<WorktreeRoot>();

  constructor(
    registry: RepositoryRegistry,
    private readonly context: Answering,
  ) {
    super();
    // This event also fires after every search for repositories.
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
