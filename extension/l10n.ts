/**
 * Texts for the user, in the language of the editor. English texts are in the code that uses them; other languages
 * are in l10n/bundle.l10n.<language>.json. Does not import `vscode`, so that every layer can use it. `translator.ts`
 * connects the two.
 */

/** Same signature as `vscode.l10n.t`: {0} in the message is the first of `args`. */
export type Translator = (message: string, ...args: (string | number)[]) => string;

export const english: Translator = (message, ...args) =>
  message.replace(/\{(\d+)\}/g, (whole, index: string) => String(args[Number(index)] ?? whole));

let translator = english;

export function useTranslator(other: Translator): void {
  translator = other;
}

/** The message must be a literal: a test compares all messages with the translations. */
export function t(message: string, ...args: (string | number)[]): string {
  return translator(message, ...args);
}

/** A message for `fill`, which receives the values later. It must be a literal too, for the same test. */
export const template = (message: string): string => message;

/** Like `t`, for a message that went through `template`. */
export function fill(message: string, args: readonly string[]): string {
  return translator(message, ...args);
}
