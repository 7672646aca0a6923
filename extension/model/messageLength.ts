/** Lines of a commit message that are longer than a person wants them. */

export interface LengthSettings {
  /** Characters of the first line, and of any other; 0 for any number. */
  subject: number;
  body: number;
}

export interface LongLine {
  /** From 1. */
  line: number;
  length: number;
  limit: number;
}

/** The first line that is too long. */
export function longLine(message: string, { subject, body }: LengthSettings): LongLine | undefined {
  for (const [i, text] of message.trimEnd().split('\n').entries()) {
    const limit = i === 0 ? subject : body;
    // As a person counts them, not in UTF-16 units.
    const { length } = Array.from(text.trimEnd());
    if (limit > 0 && length > limit) return { line: i + 1, length, limit };
  }
  return undefined;
}
