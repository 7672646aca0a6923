/** Waits for a condition instead of for a fixed time. */

export interface PollOptions {
  /** The awaited condition, for the failure's message. */
  what: string;
  timeoutMs?: number;
  /** Errors of this class are permanent and are thrown at once. */
  giveUp?: abstract new (...args: never[]) => Error;
}

/** Timeout of a single step. On a busy machine, a step of one second has taken forty. */
export const kPatienceMs = 120_000;
const intervalMs = 50;

/**
 * Runs `check` until it no longer throws. Returns its result. After the timeout, throws the last error, prefixed by
 * `what`.
 */
export async function poll<T>(
  check: () => Promise<T> | T,
  { what, timeoutMs, giveUp }: PollOptions,
): Promise<T> {
  const end = Date.now() + (timeoutMs ?? kPatienceMs);
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() >= end || (giveUp && error instanceof giveUp)) {
        throw new Error(`${what}: ${error instanceof Error ? error.message : String(error)}`, {
          cause: error,
        });
      }
    }
    await new Promise((resolve) => setTimeout(resolve, intervalMs));
  }
}
