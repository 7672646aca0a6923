/** One repository in the Source Control view: its groups and their rows. */
import { scm, SourceControl, SourceControlResourceGroup } from 'vscode';
import { Feature } from '../lifecycle';
import { RepoPath, StatusEntry } from '../protocol';
import { toDisplay } from '../model/repoPath';
import { entriesEqual, Repository, RepositoryChange } from '../model/Repository';
import { RepositoryRegistry } from '../model/RepositoryRegistry';
import { GroupId, groupIds } from '../model/status';
import { branchText } from '../model/statusText';
import { Throttle } from '../model/Throttle';
import { GroupRows } from './GroupRows';
import { QuickDiff } from './QuickDiff';
import { Resource } from './Resource';
import { kShowActionsCommand } from './StatusBar';
import { worktreeUri } from './uris';

export const kProviderId = 'resident-git';
export const kProviderLabel = 'Resident Git';
const kAssignIntervalMs = 50;

const kGroupLabels: Readonly<Record<GroupId, string>> = {
  merge: 'Merge Changes',
  index: 'Staged Changes',
  workingTree: 'Changes',
  untracked: 'Untracked Changes',
};

export class RepositorySourceControl extends Feature {
  readonly sourceControl: SourceControl;
  private readonly groups = new Map<GroupId, Group>();
  private isSeveral = false;

  constructor(
    readonly repository: Repository,
    registry: RepositoryRegistry,
    quickDiff: QuickDiff,
  ) {
    super();
    const rootUri = worktreeUri(registry.paths, repository, '');
    this.sourceControl = this.store.add(scm.createSourceControl(kProviderId, kProviderLabel, rootUri));
    this.sourceControl.quickDiffProvider = quickDiff;
    this.sourceControl.inputBox.visible = false;
    for (const id of groupIds) {
      const shown = this.sourceControl.createResourceGroup(id, kGroupLabels[id]);
      shown.hideWhenEmpty = id === 'merge' || id === 'untracked';
      const group = new Group(id, shown, repository, registry, () => {
        this.count();
      });
      this.groups.set(id, this.store.add(group));
    }
    this.store.add(
      repository.onDidChange((change) => {
        this.apply(change);
      }),
    );
    this.showFailure();
  }

  /** Among several repositories each names its branch; the branch of a single one is in the status bar already. */
  setSeveral(isSeveral: boolean): void {
    if (this.isSeveral === isSeveral) return;
    this.isSeveral = isSeveral;
    this.showBranch();
  }

  /** Which of its groups the editor's one is. */
  groupIdOf(group: unknown): GroupId | undefined {
    for (const [id, own] of this.groups) if (own.shown === group) return id;
    return undefined;
  }

  private showBranch(): void {
    const { branch, operation } = this.repository;
    const title = branchText(branch, operation);
    const command = { command: kShowActionsCommand, title, tooltip: title, arguments: [this.sourceControl] };
    this.sourceControl.statusBarCommands = this.isSeveral ? [command] : [];
  }

  private apply(change: RepositoryChange): void {
    for (const id of change.groups) this.groups.get(id)?.note(change.paths);
    if (change.state) this.showFailure();
    if (change.head && this.isSeveral) this.showBranch();
  }

  private count(): void {
    let count = 0;
    for (const group of this.groups.values()) count += group.total;
    this.sourceControl.count = count;
  }

  /** A repository without an answer says so where the eye looks for one. */
  private showFailure(): void {
    const { state } = this.repository;
    showMessage(this.sourceControl, state.state === 'failed' ? state.message : undefined);
  }
}

/** The input box, which nothing else uses yet, is the one place of the view that can hold a sentence. */
export function showMessage(sourceControl: SourceControl, message: string | undefined): void {
  const { inputBox } = sourceControl;
  inputBox.visible = message !== undefined;
  inputBox.enabled = message === undefined;
  inputBox.placeholder = message === undefined ? '' : toDisplay(message);
}

class Group {
  private readonly rows: GroupRows<Resource>;
  private readonly assignment: Throttle;

  constructor(
    private readonly id: GroupId,
    readonly shown: SourceControlResourceGroup,
    private readonly repository: Repository,
    private readonly registry: RepositoryRegistry,
    private readonly onAssigned: () => void,
  ) {
    // The editor takes rows only all at once, and sends on what differs; so it is given them seldom.
    this.assignment = new Throttle(kAssignIntervalMs, () => {
      this.assign();
    });
    this.rows = new GroupRows(
      id,
      repository,
      (entry, previous) => this.rowOf(entry, previous),
      () => {
        this.assignment.schedule();
      },
    );
    this.note(Array.from(repository.entriesIn(id), (entry) => entry.path));
  }

  get total(): number {
    return this.rows.total;
  }

  note(paths: Iterable<RepoPath>): void {
    this.rows.note(paths);
  }

  dispose(): void {
    this.rows.dispose();
    this.assignment.dispose();
    this.shown.dispose();
  }

  private rowOf(entry: StatusEntry, previous: Resource | undefined): Resource {
    if (previous !== undefined && entriesEqual(previous.entry, entry)) return previous;
    const uri = previous?.resourceUri ?? worktreeUri(this.registry.paths, this.repository, entry.path);
    return new Resource(this.repository, entry, this.id, uri);
  }

  private assign(): void {
    const { shown, total } = this.rows;
    this.shown.resourceStates = shown;
    this.shown.label = groupLabel(this.id, shown.length, total);
    this.onAssigned();
  }
}

function groupLabel(id: GroupId, shown: number, total: number): string {
  if (shown >= total) return kGroupLabels[id];
  const count = (n: number): string => n.toLocaleString('en');
  return `${kGroupLabels[id]} (${count(shown)} of ${count(total)})`;
}
