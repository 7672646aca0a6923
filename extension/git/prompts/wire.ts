/**
 * The protocol between git's prompt program (`main.ts`) and the extension (`PromptServer.ts`). Each side sends one line
 * of JSON, over a Unix socket in a directory that only this user can enter. A closed connection ends the question. Does
 * not know `vscode`.
 */
import type { PromptHint } from './promptQuestion';

/** `ask`: an askpass question, with the text of git or ssh. `edit`: a file to edit by hand. */
export type PromptRequest = { kind: 'ask'; text: string; hint?: PromptHint } | { kind: 'edit'; file: string };

/** `token`: secret of the git run that asks. */
export type PromptMessage = PromptRequest & { token: string };

/** `isAnswered`: false if the user does not want to answer. */
export interface PromptAnswer {
  isAnswered: boolean;
  text?: string;
}

/** Environment variables of a run: the path of the extension's socket, and the run's token. */
export const kSocketVariable = 'RESIDENT_GIT_PROMPT_SOCKET';
export const kTokenVariable = 'RESIDENT_GIT_PROMPT_TOKEN';

/** Limit for a line in either direction, in bytes. Real questions and answers are shorter. */
export const kMaxBytes = 16 * 1024;

/** Undefined if the line is not a valid message. */
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
