/**
 * The rows of one group of the view. Updates only changed rows, in slices. Does not know `vscode`, or the type of a row.
 *
 * The editor gets at most `kMaxRows` rows of changes. Each change sends all rows to the editor again, and nobody can use a
 * longer view. `total` counts all rows, without the limit.
 */
import { RepoPath, StatusEntry } from '../protocol';
import { Backlog } from '../model/Backlog';
import { Repository } from '../model/Repository';
import { GroupId, statusIn } from '../model/status';

/** The limit at which VS Code's own Git warns of too many changes. */
export const kMaxRows = 10_000;
/** Conflicts have no limit: the user must resolve each. */
export function maxRowsOf(groups: readonly GroupId[]): number {
  return groups.includes('merge') ? Infinity : kMaxRows;
}
/** Maximum number of rows that are made in one turn of the event loop. */
export const kRowsPerTurn = 500;

export class GroupRows<Row> {
  private readonly rows = new Map<RepoPath, Row>();
  private readonly backlog: Backlog<RepoPath>;

  constructor(
    /** The groups of the model whose entries are rows here. */
    private readonly groups: readonly GroupId[],
    private readonly repository: Repository,
    /** Makes a row. `previous`: the last row of the path. */
    private readonly make: (entry: StatusEntry, previous: Row | undefined) => Row,
    /** Called when the rows contain all changes. */
    onDone: () => void,
    private readonly maxRows = maxRowsOf(groups),
  ) {
    this.backlog = new Backlog(
      kRowsPerTurn,
      (slice) => {
        for (const path of slice) this.update(path);
      },
      () => {
        // If rows were removed, entries beyond the limit get a row now.
        if (this.refill()) return;
        onDone();
      },
    );
  }

  /** The rows for the editor. */
  get shown(): Row[] {
    return [...this.rows.values()];
  }

  get total(): number {
    return this.groups.reduce((sum, group) => sum + this.repository.countIn(group), 0);
  }

  /** Call when rows of these paths were added, removed or changed. */
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
    // The search reads all entries. Beyond the limit, it waits until a tenth of the rows is free.
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
