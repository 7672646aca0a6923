/** Finds lines of a commit message that are too long. */

export interface LengthSettings {
  /** Maximum characters of the first line, and of each other line; 0: no limit. */
  subject: number;
  body: number;
}

export interface LongLine {
  /** Counted from 1. */
  line: number;
  length: number;
  limit: number;
}

/** The first line that is too long. */
export function longLine(message: string, { subject, body }: LengthSettings): LongLine | undefined {
  for (const [i, text] of message.trimEnd().split('\n').entries()) {
    const limit = i === 0 ? subject : body;
    // Counts characters, not UTF-16 units.
    const { length } = Array.from(text.trimEnd());
    if (limit > 0 && length > limit) return { line: i + 1, length, limit };
  }
  return undefined;
}
