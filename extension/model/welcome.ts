/** Chooses the text of the Source Control view when no repository is shown. */
import { kUnsafe } from './safeDirectory';

/** Each text is in package.json (`viewsWelcome`). */
export type WelcomeText = 'noFolder' | 'noRepository' | 'notOpened' | 'unsafe' | 'gitMissing' | 'gitTooOld';

export interface WelcomeSource {
  /** A repository is shown, or being opened. */
  hasRepository: boolean;
  hasFolder: boolean;
  /** Some found repositories are not opened. */
  leavesOut: boolean;
  /** Reasons why repositories cannot be opened. */
  problems: Iterable<string>;
  /** The helper finds a git program; undefined: not known yet. */
  hasGit: boolean | undefined;
  /** VS Code's own Git is installed and enabled. */
  isBuiltInOn: boolean;
}

export interface Welcome {
  text: WelcomeText;
  /** VS Code's own Git, if enabled, shows the same text with its own actions. */
  isSaidByBuiltIn: boolean;
}

/** Undefined: a repository is shown, or a problem has its own row. */
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
    // VS Code's own Git opens the repository even with an old git: the view is then not empty.
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
