/** Asks the question about the built-in Git. */
import { QuickPickItem, window, workspace } from 'vscode';
import { BuiltInGit } from '../../git/BuiltInGit';
import { t } from '../../l10n';
import { Feature } from '../../lifecycle';
import { messageOf } from '../../model/messageOf';
import { Repository } from '../../model/Repository';
import { RepositoryRegistry } from '../../model/RepositoryRegistry';
import { applyAndTell, Applying, tellContext } from './applyAnswer';
import { Offer } from './Coexistence';
import { keepFast } from './keepFast';

const kFast = t('Keep, Made Fast');
const kOnly = t('Disable Built-in');
const kSideBySide = t('Side by Side');
const kNotNow = t('Not Now');

/** In the order of the buttons. A detail has at most 80 characters: a quick pick cuts longer ones. */
export const kAnswers: readonly (QuickPickItem & { act?: (context: Applying) => Promise<void> })[] = [
  {
    label: t('Keep Built-in Git, Made Fast'),
    act: keepFast,
    detail: t('Its view, timeline, blame and graph stay. git asks Resident Git for changes.'),
  },
  {
    label: kOnly,
    act: (context) => applyAndTell(context, 'only'),
    detail: t('Built-in Git closes this repository. Its timeline and graph are empty.'),
  },
  {
    label: kSideBySide,
    act: (context) => applyAndTell(context, 'sideBySide'),
    detail: t('Built-in Git stays on. Only its badges and its count are hidden.'),
  },
  { label: kNotNow, detail: t('Nothing changes.') },
];

const kQuestions: Readonly<Record<Offer, string>> = {
  first: t('Changes and badges appear twice: keep built-in Git and make it fast, or turn it off here?'),
  trap: t(
    'git.autorefresh is off, so Discard in built-in Git can delete committed files: turn built-in Git off here?',
  ),
  count: t('The badge of Source Control counts each change twice: hide the count of built-in Git?'),
};

/** Asks after a repository is verified: then the view shows the problem. */
export class CoexistenceOffer extends Feature {
  private isAsking = false;
  /** A question that the user closed without an answer comes back in the next window. */
  private isDone = false;
  private queue = Promise.resolve();

  constructor(
    private readonly registry: RepositoryRegistry,
    builtIn: BuiltInGit,
    private readonly context: Applying,
  ) {
    super();
    const update = () => {
      this.update();
    };
    this.store.add(builtIn.onDidChange(update));
    this.store.add(
      workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('git')) update();
      }),
    );
    this.store.add(
      registry.onDidOpen((repository: Repository) => {
        update();
        repository.onDidChange(({ stale, state }) => {
          if (stale || state) update();
        });
      }),
    );
  }

  private update(): void {
    const { coexistence, log } = this.context;
    this.queue = this.queue.then(async () => {
      try {
        await coexistence.reconcile();
        tellContext(this.context);
      } catch (error) {
        log.error(`the built-in Git cannot be changed: ${messageOf(error)}`);
      }
    });
    void this.ask();
  }

  private async ask(): Promise<void> {
    if (this.isAsking || this.isDone) return;
    if (!this.registry.repositories.some(({ verified }) => verified)) return;
    const { coexistence, log } = this.context;
    const { offer } = coexistence;
    if (offer === undefined) return;
    this.isAsking = true;
    try {
      const buttons = offer === 'first' ? [kFast, kOnly, kNotNow] : [kOnly, kSideBySide, kNotNow];
      const label = await window.showInformationMessage(kQuestions[offer], ...buttons);
      await coexistence.recordShown(offer);
      const act = label === kFast ? keepFast : kAnswers.find((each) => each.label === label)?.act;
      if (label === kNotNow) await coexistence.noteNotNow();
      await act?.(this.context);
      // A choice that the user cancels changes nothing: the question comes back in the next window.
      this.isDone = act === undefined || act === keepFast;
    } catch (error) {
      this.isDone = true;
      log.error(messageOf(error));
      void window.showErrorMessage(t('A setting could not be changed: {0}', messageOf(error)));
    } finally {
      this.isAsking = false;
    }
  }
}
