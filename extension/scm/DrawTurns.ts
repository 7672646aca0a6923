/**
 * Schedules the updates of repositories in the Source Control view, because the editor can lose the drawing of an update.
 * The view draws a repository as a whole. While it draws a repository, or has it scheduled, the view remembers only one
 * further repository: the last that changed. The editor processes all messages that arrive together, and only then draws.
 * If three repositories change together, the view draws the first and the last; the second keeps its old rows.
 *
 * Invariants:
 *  - A repository holds a place while an update of it is on its way to the editor. Only two places exist.
 *  - After the last update of a place, the editor is asked a question. Its answer frees the place. A busy or disconnected
 *    editor therefore gets no further updates.
 *
 * With two places no update in a turn is lost, and none needs a second drawing. A redraw is not free: it replaces the
 * buttons of a group, and a click in progress is lost. An unchanged repository is therefore not redrawn, except in two
 * cases, after `kRestMs` without new rows:
 *  - Other extensions draw in the view: their updates do not wait for turns.
 *  - Several repositories open together: the editor itself writes updates of each, outside of turns. Their first rows do not
 *    wait for a place. These updates can lose their own drawing, and the drawing of any update at the same time.
 *
 * Does not know `vscode`.
 */
export interface Drawn {
  /** Gives the changed rows to the editor. False: no row changed. */
  drawRows(): boolean;
  /** True: a change is still hidden, and only a redraw shows it. */
  readonly awaitsRedraw: boolean;
  redraw(): void;
}

const kPlaces = 2;
/** Rows that change within this time after an update share its place: each update restarts the editor's delay. */
export const kGatherMs = 50;
/** The editor sends rows to its view 100 ms after their last update. */
const kWrittenMs = 110;
/** A redraw waits until no rows changed for this time: it costs the editor as much as an update of the rows. */
const kRestMs = 400;
/** Maximum delay of a redraw while rows keep changing. */
const kPatienceMs = 1_000;

interface Given {
  /** Start of the wait for a redraw: the time of the first update, or of the last redraw since then. */
  first: number;
  /** Time of the last update. */
  last: number;
}

export class DrawTurns {
  /** Repositories with changes to draw, in the order of their requests. */
  private readonly waiting = new Set<Drawn>();
  /** The waiting repositories that need a redraw even without new rows. */
  private readonly redraws = new Set<Drawn>();
  /** Repositories that hold a place, with the timer of each. */
  private readonly holding = new Map<Drawn, ReturnType<typeof setTimeout>>();
  /** Repositories with recent updates. After a rest, or after `kPatienceMs`, each is checked for a redraw. */
  private readonly given = new Map<Drawn, Given>();
  /** Repositories that may have lost a drawing to an update outside of turns, and when. Kept until drawn again. */
  private readonly amongOthers = new Map<Drawn, number>();
  /** Repositories with updates outside of turns that came close together, with the time of the last one. */
  private readonly outside = new Map<Drawn, number>();
  private lastOutside: { repository: Drawn; at: number } | undefined;
  private start: ReturnType<typeof setImmediate> | undefined;
  private rest: ReturnType<typeof setTimeout> | undefined;

  constructor(
    /** True: other extensions may draw in the same view. */
    private readonly hasStrangers: () => boolean,
    /** Asks the editor a question. It settles after the editor has processed all earlier messages. */
    private readonly askEditor: () => PromiseLike<unknown>,
  ) {}

  /** Call when rows have changed. All requests in one turn of the event loop are drawn together. */
  request(repository: Drawn): void {
    this.waiting.add(repository);
    this.start ??= setImmediate(() => {
      this.start = undefined;
      for (const each of this.waiting) {
        if (Date.now() - (this.outside.get(each) ?? -Infinity) < kRestMs) this.drawOutside(each);
      }
      this.fill();
    });
  }

  /** Call when an update of the repository is written outside of turns, now or soon. */
  noteOutside(repository: Drawn): void {
    const at = Date.now();
    const other = this.outsideBeside(repository);
    if (other !== undefined) for (const each of [other, repository]) this.outside.set(each, at);
    const others = new Set([...(other ? [other] : []), ...this.holding.keys()]);
    others.delete(repository);
    if (others.size > 0) for (const each of [repository, ...others]) this.noteAmongOthers(each);
    this.lastOutside = { repository, at };
  }

