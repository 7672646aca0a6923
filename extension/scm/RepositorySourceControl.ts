/** One repository in the Source Control view: its groups, rows, buttons and input box. */
import { Command, scm, SourceControl, SourceControlResourceGroup, workspace } from 'vscode';
import { affectsSetting, configOf } from '../config';
import { Feature } from '../lifecycle';
import { grouped } from '../model/numberText';
import { RepoPath, StatusEntry } from '../protocol';
import { t } from '../l10n';
import { reasonText } from '../model/helperReasons';
import { toDisplay } from '../model/repoPath';
import { entriesEqual, Repository, RepositoryChange } from '../model/Repository';
import { RepositoryRegistry } from '../model/RepositoryRegistry';
import { GroupId, groupIds, groupsWithin, statusIn } from '../model/status';
import { OperationStep, operationText } from '../model/operations';
import { areSameCommands, branchCommands } from './branchCommands';
import { DrawTurns } from './DrawTurns';
import { GroupRows } from './GroupRows';
import { KeptMessages } from './KeptMessages';
import { PreparedMessage } from './PreparedMessage';
import { QuickDiff } from './QuickDiff';
import { Resource } from './Resource';
import { worktreeUri } from './uris';

export const kProviderId = 'resident-git';
export const kProviderLabel = 'Resident Git';
const kCommitCommand = 'residentGit.commit';

export const kGroupLabels: Readonly<Record<GroupId, string>> = {
  merge: t('Merge Changes'),
  index: t('Staged Changes'),
  workingTree: t('Changes'),
  untracked: t('Untracked Changes'),
};

export class RepositorySourceControl extends Feature {
  readonly sourceControl: SourceControl;
  private readonly groups = new Map<GroupId, Group>();
  private readonly prepared: PreparedMessage;
  private isRestored = false;
  private isSeveral = false;
  private isRunning = false;
  private isSynchronizing = false;
  private step: OperationStep | undefined;
  private shownCommands: readonly Command[] = [];

  constructor(
    readonly repository: Repository,
    registry: RepositoryRegistry,
    quickDiff: QuickDiff,
    private readonly keptMessages: KeptMessages,
    readTemplate: () => Promise<string>,
    turns: DrawTurns,
  ) {
    super();
    const rootUri = worktreeUri(registry.paths, repository, '');
    this.sourceControl = this.store.add(scm.createSourceControl(kProviderId, kProviderLabel, rootUri));
    this.sourceControl.quickDiffProvider = quickDiff;
    this.sourceControl.acceptInputCommand = {
      command: kCommitCommand,
      title: t('Commit'),
      arguments: [this.sourceControl],
    };
    this.prepared = this.store.add(
      new PreparedMessage(repository, this.sourceControl.inputBox, readTemplate),
    );
    for (const id of groupIds) {
      const shown = this.sourceControl.createResourceGroup(id, kGroupLabels[id]);
      shown.hideWhenEmpty = isHiddenWhenEmpty(id, repository);
      const group = new Group(id, shown, repository, registry, () => {
        turns.request(this);
      });
      this.groups.set(id, this.store.add(group));
    }
    this.store.add(
      repository.onDidChange((change) => {
        this.apply(change);
      }),
    );
    this.store.add(
      workspace.onDidChangeConfiguration((event) => {
        if (affectsSetting(event, 'gutterComparesWith')) this.compareGutterAnew(quickDiff);
        if (affectsSetting(event, 'alwaysShowStagedChangesResourceGroup')) {
          for (const [id, { shown }] of this.groups) shown.hideWhenEmpty = isHiddenWhenEmpty(id, repository);
          turns.noteOutside(this);
        }
        if (!affectsSetting(event, 'untrackedChanges')) return;
        for (const group of this.groups.values()) group.refill();
        this.count();
        this.showBranch();
      }),
    );
    this.store.add(
      workspace.onDidGrantWorkspaceTrust(() => {
        this.showInput();
        this.showBranch();
        turns.noteOutside(this);
        void this.prepared.updateTemplate();
      }),
    );
    this.store.add({
      dispose: () => {
        turns.forget(this);
      },
    });
    this.showInput();
    this.restoreMessage();
    this.prepared.update();
    this.count();
    turns.noteOutside(this);
  }

