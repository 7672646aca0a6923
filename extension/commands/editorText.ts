/** What an editor shows, as bytes and in lines. */
import { TextDocument, workspace } from 'vscode';
import { LineRange } from '../model/lineChanges';

/** Of `vscode` since 1.100. */
interface Codec {
  decode?: (content: Uint8Array, options: { encoding: string }) => Thenable<string>;
  encode?: (content: string, options: { encoding: string }) => Thenable<Uint8Array>;
}
const codec = (): Codec => workspace as unknown as Codec;
const encodingOf = (document: TextDocument): string | undefined =>
  (document as { encoding?: string }).encoding;

/** The lines of the text, without their terminators. */
export function linesOf(text: string): string[] {
  return text.split(/\r\n|\n|\r/);
}

/** As the document's encoding has it; undefined where this editor cannot tell that. */
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

/** What saving would write, but for what happens on saving; undefined where this editor cannot tell that. */
export async function encoded(document: TextDocument): Promise<Buffer | undefined> {
  const encoding = encodingOf(document);
  const { encode } = codec();
  if (encoding === undefined || encode === undefined) return undefined;
  return Buffer.from(await encode(document.getText(), { encoding }));
}

/** Whether the editor shows these bytes, as far as it can be told. */
export async function isShown(document: TextDocument, bytes: Uint8Array): Promise<boolean> {
  const text = await decoded(document, bytes);
  if (text === undefined) return true;
  const [own, other] = [linesOf(document.getText()), linesOf(text)];
  return own.length === other.length && own.every((line, i) => line === other[i]);
}

/**
 * The lines that are selected; a selection that ends before a line's first character does not hold that one, unless it is
 * the end of the text (`end`): an empty last line stands for the end of the line before.
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