  forget(repository: Drawn): void {
    for (const all of [this.waiting, this.redraws, this.given, this.amongOthers, this.outside])
      all.delete(repository);
    if (this.lastOutside?.repository === repository) this.lastOutside = undefined;
    // An update may be on its way: the timer and the editor's answer free the place, as always.
  }

  dispose(): void {
    clearImmediate(this.start);
    clearTimeout(this.rest);
    for (const timer of this.holding.values()) clearTimeout(timer);
    for (const all of [this.waiting, this.redraws, this.given, this.amongOthers, this.outside, this.holding])
      all.clear();
  }

  private fill(): void {
    for (const repository of this.waiting) {
      if (this.holding.size === kPlaces) return;
      if (!this.holding.has(repository)) this.draw(repository);
    }
  }

  private draw(repository: Drawn): void {
    this.waiting.delete(repository);
    this.holdFor(repository, kGatherMs, () => {
      const isGiven = this.waiting.has(repository) && !this.redraws.has(repository);
      if (isGiven) {
        this.waiting.delete(repository);
        this.drawRows(repository);
      }
      this.holdFor(repository, isGiven ? kWrittenMs : kWrittenMs - kGatherMs, () => {
        const free = () => {
          this.holding.delete(repository);
          this.fill();
        };
        this.askEditor().then(free, free);
      });
    });
    const hasRows = this.drawRows(repository);
    if (this.redraws.delete(repository) && (!hasRows || repository.awaitsRedraw)) {
      repository.redraw();
      this.amongOthers.delete(repository);
      this.noteBeside(repository);
    }
  }

  private drawOutside(repository: Drawn): void {
    this.waiting.delete(repository);
    if (repository.drawRows()) this.noteGiven(repository);
    const at = Date.now();
    this.amongOthers.set(repository, at);
    this.lastOutside = { repository, at };
  }

  private drawRows(repository: Drawn): boolean {
    if (!repository.drawRows()) return false;
    if (Date.now() - (this.amongOthers.get(repository) ?? Infinity) > kWrittenMs)
      this.amongOthers.delete(repository);
    this.noteGiven(repository);
    this.noteBeside(repository);
    return true;
  }

  /** Call after an update in a turn. It may reach the editor together with an update outside of turns. */
  private noteBeside(repository: Drawn): void {
    const other = this.outsideBeside(repository);
    if (other !== undefined) for (const each of [other, repository]) this.noteAmongOthers(each);
  }

  private outsideBeside(repository: Drawn): Drawn | undefined {
    const last = this.lastOutside;
    const isOther = last !== undefined && last.repository !== repository && Date.now() - last.at < kRestMs;
    return isOther ? last.repository : undefined;
  }

  private noteAmongOthers(repository: Drawn): void {
    this.amongOthers.set(repository, Date.now());
    this.noteGiven(repository);
  }

  private holdFor(repository: Drawn, ms: number, next: () => void): void {
    this.holding.set(repository, setTimeout(next, ms));
  }

  private noteGiven(repository: Drawn): void {
    const now = Date.now();
    const given = this.given.get(repository);
    if (given === undefined) this.given.set(repository, { first: now, last: now });
    else given.last = now;
    this.awaitRest();
  }

  private awaitRest(): void {
    this.rest ??= setTimeout(() => {
      this.rest = undefined;
      this.drawAgain();
      if (this.given.size > 0) this.awaitRest();
    }, kRestMs);
  }

  private drawAgain(): void {
    const now = Date.now();
    for (const [repository, at] of this.outside) if (now - at >= kRestMs) this.outside.delete(repository);
    for (const [repository, given] of this.given) {
      const isAtRest = now - given.last >= kRestMs;
      if (!isAtRest && now - given.first < kPatienceMs) continue;
      if (isAtRest) this.given.delete(repository);
      else given.first = now;
      if (repository.awaitsRedraw || this.amongOthers.has(repository) || this.hasStrangers()) {
        this.redraws.add(repository);
        this.waiting.add(repository);
      }
    }
    this.fill();
  }
}
