/** The words of an explanation: for a row of git status, for a difference, and for a cause that hides a difference. */
import { t } from '../../l10n';
import type { Explanation } from '../../protocol';
import { code } from './markdown';

type Row = NonNullable<Explanation['row']>;
type Difference = NonNullable<Explanation['differences']>[number];
type Hidden = NonNullable<Explanation['hidden']>[number];

/** The two letters of `git status --short`, and a line for each. */
export function rowLines({ index, worktree, unmerged }: Row): string[] {
  const letters = shortLetter(index) + shortLetter(worktree);
  const shown = t('{0} shows {1}.', code('git status'), code(letters));
  if (unmerged) {
    return [shown, `- ${t('{0} is a conflict: {1}.', code(letters), conflictText(letters))}`];
  }
  return [
    shown,
    `- ${t('First letter, the index compared with HEAD: {0}.', letterText(index))}`,
    `- ${t('Second letter, the worktree compared with the index: {0}.', letterText(worktree))}`,
  ];
}

/** Replaces the dot of porcelain v2 by the space of `git status --short`. The space is non-breaking for Markdown. */
function shortLetter(letter: string): string {
  return letter === '.' ? '\u00a0' : letter;
}

function letterText(letter: string): string {
  return letter === '.' ? t('blank, unchanged') : `${code(letter)}, ${changeText(letter)}`;
}

function changeText(letter: string): string {
  switch (letter) {
    case 'T':
      return t('type changed');
    case 'A':
      return t('added');
    case 'D':
      return t('deleted');
    case 'R':
      return t('renamed');
    case 'C':
      return t('copied');
    default:
      return t('modified');
  }
}

function conflictText(letters: string): string {
  switch (letters) {
    case 'DD':
      return t('both sides deleted the file');
    case 'AU':
      return t('our side added the file');
    case 'UD':
      return t('their side deleted the file, our side modified it');
    case 'UA':
      return t('their side added the file');
    case 'DU':
      return t('our side deleted the file, their side modified it');
    case 'AA':
      return t('both sides added the file');
    default:
      return t('both sides modified the file');
  }
}

export function differenceText(difference: Difference, { entries, worktreeMode = '' }: Explanation): string {
  const before = entries?.[0]?.mode ?? '';
  switch (difference) {
    case 'deleted':
      return t('The file is missing.');
    case 'type':
      return t('The type differs: {0} instead of {1}.', code(worktreeMode), code(before));
    case 'mode':
      return t('The mode differs: {0} instead of {1}.', code(worktreeMode), code(before));
    case 'content':
      return t('The content differs.');
    case 'endOfLine':
      return t('Only the line endings differ.');
    case 'conversion':
      return t('The bytes are equal, but git would store other bytes (ident, encoding).');
    case 'filter':
      return t('The bytes are equal, but the filter changes them.');
    case 'intentToAdd':
      return t('The index has no content yet (git add --intent-to-add).');
    case 'commit':
      return t('The submodule has another commit checked out.');
    case 'modified':
      return t('The submodule has changes in tracked files.');
    case 'untracked':
      return t('The submodule has untracked files.');
    case 'unreadable':
      return t('The file cannot be read.');
    case 'unknown':
      return t('Only git or a filter can compare the content.');
  }
}

export function hiddenText(hidden: Hidden): string {
  switch (hidden) {
    case 'assumeUnchanged':
      return t('The flag assume-unchanged hides changes.');
    case 'skipWorktree':
      return t('The flag skip-worktree hides changes.');
    case 'sparseIndex':
      return t('The path is outside of the sparse checkout. The index has only a folder above it.');
  }
}
