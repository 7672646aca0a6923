/**
 * What git, or the ssh that it runs, asks by its askpass program: how a person is asked. Only git's question for a user
 * name is known to be no secret; whatever else is typed is never shown.
 */
import { toDisplay } from './repoPath';

/** What ssh says beside the text (SSH_ASKPASS_PROMPT): that it wants a yes by exit code, or no answer at all. */
export type PromptHint = 'confirm' | 'none';

export type PromptQuestion =
  | { kind: 'input'; prompt: string; isSecret: boolean }
  /** Answered with one of the words, or, `byExitCode`, with none. */
  | { kind: 'yesNo'; title: string; detail: string; byExitCode: boolean }
  /** Nothing is to be answered: it stands until ssh has what it waits for. */
  | { kind: 'notice'; message: string };

/** Longer ones are cut: a prompt is one line. */
const kLongest = 500;

export function promptQuestion(text: string, hint?: PromptHint): PromptQuestion {
  const lines = text.split('\n').map((line) => line.trim());
  const shown = (words: string[]) => toDisplay(words.join(' ').trim()).slice(0, kLongest);
  if (hint === 'none') return { kind: 'notice', message: shown(lines) };
  if (hint === 'confirm') return { kind: 'yesNo', title: shown(lines), detail: '', byExitCode: true };
  if (/\(yes\/no(\/\[fingerprint\])?\)\? *$/.test(text)) {
    // "The authenticity of host … can't be established." and the key's fingerprint stand before the question.
    const [title = '', ...others] = lines.filter((line) => line !== '');
    return { kind: 'yesNo', title: shown([title]), detail: shown(others.slice(0, -1)), byExitCode: false };
  }
  return { kind: 'input', prompt: shown(lines), isSecret: !/^Username\b/.test(text) };
}
