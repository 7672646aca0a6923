/** Meanings of the helper's errors. */

/** True if the helper was lost before it answered (client/HelperClient.ts throws this error). */
export function isConnectionLoss(error: unknown): boolean {
  return error instanceof Error && error.name === 'ConnectionLostError';
}

/** True if the native error's code, which the helper passes on, means that no repository exists. */
export function isNoRepository(error: unknown): boolean {
  const { data } = error as { data?: { code?: unknown } };
  return data?.code === 'NotFound' || data?.code === 'Invalid';
}
