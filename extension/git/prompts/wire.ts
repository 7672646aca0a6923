/**
 * What the program that git runs to ask somebody (`main.ts`) and the extension (`PromptServer.ts`) say to each other: one
 * line of JSON each way, over a Unix socket in a directory of this user alone. Whoever goes away ends the question.
 * Does not know `vscode`.
 */
import type { PromptHint } from '../../model/promptQuestion';

/** `ask`: askpass, with git's or ssh's words. `edit`: a file that is to be written by hand. */
export type PromptRequest = { kind: 'ask'; text: string; hint?: PromptHint } | { kind: 'edit'; file: string };

/** The run that it belongs to proves itself by its token. */
export type PromptMessage = PromptRequest & { token: string };

/** `isAnswered` is false where nobody wants to answer. */
export interface PromptAnswer {
  isAnswered: boolean;
  text?: string;
}

/** Where a run finds the extension. */
export const kSocketVariable = 'RESIDENT_GIT_PROMPT_SOCKET';
export const kTokenVariable = 'RESIDENT_GIT_PROMPT_TOKEN';

/** Of a line, in either direction: no question and no answer is as long. */
export const kMostBytes = 16 * 1024;

/** Undefined where it is not one of ours. */
export function parseMessage(line: string): PromptMessage | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { token, kind, text, hint, file } = value as Record<string, unknown>;
  if (typeof token !== 'string') return undefined;
  if (kind === 'edit') return typeof file === 'string' ? { token, kind, file } : undefined;
  if (kind !== 'ask' || typeof text !== 'string') return undefined;
  return { token, kind, text, ...((hint === 'confirm' || hint === 'none') && { hint }) };
}
