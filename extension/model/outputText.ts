/** What git printed, as text. What is no UTF-8 in it becomes U+FFFD. */
export function textOf(output: Uint8Array): string {
  return Buffer.from(output.buffer, output.byteOffset, output.byteLength).toString('utf8');
}
