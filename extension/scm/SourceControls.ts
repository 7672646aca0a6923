/**
 * Makes a SourceControl for each repository. A repository that cannot be opened also gets a SourceControl with the reason,
 * unless the text of the empty view explains it.
 */
import { commands, scm, SourceControl, SourceControlInputBox, Uri, window } from 'vscode';
import { setContextKey } from '../contextKeys';
import { Feature } from '../lifecycle';
import { t } from '../l10n';
import { reasonText } from '../model/helperReasons';
import { toDisplay } from '../model/repoPath';
import { Repository } from '../model/Repository';
import { RepositoryRegistry } from '../model/RepositoryRegistry';
import { kUnsafe, unsafeReason } from '../model/safeDirectory';
import { GroupId } from '../model/status';
import { DrawTurns } from './DrawTurns';
import { KeptMessages } from './KeptMessages';
import { OperationSteps } from './OperationSteps';
import { QuickDiff } from './QuickDiff';
import { kProviderId, kProviderLabel, RepositorySourceControl, showReason } from './RepositorySourceControl';
import { Synchronizing } from './Synchronizing';
import { WelcomeKey } from './WelcomeKey';

export class SourceControls extends Feature {
  private readonly shown = new Map<Repository, RepositorySourceControl>();
  private readonly problems = new Map<string, SourceControl>();
  /** Texts of shown notifications: each is shown once. */
  private readonly warned = new Set<string>();
  private readonly turns: DrawTurns;

  constructor(
    private readonly registry: RepositoryRegistry,
    private readonly quickDiff: QuickDiff,
    readonly keptMessages: KeptMessages,
    private readonly steps: OperationSteps,
    private readonly synchronizing: Synchronizing,
    private readonly welcome: WelcomeKey,
    private readonly readTemplate: (repository: Repository) => Promise<string>,
    private readonly showLog: () => void,
    hasStrangers: () => boolean,
  ) {
    super();
    this.turns = new DrawTurns(hasStrangers, () =>
      // Sets a key to its current value: this only causes an answer of the editor.
      commands.executeCommand('setContext', 'residentGit.repositoryCount', this.shown.size),
    );
    this.store.add(
      registry.onDidOpen((repository) => {
        this.shown.set(repository, this.create(repository));
        this.updateCount();
      }),
    );
    this.store.add(
      registry.onDidFail(({ root, state }) => {
        if (state.state === 'failed') void this.tell(root, state.message);
      }),
    );
    this.store.add(
      registry.onDidClose((repository) => {
        this.shown.get(repository)?.dispose();
        this.shown.delete(repository);
        this.updateCount();
      }),
    );
    this.store.add(
      steps.onDidChange((repository) => {
        this.shown.get(repository)?.showOperation(steps.of(repository));
      }),
    );
    this.store.add(
      synchronizing.onDidChange((repository) => {
        this.shown.get(repository)?.showSynchronizing(synchronizing.has(repository));
      }),
    );
    this.store.add(
      registry.onDidChangeProblems(() => {
        this.updateProblems();
      }),
    );
    this.store.add(
      welcome.onDidChange(() => {
        this.updateProblems();
      }),
    );
  }

  /** The repository of a SourceControl. Commands in the view's title get a SourceControl as their argument. */
  repositoryOf(sourceControl: SourceControl): Repository | undefined {
    for (const [repository, own] of this.shown) if (own.sourceControl === sourceControl) return repository;
    return undefined;
  }

  /** Shows a cancel button while git runs, if several repositories are shown. */
  showRunning(repository: Repository, isRunning: boolean): void {
    this.shown.get(repository)?.showRunning(isRunning);
  }

  inputBoxOf(repository: Repository): SourceControlInputBox | undefined {
    return this.shown.get(repository)?.sourceControl.inputBox;
  }

  /** The text in the input box; '': empty, or the unchanged template. */
  messageIn(repository: Repository): string {
    return this.shown.get(repository)?.message ?? '';
  }

  /** Like `messageIn`, but also '' for git's unchanged prepared message. */
  editedMessageIn(repository: Repository): string {
    return this.shown.get(repository)?.editedMessage ?? '';
  }

  /** Empties the input box for the next message, and puts the template there. */
  clearMessage(repository: Repository): void {
    this.shown.get(repository)?.clearMessage();
  }

  /** The repository and the model's groups of a group in the view. Commands on a group get it as their argument. */
  groupOf(group: unknown): { repository: Repository; ids: readonly GroupId[] } | undefined {
    for (const [repository, own] of this.shown) {
      const ids = own.groupIdsOf(group);
      if (ids !== undefined) return { repository, ids };
    }
    return undefined;
  }

  /** Call after a change of the workspace folders: it can change the paths by which the user opened files. */
  rebuild(): void {
    for (const [repository, own] of [...this.shown]) {
      const message = own.sourceControl.inputBox.value;
      own.dispose();
      const next = this.create(repository);
      next.sourceControl.inputBox.value = message;
      this.shown.set(repository, next);
    }
    this.updateCount();
  }

  override dispose(): void {
    for (const own of this.shown.values()) own.dispose();
    for (const problem of this.problems.values()) problem.dispose();
    this.turns.dispose();
    super.dispose();
  }

  private create(repository: Repository): RepositorySourceControl {
    const own = new RepositorySourceControl(
      repository,
      this.registry,
      this.quickDiff,
      this.keptMessages,
      () => this.readTemplate(repository),
      this.turns,
    );
    own.showOperation(this.steps.of(repository));
    own.showSynchronizing(this.synchronizing.has(repository));
    return own;
  }

  private updateCount(): void {
    setContextKey('residentGit.repositoryCount', this.shown.size);
    for (const own of this.shown.values()) own.setSeveral(this.shown.size > 1);
  }

  private updateProblems(): void {
    for (const [path, shown] of [...this.problems]) {
      if (this.registry.problems.has(path) && !this.welcome.explainsProblems) continue;
      shown.dispose();
      this.problems.delete(path);
    }
    for (const [path, message] of this.registry.problems) {
      void this.tell(path, message);
      // The view shows its text only while it is empty: a row would hide the text.
      if (this.welcome.explainsProblems) continue;
      let sourceControl = this.problems.get(path);
      if (sourceControl === undefined) {
        sourceControl = scm.createSourceControl(kProviderId, kProviderLabel, Uri.file(toDisplay(path)));
        this.problems.set(path, sourceControl);
      }
      showReason(sourceControl, message);
    }
  }

  private async tell(path: string, message: string): Promise<void> {
    const text = `Resident Git: ${toDisplay(path)}: ${toDisplay(unsafeReason(message) ?? reasonText(message))}`;
    if (this.warned.has(text)) return;
    this.warned.add(text);
    const [showLog, manage] = [t('Show Log'), t('Manage Unsafe...')] as const;
    const buttons = kUnsafe.test(message) ? [manage, showLog] : [showLog];
    const answer = await window.showWarningMessage(text, ...buttons);
    if (answer === showLog) this.showLog();
    if (answer === manage) await commands.executeCommand('residentGit.manageUnsafeRepositories');
  }
}