  /** Sets the provider again: the editor asks for the originals again only if it gets a provider. */
  private compareGutterAnew(quickDiff: QuickDiff): void {
    // The API accepts undefined; its types do not.
    Object.assign(this.sourceControl, { quickDiffProvider: undefined });
    this.sourceControl.quickDiffProvider = quickDiff;
  }

  drawRows(): boolean {
    const changed = [...this.groups.values()].filter((group) => group.hasChanged);
    for (const group of changed) group.assign();
    return changed.length > 0;
  }

  /** True: a group's new name waits for the next redraw. A name costs the editor as much as the rows. */
  get awaitsRedraw(): boolean {
    return [...this.groups.values()].some((group) => !group.isNamed);
  }

  /** Sets the name of a group: the editor then draws the whole repository again, even for an unchanged name. */
  redraw(): void {
    const groups = [...this.groups.values()];
    const renamed = groups.filter((group) => !group.isNamed);
    for (const group of renamed.length > 0 ? renamed : groups.slice(0, 1)) group.name();
  }

  /** True: several repositories are shown. Each then needs its own cancel button, outside of the view's title. */
  setSeveral(isSeveral: boolean): void {
    if (this.isSeveral === isSeveral) return;
    this.isSeveral = isSeveral;
    this.showBranch();
  }

  /** True: git runs in this repository, or waits to run. */
  showRunning(isRunning: boolean): void {
    if (this.isRunning === isRunning) return;
    this.isRunning = isRunning;
    this.showBranch();
  }

  /** True: git talks to a remote. */
  showSynchronizing(isSynchronizing: boolean): void {
    this.isSynchronizing = isSynchronizing;
    this.showBranch();
  }

  /** The text in the input box; '': empty, or the unchanged template. */
  get message(): string {
    return this.prepared.written;
  }

  /** Like `message`, but also '' for git's unchanged prepared message. */
  get editedMessage(): string {
    return this.prepared.edited;
  }

  clearMessage(): void {
    this.prepared.clear();
  }

  /** Shows the current step of the operation in progress; undefined: no known step. */
  showOperation(step: OperationStep | undefined): void {
    this.step = step;
    this.showInput();
    this.showBranch();
  }

  /** The groups of the model inside a group of the editor; undefined: the group belongs to another repository. */
  groupIdsOf(group: unknown): readonly GroupId[] | undefined {
    for (const own of this.groups.values()) if (own.shown === group) return own.holds;
    return undefined;
  }

  private showBranch(): void {
    const { repository, step, isSynchronizing } = this;
    const { branch, operation, details, state, stale } = repository;
    const countIn = (id: GroupId) => this.groups.get(id)?.total ?? 0;
    const canCancel = this.isRunning && this.isSeveral;
    const source = { branch, operation, details, state, stale, step, countIn, isSynchronizing, canCancel };
    const commands = branchCommands(source, this.sourceControl);
    // A new list replaces the commands: a click in progress would be lost.
    if (areSameCommands(commands, this.shownCommands)) return;
    this.shownCommands = commands;
    this.sourceControl.statusBarCommands = commands;
  }

  private apply(change: RepositoryChange): void {
    for (const group of this.groups.values()) {
      if (group.holds.some((id) => change.groups.has(id))) group.note(change.paths);
    }
    this.count();
    if (change.state || change.head) this.showInput();
    this.restoreMessage();
    const { head, details, state, stale, groups } = change;
    if (head || details || state || stale || groups.size > 0) this.showBranch();
    if (change.head || change.content) this.prepared.update();
  }

  private count(): void {
    let count = 0;
    for (const group of this.groups.values()) count += group.total;
    this.sourceControl.count = count;
  }

  /** Restores the kept message once, as soon as HEAD is known. */
  private restoreMessage(): void {
    if (this.isRestored || !this.repository.verified) return;
    this.isRestored = true;
    void this.keptMessages
      .restore(this.repository, this.sourceControl.inputBox)
      .then(() => this.prepared.updateTemplate());
  }

