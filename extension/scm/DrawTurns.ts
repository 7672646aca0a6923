/**
 * When each repository may give the editor something to draw, so that nothing of it stays undrawn. The editor's view draws a
 * repository as a whole. While it does, or before it comes to it, it remembers one further repository: the last that
 * changed. Messages that reach it together are all taken in before anything is drawn. So of three repositories in them the
 * first and the last are drawn, and the one between stays as it was.
 *
 * Invariants:
 *  - Something of a repository is on its way to the editor only while it holds a place, and there are two places.
 *  - A place is freed when the editor has answered a question that was written after the last of it. A busy editor, or one
 *    that is not connected, is given nothing more.
 *
 * So nothing needs to be drawn twice. A redraw puts new buttons in the place of a group's, and a click on one that is under
 * way is lost: a repository that has not changed is not drawn, with two exceptions, which are drawn again when they have
 * rest. Other extensions write when they like. And the editor itself writes of a repository that is opened: if several
 * are, they wait for no place with their first rows, and may cost each other, and whatever is written meanwhile, its drawing.
 * Does not know `vscode`.
 */
export interface Drawn {
  /** Gives the editor the rows that changed; false where none did. */
  drawRows(): boolean;
  /** Something of it is shown by a redraw only. */
  readonly awaitsRedraw: boolean;
  redraw(): void;
}

const kPlaces = 2;
/** What comes within this time goes with what was given first: each time the editor begins its wait anew. */
export const kGatherMs = 50;
/** Rows are written 100 ms after they were last given. */
const kWrittenMs = 110;
/** A redraw beside rows that go on changing would cost the editor as much as they do. */
const kRestMs = 400;
/** One that goes on changing is drawn again after this time all the same. */
const kPatienceMs = 1_000;

interface Given {
  /** The first time since it was drawn again. */
  first: number;
  last: number;
}

export class DrawTurns {
  /** Those that have something to draw, in the order in which they asked. */
  private readonly waiting = new Set<Drawn>();
  /** Of them, those that are drawn without new rows too. */
  private readonly redraws = new Set<Drawn>();
  /** The timer of each that holds a place. */
  private readonly holding = new Map<Drawn, ReturnType<typeof setTimeout>>();
  /** Those that may have to be drawn again when they have rest. */
  private readonly given = new Map<Drawn, Given>();
  /** Something of them was written beside what was written outside of turns, and they were not drawn since: when that was. */
  private readonly amongOthers = new Map<Drawn, number>();
  /** Several of which something was written outside of their turns, at that time. */
  private readonly outside = new Map<Drawn, number>();
  private lastOutside: { repository: Drawn; at: number } | undefined;
  private start: ReturnType<typeof setImmediate> | undefined;
  private rest: ReturnType<typeof setTimeout> | undefined;

  constructor(
    /** Other extensions may draw in the same view. */
    private readonly hasStrangers: () => boolean,
    /** Is over when the editor has taken in what was written before. */
    private readonly askEditor: () => PromiseLike<unknown>,
  ) {}

  /** It has rows to draw. What else asks for it before this turn of the event loop is over goes with them. */
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

  /** Something of it is written now or soon, in whichever turn. */
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
    // What was given may be on its way: its place is freed as any other.
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

  /** It was given something: what is written outside of turns in these moments may go with it. */
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
