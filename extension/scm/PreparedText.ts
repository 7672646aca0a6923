/**
 * A text that is put into an input box, and taken back when it is no longer wanted. Text that a person wrote stays.
 * The reported content of the box can be stale: until `settle`, a replaced text is replaced again if it reappears.
 */
export class PreparedText {
  private shown = '';
  private replaced: string | undefined;

  /**
   * `text`: the prepared text now. `there`: the content of the box. Returns the new content; undefined: leave the
   * box.
   */
  offer(text: string, there: string): string | undefined {
    if (text !== this.shown) {
      this.replaced = this.shown;
      this.shown = text;
      return there === this.replaced || there === text ? text : undefined;
    }
    // If the replaced text was empty, an empty box was emptied by a person.
    return this.replaced && there === this.replaced ? text : undefined;
  }

  /** True if `there` is the prepared text or the text that it replaced: nobody changed it. */
  isPut(there: string): boolean {
    return [this.shown, this.replaced].some((text) => text?.trim() === there.trim());
  }

  /** Call when the content of the box is current. A person who then writes the replaced text again keeps it. */
  settle(): void {
    this.replaced = undefined;
  }
}

/** git writes this line above its comments if `commit.cleanup=scissors`. A line above it is never a comment. */
const kScissors = /^\S+ -{24} >8 -{24}$/m;

/**
 * The message that git prepared for a merge, squash or revert, without comment lines. git's list of conflicts shows
 * the comment character (core.commentChar).
 */
export function preparedMessage(text: string): string {
  const scissors = kScissors.exec(text);
  if (scissors !== null) return text.slice(0, scissors.index).trim();
  const start = /^(\S+) Conflicts:\n\1\t/m.exec(text)?.[1] ?? '#';
  const lines = text.split('\n').filter((line) => !line.startsWith(start));
  return lines.join('\n').trim();
}
