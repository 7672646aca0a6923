/**
 * Draws what the editor may have left undrawn. Its view remembers one redraw while another is under way, the last one: of
 * repositories that change within that time all but the last stay as they were. So those that change soon after each
 * other are drawn again, one at a time, when each has had rest; twice, since a busy editor can lose that too. Does not
 * know `vscode`.
 */
export interface Redrawn {
  redraw(): void;
}

/** From one redraw to the next: longer than the 100 ms for which the editor gathers rows, and than most redraws take. */
const kPeriodMs = 400;
/** From a change to each time that it is drawn again. */
const kRestsMs = [kPeriodMs, 4_000];

interface Noted {
  since: number;
  /** How often it was drawn again. */
  turn: number;
}

export class LostRedraws {
  private readonly noted = new Map<Redrawn, Noted>();
  /** Several were noted since there was nothing to do. */
  private several = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** The editor was given something of it to draw. */
  note(repository: Redrawn): void {
    this.noted.set(repository, { since: Date.now(), turn: 0 });
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
    const due = [...this.noted].filter(([, { since, turn }]) => now - since >= (kRestsMs[turn] ?? 0));
    if (!this.several) {
      for (const [repository] of due) this.noted.delete(repository);
      return;
    }
    const [first] = due;
    if (first === undefined) return;
    const [repository, noted] = first;
    noted.turn += 1;
    if (noted.turn === kRestsMs.length) this.noted.delete(repository);
    repository.redraw();
  }
}
