/** One repository in the Source Control view: its groups and their rows. */
import { scm, SourceControl, SourceControlResourceGroup } from 'vscode';
import { Feature } from '../lifecycle';
import { toDisplay } from '../model/repoPath';
import { entriesEqual, Repository, RepositoryChange } from '../model/Repository';
import { RepositoryRegistry } from '../model/RepositoryRegistry';
import { GroupId, groupIds, statusIn } from '../model/status';
import { branchText } from '../model/statusText';
import { Throttle } from '../model/Throttle';
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
      group.update();
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

  private showBranch(): void {
    const { branch, operation } = this.repository;
    const title = branchText(branch, operation);
    const command = { command: kShowActionsCommand, title, tooltip: title, arguments: [this.sourceControl] };
    this.sourceControl.statusBarCommands = this.isSeveral ? [command] : [];
  }

  private apply(change: RepositoryChange): void {
    for (const id of change.groups) this.groups.get(id)?.update();
    if (change.state) this.showFailure();
    if (change.head && this.isSeveral) this.showBranch();
  }

  private count(): void {
    let count = 0;
    for (const group of this.groups.values()) count += group.size;
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
  private rows = new Map<string, Resource>();
  private readonly assignment: Throttle;

  constructor(
    private readonly id: GroupId,
    private readonly shown: SourceControlResourceGroup,
    private readonly repository: Repository,
    private readonly registry: RepositoryRegistry,
    private readonly onAssigned: () => void,
  ) {
    this.assignment = new Throttle(kAssignIntervalMs, () => {
      this.assign();
    });
  }

  get size(): number {
    return this.rows.size;
  }

  /** The editor takes rows only all at once, and sends on what differs; so it is given them seldom. */
  update(): void {
    this.assignment.schedule();
  }

  dispose(): void {
    this.assignment.dispose();
    this.shown.dispose();
  }

  private assign(): void {
    const rows = new Map<string, Resource>();
    for (const entry of this.repository.entriesIn(this.id)) {
      const status = statusIn(entry, this.id);
      if (status === undefined) continue;
      const previous = this.rows.get(entry.path);
      const isSame = previous !== undefined && entriesEqual(previous.entry, entry);
      const uri = previous?.resourceUri ?? worktreeUri(this.registry.paths, this.repository, entry.path);
      rows.set(entry.path, isSame ? previous : new Resource(this.repository, entry, this.id, uri, status));
    }
    this.rows = rows;
    this.shown.resourceStates = [...rows.values()];
    this.onAssigned();
  }
}
