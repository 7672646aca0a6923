/**
 * What the extension knows of one worktree, folded from the helper's `didChange` deltas.
 *
 * Invariants:
 *  - What is shown is always the complete result of some version, or, during the very first scan, a growing part
 *    of it: a step that announces more (`more`) is folded and not shown.
 *  - After the helper was lost, or a delta was missed, the last entries stay, marked stale, while the new state is
 *    folded beside them; it replaces them at its first verified state, and only what differs is reported.
 */
import {
  Branch,
  BranchDetails,
  DidChangeParams,
  entryKey,
  ModelState,
  Operation,
  RepoPath,
  StatusEntry,
  WorktreeRoot,
} from '../protocol';
import { Emitter } from './Emitter';
import { EntrySet } from './EntrySet';
import { GroupId, groupsOf, statusIn } from './status';

export interface RepositoryChange {
  /** Paths with an entry that came, went or is different. */
  paths: ReadonlySet<RepoPath>;
  /** Groups with such an entry. */
  groups: ReadonlySet<GroupId>;
  /** Branch or operation. */
  head: boolean;
  details: boolean;
  state: boolean;
  /** `stale` is not what it was. */
  stale: boolean;
  ignoreRules: boolean;
  content: boolean;
  latencyMs?: number;
}

export type Applied =
  | 'applied'
  /** A delta was missed: the caller has to ask for the whole state with `open`. Said once per loss. */
  | 'gap'
  /** Leads on from something that was missed; the state asked for replaces it. */
  | 'ignored';

const kScanning: ModelState = { state: 'scanning', filesSeen: 0, filesExpected: 0 };

export class Repository {
  private readonly changed = new Emitter<RepositoryChange>();
  readonly onDidChange = this.changed.event;

  /** Known once the helper has answered `open`, or told the state. */
  gitDir: string | undefined;
  commonDir: string | undefined;

  private shown = new EntrySet();
  /** The state being folded beside `shown`; undefined while deltas go to `shown` directly. */
  private incoming: EntrySet | undefined;
  /** Where `incoming` differs from `shown` in what it has. Found as it comes, so that no turn has to look at all. */
  private difference = new PendingChange();
  private version = 0;
  /** True from a loss until the whole state begins to arrive. */
  private lost = false;
  private wasVerified = false;
  private shownStale = false;
  private pending = new PendingChange();

  private currentBranch: Branch = {};
  private currentOperation: Operation | undefined;
  private currentDetails: BranchDetails | undefined;
  private currentState: ModelState = kScanning;

  constructor(readonly root: WorktreeRoot) {}

  get branch(): Branch {
    return this.currentBranch;
  }
  get operation(): Operation | undefined {
    return this.currentOperation;
  }
  /** Undefined where nobody asked for them, or they are not told yet. */
  get details(): BranchDetails | undefined {
    return this.currentDetails;
  }
  get state(): ModelState {
    return this.currentState;
  }
  /** True while entries are shown that nothing vouches for at the moment. */
  get stale(): boolean {
    if (this.lost || this.incoming !== undefined) return true;
    return this.currentState.state === 'verifying' || this.currentState.state === 'failed';
  }
  /** True while the helper keeps the entries right. */
  get verified(): boolean {
    return !this.stale && isVerified(this.currentState);
  }
  get size(): number {
    return this.shown.size;
  }

  entries(): IterableIterator<StatusEntry> {
    return this.shown.values();
  }

  /** The entries of one path; a path can have a tracked and an untracked one. */
  entriesAt(path: RepoPath): StatusEntry[] {
    const found: StatusEntry[] = [];
    for (const key of [trackedKey(path), untrackedKey(path)]) {
      const entry = this.shown.get(key);
      if (entry !== undefined) found.push(entry);
    }
    return found;
  }

  *entriesIn(group: GroupId): Generator<StatusEntry> {
    for (const entry of this.shown.values()) if (statusIn(entry, group) !== undefined) yield entry;
  }

  countIn(group: GroupId): number {
    return this.shown.countIn(group);
  }

  apply(delta: DidChangeParams): Applied {
    if (delta.baseVersion === 0) {
      this.begin();
    } else if (this.lost) {
      return 'ignored';
    } else if (delta.baseVersion !== this.version) {
      this.markLost();
      return 'gap';
    }
    this.version = delta.version;
    this.fold(delta);
    this.foldHead(delta);
    this.pending.ignoreRules ||= delta.ignoreRulesChanged === true;
    this.pending.content ||= delta.contentChanged === true;
    if (delta.latencyMs !== undefined) this.pending.latencyMs = delta.latencyMs;
    if (delta.more === true) return 'applied';
    if (
      this.incoming !== undefined &&
      (isVerified(this.currentState) || this.currentState.state === 'failed')
    ) {
      this.replaceShown(this.incoming);
    }
    this.wasVerified ||= this.incoming === undefined && isVerified(this.currentState);
    this.flush();
    return 'applied';
  }

