/**
 * Draws what the editor may have left undrawn. Its view remembers one redraw while another is under way, the last one: what
 * changed within that time can stay as it was, in a repository whose change came earlier, of ours or of another
 * extension. So each that changes is drawn again when it has had rest, one at a time; where several changed
 * soon after each other a second time, since a busy editor can lose that too. Does not know `vscode`.
 */
export interface Redrawn {
  redraw(): void;
}

/** From one redraw to the next: longer than the 100 ms for which the editor gathers rows, and than most redraws take. */
const kPeriodMs = 400;
/** One that goes on changing is drawn after this time all the same: a redraw brings what has waited for it. */
const kPatienceMs = 1_000;
const kSecondRestMs = 4_000;

interface Noted {
  /** The first change since it was drawn. */
  first: number;
  last: number;
  isDrawnOnce: boolean;
}

export class LostRedraws {
  private readonly noted = new Map<Redrawn, Noted>();
  /** Several were noted since there was nothing to do. */
  private several = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** The editor was given something of it to draw. */
  note(repository: Redrawn): void {
    const now = Date.now();
    const noted = this.noted.get(repository);
    if (noted === undefined || noted.isDrawnOnce) {
      this.noted.set(repository, { first: now, last: now, isDrawnOnce: false });
    } else {
      noted.last = now;
    }
    this.several ||= this.noted.size > 1;
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
      else this.several = false;
    }, kPeriodMs);
  }

  private drawOne(): void {
    const now = Date.now();
    const due = [...this.noted].find(([, noted]) => isDue(noted, now));
    if (due === undefined) return;
    const [repository, noted] = due;
    if (noted.isDrawnOnce || (isAtRest(noted, now) && !this.several)) this.noted.delete(repository);
    else if (isAtRest(noted, now)) noted.isDrawnOnce = true;
    else noted.first = now;
    repository.redraw();
  }
}

function isAtRest({ last }: Noted, now: number): boolean {
  return now - last >= kPeriodMs;
}

function isDue(noted: Noted, now: number): boolean {
  if (noted.isDrawnOnce) return now - noted.last >= kSecondRestMs;
  return isAtRest(noted, now) || now - noted.first >= kPatienceMs;
}
