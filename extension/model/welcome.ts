/** What the Source Control view says where it has no repository to show. */
import { kUnsafe } from './safeDirectory';

/** Each has a text in package.json (`viewsWelcome`). */
export type WelcomeText = 'noFolder' | 'noRepository' | 'notOpened' | 'unsafe' | 'gitMissing' | 'gitTooOld';

export interface WelcomeSource {
  /** One that is shown, or is being opened. */
  hasRepository: boolean;
  hasFolder: boolean;
  /** Some that were found are not opened. */
  leavesOut: boolean;
  /** Why repositories cannot be opened. */
  problems: Iterable<string>;
  /** The helper finds a git to ask. Undefined while that is not known. */
  hasGit: boolean | undefined;
  /** VS Code's own Git is there and on. */
  isBuiltInOn: boolean;
}

export interface Welcome {
  text: WelcomeText;
  /** VS Code's own Git says the same, with offers of its own, wherever it is on. */
  isSaidByBuiltIn: boolean;
}

/** Undefined where there is a repository, or a problem that has a row of its own. */
export function welcome({
  hasRepository,
  hasFolder,
  leavesOut,
  problems,
  hasGit,
  isBuiltInOn,
}: WelcomeSource): Welcome | undefined {
  if (hasRepository) return undefined;
  const texts = Array.from(problems, textOf);
  if (texts.includes(undefined)) return undefined;
  if (texts.includes('gitTooOld')) {
    // VS Code's own Git opens the repository also with that one, and then the view is not empty.
    return isBuiltInOn ? undefined : { text: 'gitTooOld', isSaidByBuiltIn: false };
  }
  const said = (text: WelcomeText): Welcome => ({ text, isSaidByBuiltIn: isBuiltInOn });
  if (texts.includes('unsafe')) return said('unsafe');
  if (hasGit === undefined) return undefined;
  if (!hasGit) return said('gitMissing');
  if (leavesOut) return { text: 'notOpened', isSaidByBuiltIn: false };
  return said(hasFolder ? 'noRepository' : 'noFolder');
}

function textOf(problem: string): WelcomeText | undefined {
  if (kUnsafe.test(problem)) return 'unsafe';
  return /\bgit [\d.]+ is too old: /.test(problem) ? 'gitTooOld' : undefined;
}
