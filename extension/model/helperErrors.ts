/** What a refusal of the helper's means. */

/** The helper went away before it answered (client/HelperClient.ts throws this). */
export function isConnectionLoss(error: unknown): boolean {
  return error instanceof Error && error.name === 'ConnectionLostError';
}

/** The native error's code, as the helper passes it on. */
export function isNoRepository(error: unknown): boolean {
  const { data } = error as { data?: { code?: unknown } };
  return data?.code === 'NotFound' || data?.code === 'Invalid';
}
