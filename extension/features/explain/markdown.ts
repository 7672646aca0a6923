/** Inserts foreign text into Markdown. The text can contain any characters. */

/** Formats the text as inline code. */
export function code(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  // Markdown strips one space from each end if both ends have a space.
  const padding = /^`|`$|^ .* $/.test(text) ? ' ' : '';
  return fence + padding + text + padding + fence;
}

/** Escapes the text: Markdown shows it as plain text. */
export function escape(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+\-!|<>~&$]/g, '\\$&');
}
