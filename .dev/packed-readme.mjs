/**
 * The README as VS Code shows it in the details of an installed extension. That page resolves no relative address: it
 * shows pictures from https: and data: alone, and a relative link does nothing.
 */

const kFence = /(^ *```[^]*?^ *```)/m;

/** `read`: the bytes of a file by its path in the clone. */
export function packedReadme(markdown, read) {
  const image = (_, alt, file) => `![${alt}](data:image/png;base64,${read(file).toString('base64')})`;
  const prose = (text) =>
    text
      .replace(/!\[([^\]]*)\]\(((?!\w+:)[^)\s]+\.png)\)/g, image)
      .replace(/(?<!!)\[([^\]]*)\]\((?!\w+:|#)([^)\s]+)\)/g, '$1 (`$2`)');
  return markdown
    .split(kFence)
    .map((part) => (kFence.test(part) ? part : prose(part)))
    .join('');
}

/** Addresses in a packed README that VS Code cannot follow. */
export function brokenAddresses(markdown) {
  const found = [...markdown.matchAll(/\]\(([^)\s]+)/g), ...markdown.matchAll(/\bsrc="([^"]+)/g)];
  return found.map((match) => match[1]).filter((address) => !/^(https:|data:image\/png;|#)/.test(address));
}