  /** Nothing keeps the entries right any more: the helper is gone, or a delta was missed. */
  markLost(): void {
    this.lost = true;
    this.incoming = undefined;
    this.currentDetails = undefined;
    this.pending.details = true;
    this.flush();
  }

  dispose(): void {
    this.changed.dispose();
  }

  private begin(): void {
    const resumes = this.lost || this.wasVerified;
    this.lost = false;
    this.currentOperation = undefined;
    this.pending.head = true;
    this.currentDetails = undefined;
    this.pending.details = true;
    if (resumes) {
      this.incoming = new EntrySet();
      this.difference = new PendingChange();
      // What was asked of the lost state may have changed without a word.
      this.pending.ignoreRules = true;
      this.pending.content = true;
    } else {
      this.incoming = undefined;
      for (const entry of this.shown.values()) this.pending.note(entry, undefined);
      this.shown = new EntrySet();
    }
  }

  private fold(delta: DidChangeParams): void {
    const target = this.incoming ?? this.shown;
    for (const path of delta.removed) this.set(target, trackedKey(path), undefined);
    for (const path of delta.removedUntracked) this.set(target, untrackedKey(path), undefined);
    for (const entry of delta.upserted) this.set(target, entryKey(entry), entry);
  }

  private foldHead(delta: DidChangeParams): void {
    if (delta.gitDir !== undefined) this.gitDir = delta.gitDir;
    if (delta.commonDir !== undefined) this.commonDir = delta.commonDir;
    if (delta.branch !== undefined) {
      this.currentBranch = delta.branch;
      this.pending.head = true;
    }
    if (delta.operation !== undefined) {
      this.currentOperation = delta.operation ?? undefined;
      this.pending.head = true;
    }
    if (delta.details !== undefined) {
      this.currentDetails = delta.details ?? undefined;
      this.pending.details = true;
    }
    if (delta.state !== undefined) {
      this.currentState = delta.state;
      this.pending.state = true;
    }
  }

  private replaceShown(next: EntrySet): void {
    for (const [key, entry] of this.shown) if (!next.has(key)) this.difference.note(entry, undefined);
    this.pending.addPaths(this.difference);
    this.difference = new PendingChange();
    this.shown = next;
    this.incoming = undefined;
  }

  private set(target: EntrySet, key: string, next: StatusEntry | undefined): void {
    const previous = target.set(key, next);
    if (target === this.shown) this.pending.note(previous, next);
    else this.difference.note(this.shown.get(key), next);
  }

  private flush(): void {
    if (this.stale !== this.shownStale) {
      this.shownStale = this.stale;
      this.pending.stale = true;
    }
    const change = this.pending;
    if (change.isEmpty()) return;
    this.pending = new PendingChange();
    this.changed.fire(change);
  }
}

class PendingChange implements RepositoryChange {
  paths = new Set<RepoPath>();
  readonly groups = new Set<GroupId>();
  head = false;
  details = false;
  state = false;
  stale = false;
  ignoreRules = false;
  content = false;
  latencyMs?: number;

  note(previous: StatusEntry | undefined, next: StatusEntry | undefined): void {
    if (entriesEqual(previous, next)) return;
    for (const entry of [previous, next]) {
      if (entry === undefined) continue;
      this.paths.add(entry.path);
      for (const group of groupsOf(entry)) this.groups.add(group);
    }
  }

  addPaths({ paths, groups }: PendingChange): void {
    const [larger, smaller] = paths.size > this.paths.size ? [paths, this.paths] : [this.paths, paths];
    for (const path of smaller) larger.add(path);
    this.paths = larger;
    for (const group of groups) this.groups.add(group);
  }

  isEmpty(): boolean {
    const flags = [this.head, this.details, this.state, this.stale, this.ignoreRules, this.content];
    return this.paths.size === 0 && !flags.includes(true);
  }
}

function trackedKey(path: RepoPath): string {
  return entryKey({ kind: 'changed', path, index: '.', worktree: '.' });
}

function untrackedKey(path: RepoPath): string {
  return entryKey({ kind: 'untracked', path });
}

function isVerified(state: ModelState): boolean {
  return state.state === 'watching' || state.state === 'polling' || state.state === 'delegated';
}

/** True where both say the same of the file. */
export function entriesEqual(a: StatusEntry | undefined, b: StatusEntry | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  if (a.kind !== b.kind || a.path !== b.path) return false;
  if (a.kind === 'unmerged' && b.kind === 'unmerged') {
    return a.conflict === b.conflict && a.submodule === b.submodule;
  }
  if (a.kind === 'changed' && b.kind === 'changed') {
    return (
      a.index === b.index &&
      a.worktree === b.worktree &&
      a.from === b.from &&
      a.score === b.score &&
      a.submodule === b.submodule
    );
  }
  return true;
}
