/** Reads the text of an editor as bytes and lines. */
import { TextDocument, workspace } from 'vscode';
import { LineRange } from './lineChanges';
import { linesOf } from './textLines';

/** Functions of `vscode` since version 1.100. Older versions do not have them. */
interface Codec {
  decode?: (content: Uint8Array, options: { encoding: string }) => Thenable<string>;
  encode?: (content: string, options: { encoding: string }) => Thenable<Uint8Array>;
}
const codec = (): Codec => workspace as unknown as Codec;
/** Undefined in versions that do not tell it. */
export const encodingOf = (document: TextDocument): string | undefined =>
  (document as { encoding?: string }).encoding;

/** Decodes bytes with the document's encoding. Undefined if this editor does not know the encoding. */
export async function decoded(document: TextDocument, bytes: Uint8Array): Promise<string | undefined> {
  const encoding = encodingOf(document);
  const { decode } = codec();
  if (encoding !== undefined && decode !== undefined) return decode(bytes, { encoding });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * The bytes that a save would write, without save participants. Undefined if this editor does not know the encoding.
 */
export async function encoded(document: TextDocument): Promise<Buffer | undefined> {
  const encoding = encodingOf(document);
  const { encode } = codec();
  if (encoding === undefined || encode === undefined) return undefined;
  return Buffer.from(await encode(document.getText(), { encoding }));
}

/** True if the editor shows these bytes, or if this cannot be decided. */
export async function isShown(document: TextDocument, bytes: Uint8Array): Promise<boolean> {
  const text = await decoded(document, bytes);
  if (text === undefined) return true;
  const [own, other] = [linesOf(document.getText()), linesOf(text)];
  return own.length === other.length && own.every((line, i) => line === other[i]);
}

/**
 * The selected lines. A selection that ends before the first character of a line does not include that line. Exception:
 * the end of the text (second parameter), because an empty last line means the end of the line before.
 */
export function selectedLines(
  selections: readonly { start: { line: number }; end: { line: number; character: number } }[],
  { line, character }: { line: number; character: number },
): LineRange[] {
  const isEnd = (at: { line: number; character: number }) => at.line === line && at.character === character;
  return selections.map(({ start, end }) => ({
    start: start.line,
    end: end.line > start.line && end.character === 0 && !isEnd(end) ? end.line : end.line + 1,
  }));
}
