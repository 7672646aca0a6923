/**
 * Converts a question of git, or of the ssh that it runs, into a question to a person. The question arrives through
 * the askpass program. Only git's question for a user name is known to be no secret. All other typed text is never
 * shown.
 */
import { toDisplay } from '../../model/repoPath';

/** ssh's hint beside the text (SSH_ASKPASS_PROMPT): it expects a yes by exit code, or no answer. */
export type PromptHint = 'confirm' | 'none';

export type PromptQuestion =
  | { kind: 'input'; prompt: string; isSecret: boolean }
  /** The answer is one of the words; with `byExitCode`, it is only an exit code. */
  | { kind: 'yesNo'; title: string; detail: string; byExitCode: boolean }
  /** No answer is expected. The notice stays until ssh has received what it waits for. */
  | { kind: 'notice'; message: string };

/** Maximum length in characters. Longer texts are cut: a prompt is one line. */
const kLongest = 500;

export function promptQuestion(text: string, hint?: PromptHint): PromptQuestion {
  const lines = text.split('\n').map((line) => line.trim());
  const shown = (words: string[]) => toDisplay(words.join(' ').trim()).slice(0, kLongest);
  if (hint === 'none') return { kind: 'notice', message: shown(lines) };
  if (hint === 'confirm') return { kind: 'yesNo', title: shown(lines), detail: '', byExitCode: true };
  if (/\(yes\/no(\/\[fingerprint\])?\)\? *$/.test(text)) {
    // The lines "The authenticity of host … can't be established." and the key's fingerprint precede the question.
    const [title = '', ...others] = lines.filter((line) => line !== '');
    return { kind: 'yesNo', title: shown([title]), detail: shown(others.slice(0, -1)), byExitCode: false };
  }
  return { kind: 'input', prompt: shown(lines), isSecret: !/^Username\b/.test(text) };
}