  /** Updates the input box. In a failed repository, it shows the reason. */
  private showInput(): void {
    const { state, branch, operation } = this.repository;
    if (state.state === 'failed') {
      showReason(this.sourceControl, state.message);
      return;
    }
    const { inputBox } = this.sourceControl;
    // In an untrusted workspace git does not run.
    inputBox.visible = workspace.isTrusted;
    inputBox.enabled = true;
    const doing = operation === undefined ? '' : `${operationText(operation, this.step)}: `;
    // The editor replaces {0} by the keyboard shortcut.
    const keys = '{0}';
    const message =
      branch.name === undefined
        ? t('Message ({0} to commit)', keys)
        : t("Message ({0} to commit on '{1}')", keys, toDisplay(branch.name));
    inputBox.placeholder = `${doing}${message}`;
  }
}

/** Like in the built-in Git, with one difference: an empty group of changes is hidden even if staged changes exist. */
function isHiddenWhenEmpty(id: GroupId, repository: Repository): boolean {
  return id !== 'index' || !configOf(repository).alwaysShowStagedChangesResourceGroup;
}

/** Shows a reason in the input box: no other part of the view has room for a sentence. */
export function showReason({ inputBox }: SourceControl, reason: string): void {
  inputBox.visible = true;
  inputBox.enabled = false;
  inputBox.placeholder = toDisplay(reasonText(reason));
}

class Group {
  private rows: GroupRows<Resource>;
  /** The groups of the model that are shown in this group. */
  holds: readonly GroupId[] = [];
  private label: string;
  /** True: the editor's rows are stale. */
  hasChanged = false;

  constructor(
    private readonly id: GroupId,
    readonly shown: SourceControlResourceGroup,
    private readonly repository: Repository,
    private readonly registry: RepositoryRegistry,
    private readonly onChanged: () => void,
  ) {
    this.label = kGroupLabels[id];
    this.rows = this.createRows();
    this.noteAll();
  }

  /** Call when a setting changed `holds`. Makes all rows again. */
  refill(): void {
    this.rows.dispose();
    this.rows = this.createRows();
    this.noteAll();
    this.change();
  }

  private createRows(): GroupRows<Resource> {
    this.holds = groupsWithin(this.id, configOf(this.repository).untrackedChanges);
    return new GroupRows<Resource>(
      this.holds,
      this.repository,
      (entry, previous) => this.rowOf(entry, previous),
      () => {
        this.change();
      },
    );
  }

  private change(): void {
    this.hasChanged = true;
    this.onChanged();
  }

  private noteAll(): void {
    for (const group of this.holds) {
      this.note(Array.from(this.repository.entriesIn(group), (entry) => entry.path));
    }
  }

  get total(): number {
    return this.rows.total;
  }

  note(paths: Iterable<RepoPath>): void {
    this.rows.note(paths);
  }

  dispose(): void {
    this.rows.dispose();
    this.shown.dispose();
  }

  private rowOf(entry: StatusEntry, previous: Resource | undefined): Resource {
    if (previous !== undefined && entriesEqual(previous.entry, entry)) return previous;
    const uri = previous?.resourceUri ?? worktreeUri(this.registry.paths, this.repository, entry.path);
    const own = this.holds.find((group) => statusIn(entry, group) !== undefined) ?? this.id;
    const row = new Resource(this.repository, entry, own, uri);
    if (previous?.looksLike(row) !== true) return row;
    // Keeps the row: the editor would draw a new row again, and an open menu of the old row would lose its target.
    previous.entry = entry;
    return previous;
  }

  /** Gives all rows to the editor: it accepts no single rows, and compares them all. Call rarely. */
  assign(): void {
    this.hasChanged = false;
    const { shown, total } = this.rows;
    this.shown.resourceStates = shown;
    this.label = groupLabel(this.id, shown.length, total);
    // A name costs the editor as much as the rows: a name with a new number waits for the next redraw.
    const plain = kGroupLabels[this.id];
    if ((this.label === plain) !== (this.shown.label === plain)) this.name();
  }

  /** True: the editor shows the current name. */
  get isNamed(): boolean {
    return this.shown.label === this.label;
  }

  name(): void {
    this.shown.label = this.label;
  }
}

function groupLabel(id: GroupId, shown: number, total: number): string {
  if (shown >= total) return kGroupLabels[id];
  return t('{0} ({1} of {2})', kGroupLabels[id], grouped(shown), grouped(total));
}
