/** Waiting for what is expected, instead of for a time. */

export interface PollOptions {
  /** What is waited for, for the message of a failure. */
  what: string;
  timeoutMs?: number;
  /** An error that no waiting mends: it is thrown at once. */
  giveUp?: abstract new (...args: never[]) => Error;
}

/** For one step: beside other work, a step of one second has taken forty. */
export const kPatienceMs = 120_000;
const intervalMs = 50;

/**
 * Runs `check` until it no longer throws and returns what it returned. After the timeout its last error is
 * thrown, with `what` before it.
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
