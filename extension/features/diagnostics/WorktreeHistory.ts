/** The recent history of a worktree: its last batches of changes, and its last rescans with their reasons. */
import { Repository, RepositoryChange } from '../../model/Repository';
import { RepositoryRegistry } from '../../model/RepositoryRegistry';

const kMaxBatches = 50;
const kMaxRescans = 20;

export interface Batch {
  /** In milliseconds since 1970. */
  time: number;
  paths: number;
  /** From the kernel's event to the message; undefined without an event. */
  latencyMs: number | undefined;
}

export interface Rescan {
  time: number;
  reason: string;
}

export class WorktreeHistory {
  readonly batches: Batch[] = [];
  readonly rescans: Rescan[] = [];
  private reason: string | undefined;

  constructor(private readonly now: () => number = Date.now) {}

  note(
    { paths, state: isNewState, latencyMs }: RepositoryChange,
    { state }: Pick<Repository, 'state'>,
  ): void {
    const time = this.now();
    if (paths.size > 0) push(this.batches, { time, paths: paths.size, latencyMs }, kMaxBatches);
    if (!isNewState) return;
    const reason = state.state === 'verifying' ? state.reason : undefined;
    // The progress of the same rescan is reported many times.
    if (reason !== undefined && reason !== this.reason) push(this.rescans, { time, reason }, kMaxRescans);
    this.reason = reason;
  }
}

function push<T>(all: T[], one: T, most: number): void {
  all.push(one);
  if (all.length > most) all.shift();
}

/** The history of each open repository. */
export class WorktreeHistories {
  private readonly known = new WeakMap<Repository, WorktreeHistory>();

  constructor(registry: Pick<RepositoryRegistry, 'onDidOpen'>) {
    registry.onDidOpen((repository) => {
      const history = new WorktreeHistory();
      this.known.set(repository, history);
      repository.onDidChange((change) => {
        history.note(change, repository);
      });
    });
  }

  of(repository: Repository): WorktreeHistory {
    return this.known.get(repository) ?? new WorktreeHistory();
  }
}
