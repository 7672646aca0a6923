/**
 * A text that is put where people write, and taken back when it is not wanted any more. What they write stays. What the
 * place says can be older than what was put there, so what was to be taken back is, until it is settled, taken back again.
 */
export class PreparedText {
  private shown = '';
  private replaced: string | undefined;

  /** `text` is prepared now. Returns what to put in the place of what is there; undefined leaves it. */
  offer(text: string, there: string): string | undefined {
    if (text !== this.shown) {
      this.replaced = this.shown;
      this.shown = text;
      return there === this.replaced || there === text ? text : undefined;
    }
    // What was empty and is so again was emptied by a person.
    return this.replaced && there === this.replaced ? text : undefined;
  }

  /** Nobody changed what was put there: this, or what it has replaced. */
  isPut(there: string): boolean {
    return [this.shown, this.replaced].some((text) => text?.trim() === there.trim());
  }

  /** What the place says holds: who writes there again what was taken back keeps it. */
  settle(): void {
    this.replaced = undefined;
  }
}
