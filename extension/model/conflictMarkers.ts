/** Whether git's conflict markers stand in a file. */

/** Both ends of one: a line of seven `=` alone is an underlined heading. */
export function hasConflictMarkers(content: Uint8Array): boolean {
  const text = Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString('latin1');
  return /^<{7}( |$)/m.test(text) && /^>{7}( |\r?$)/m.test(text);
}
