/** Text for a log or a message, without the passwords that stand in URLs ("https://me:secret@host"). */
export function redact(text: string): string {
  return text.replace(/(\b[a-z][a-z0-9+.-]*:\/\/[^\s/@:]*):[^\s/@]*@/gi, '$1:***@');
}
