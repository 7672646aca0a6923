/** Decodes git's output. Invalid UTF-8 becomes U+FFFD. */
export function textOf(output: Uint8Array): string {
  return Buffer.from(output.buffer, output.byteOffset, output.byteLength).toString('utf8');
}
