/**
 * The rows of one group of the view, kept right by what changed, in slices. Does not know `vscode`, nor what a row is.
 *
 * The editor is given at most `kMaxRows` rows of changes: it takes all of them again with each change, and a view of more is of
 * no use to anybody. How many there are is known all the same.
 */
import { RepoPath, StatusEntry } from '../protocol';
import { Backlog } from '../model/Backlog';
import { Repository } from '../model/Repository';
import { GroupId, statusIn } from '../model/status';

/** As many as VS Code's own Git shows before it warns of too many. */
export const kMaxRows = 10_000;
/** Conflicts are never cut: each is to be resolved. */
export function mostRows(groups: readonly GroupId[]): number {
  return groups.includes('merge') ? Infinity : kMaxRows;
}
/** Rows that are made in one turn of the event loop. */
export const kRowsPerTurn = 500;

export class GroupRows<Row> {
  private readonly rows = new Map<RepoPath, Row>();
  private readonly backlog: Backlog<RepoPath>;

  constructor(
    /** What stands in it. */
    private readonly groups: readonly GroupId[],
    private readonly repository: Repository,
    /** `previous` is the row that the path had. */
    private readonly make: (entry: StatusEntry, previous: Row | undefined) => Row,
    /** All that changed so far is in the rows. */
    onDone: () => void,
    private readonly maxRows = mostRows(groups),
  ) {
    this.backlog = new Backlog(
      kRowsPerTurn,
      (slice) => {
        for (const path of slice) this.update(path);
      },
      () => {
        // There is room again for what had none.
        if (this.refill()) return;
        onDone();
      },
    );
  }

  /** What the editor is given. */
  get shown(): Row[] {
    return [...this.rows.values()];
  }

  get total(): number {
    return this.groups.reduce((sum, group) => sum + this.repository.countIn(group), 0);
  }

  /** These paths have a row that came, went or is different. */
  note(paths: Iterable<RepoPath>): void {
    this.backlog.add(paths);
  }

  dispose(): void {
    this.backlog.clear();
  }

  private update(path: RepoPath): void {
    const entry = this.repository
      .entriesAt(path)
      .find((each) => this.groups.some((group) => statusIn(each, group) !== undefined));
    const previous = this.rows.get(path);
    if (entry === undefined) this.rows.delete(path);
    else if (previous !== undefined || this.rows.size < this.maxRows) {
      this.rows.set(path, this.make(entry, previous));
    }
  }

  private refill(): boolean {
    const { total } = this;
    const room = Math.min(this.maxRows, total) - this.rows.size;
    // Looking for them costs a look at everything: not for a few of too many.
    if (room <= 0 || (total > this.maxRows && room < this.maxRows / 10)) return false;
    const missing: RepoPath[] = [];
    for (const group of this.groups) {
      for (const { path } of this.repository.entriesIn(group)) {
        if (missing.length === room) break;
        if (!this.rows.has(path)) missing.push(path);
      }
    }
    this.backlog.add(missing);
    return missing.length > 0;
  }
}
