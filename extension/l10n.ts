/**
 * What a person reads, in the language of the editor: texts stand in English where they are used, and in other languages in
 * l10n/bundle.l10n.<language>.json. Does not know `vscode`, so that every layer can use it; `translator.ts` connects the two.
 */

/** Of `vscode.l10n.t`: {0} in the message is the first of `args`. */
export type Translator = (message: string, ...args: (string | number)[]) => string;

export const english: Translator = (message, ...args) =>
  message.replace(/\{(\d+)\}/g, (whole, index: string) => String(args[Number(index)] ?? whole));

let translator = english;

export function useTranslator(other: Translator): void {
  translator = other;
}

/** The message has to be a literal: a test compares all of them with the translations. */
export function t(message: string, ...args: (string | number)[]): string {
  return translator(message, ...args);
}

/** A message for `fill`, which is given the values later. It has to be a literal too: the same test compares it. */
export const template = (message: string): string => message;

/** Like `t`, of a message that went through `template`. */
export function fill(message: string, args: readonly string[]): string {
  return translator(message, ...args);
}
