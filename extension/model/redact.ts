/** Removes the passwords in URLs ("https://me:secret@host") from a text for a log or a message. */
export function redact(text: string): string {
  return text.replace(/(\b[a-z][a-z0-9+.-]*:\/\/[^\s/@:]*):[^\s/@]*@/gi, '$1:***@');
}
