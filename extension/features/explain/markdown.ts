/** Text of others inside of Markdown. */

/** As code, whatever the text has in it. */
export function code(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  // Markdown takes one space off each end where both ends have one.
  const padding = /^`|`$|^ .* $/.test(text) ? ' ' : '';
  return fence + padding + text + padding + fence;
}

/** As plain text. */
export function escape(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+\-!|<>~&$]/g, '\\$&');
}
