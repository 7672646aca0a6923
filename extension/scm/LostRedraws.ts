/**
 * Draws what the editor may have left undrawn. Its view remembers one redraw while another is under way, the last one: what
 * changed within that time can stay as it was, in a repository whose change came earlier, of ours or of another
 * extension. So one that changed while others did is drawn again when it has had rest, one at a time, and a second
 * time later, since a busy editor can lose that too.
 *
 * A redraw puts new buttons in the place of a group's, and a click on one that is under way is lost. So one that changed
 * alone is left as it is, unless it waits to be drawn. Does not know `vscode`.
 */
export interface Redrawn {
  /** Something of it is shown by a redraw only. */
  readonly awaitsRedraw: boolean;
  redraw(): void;
}

/** From one redraw to the next: longer than the 100 ms for which the editor gathers rows, and than most redraws take. */
const kPeriodMs = 400;
/** One that goes on changing is drawn after this time all the same: a redraw brings what has waited for it. */
const kPatienceMs = 1_000;
/** A busy editor has drawn what it was given by then. */
const kSecondRestMs = 4_000;

interface Noted {
  /** The first change since it was drawn. */
  first: number;
  last: number;
  /** Another one was noted, too, while this one was. */
  isAmongOthers: boolean;
  isDrawnOnce: boolean;
}

export class LostRedraws {
  /** Those that changed within `kSecondRestMs`, or are to be drawn. */
  private readonly noted = new Map<Redrawn, Noted>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** `hasStrangers`: other extensions may draw in the same view. */
  constructor(private readonly hasStrangers: () => boolean) {}

  /** The editor was given something of it to draw. */
  note(repository: Redrawn): void {
    const now = Date.now();
    const noted = this.noted.get(repository);
    if (noted === undefined || noted.isDrawnOnce) {
      this.noted.set(repository, { first: now, last: now, isAmongOthers: false, isDrawnOnce: false });
    } else {
      noted.last = now;
    }
    if (this.noted.size > 1) for (const each of this.noted.values()) each.isAmongOthers = true;
    this.schedule();
  }

  forget(repository: Redrawn): void {
    this.noted.delete(repository);
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.noted.clear();
  }

  private schedule(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.drawOne();
      if (this.noted.size > 0) this.schedule();
    }, kPeriodMs);
  }

  private drawOne(): void {
    const now = Date.now();
    for (const [repository, noted] of this.noted) {
      if (this.isDue(repository, noted, now)) {
        if (noted.isDrawnOnce) this.noted.delete(repository);
        else if (isAtRest(noted, now)) noted.isDrawnOnce = true;
        else noted.first = now;
        repository.redraw();
        return;
      }
      if (now - noted.last >= kSecondRestMs) this.noted.delete(repository);
    }
  }

  private isDue(repository: Redrawn, noted: Noted, now: number): boolean {
    if (noted.isDrawnOnce) return noted.isAmongOthers && now - noted.last >= kSecondRestMs;
    if (!isAtRest(noted, now) && now - noted.first < kPatienceMs) return false;
    return noted.isAmongOthers || repository.awaitsRedraw || this.hasStrangers();
  }
}

function isAtRest({ last }: Noted, now: number): boolean {
  return now - last >= kPeriodMs;
}
