/** The words of an explanation: of a row of git status, of what differs, of what hides it. */
import type { Explanation } from '../protocol';
import { t } from '../l10n';

type Row = NonNullable<Explanation['row']>;
type Difference = NonNullable<Explanation['differences']>[number];
type Hidden = NonNullable<Explanation['hidden']>[number];

export function rowText({ index, worktree, unmerged }: Row): string {
  const letters = index + worktree;
  if (unmerged) return t('It is in conflict ({0}): {1}.', letters, conflictText(letters));
  if (index === '.') return t('It is changed in the worktree ({0}): {1}.', letters, changeText(worktree));
  if (worktree === '.') return t('It is changed in the index ({0}): {1}.', letters, changeText(index));
  return t(
    'It is changed in the index and in the worktree ({0}): {1}, and {2}.',
    letters,
    changeText(index),
    changeText(worktree),
  );
}

function changeText(letter: string): string {
  switch (letter) {
    case 'T':
      return t('another type');
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
      return t('both sides deleted it');
    case 'AU':
      return t('we added it');
    case 'UD':
      return t('they deleted it');
    case 'UA':
      return t('they added it');
    case 'DU':
      return t('we deleted it');
    case 'AA':
      return t('both sides added it');
    default:
      return t('both sides modified it');
  }
}

export function differenceText(difference: Difference, { entries, worktreeMode = '' }: Explanation): string {
  const before = entries?.[0]?.mode ?? '';
  switch (difference) {
    case 'deleted':
      return t('Nothing stands there.');
    case 'type':
      return t('The type is another one: {0}, and not {1}.', worktreeMode, before);
    case 'mode':
      return t('The mode is another one: {0}, and not {1}.', worktreeMode, before);
    case 'content':
      return t('The content is another one.');
    case 'endOfLine':
      return t('Only the ends of lines are other ones.');
    case 'conversion':
      return t('The bytes are the same, but git would store other ones (ident, encoding).');
    case 'filter':
      return t('The bytes are the same, but the filter makes other ones of them.');
    case 'intentToAdd':
      return t('The index has no content yet (git add --intent-to-add).');
    case 'commit':
      return t('The submodule has another commit checked out.');
    case 'modified':
      return t('The submodule has changes of its own.');
    case 'untracked':
      return t('The submodule has untracked files.');
    case 'unreadable':
      return t('It cannot be read.');
    case 'unknown':
      return t('Whether the content is another one, only git or a filter can tell.');
  }
}

export function hiddenText(hidden: Hidden): string {
  switch (hidden) {
    case 'assumeUnchanged':
      return t('Changes are hidden: it is marked assume-unchanged.');
    case 'skipWorktree':
      return t('Changes are hidden: it is marked skip-worktree.');
    case 'sparseIndex':
      return t('It is outside of the sparse checkout, and the index has only a folder above it.');
  }
}
