/** Confirmation questions before a discard. */
import { t } from '../../l10n';
import { grouped } from '../../model/numberText';
import { basename, toDisplay } from '../../model/repoPath';
import { RepoPath } from '../../protocol';
import { Chosen } from './plan';

export interface DiscardQuestion {
  message: string;
  detail?: string;
  /** Each button with the rows that it discards. */
  buttons: { label: string; chosen: readonly Chosen[] }[];
}

const kLost = t('You cannot undo this. Your changes will be lost.');

/** `isDeleted`: true if the tracked file is gone, so that restoring it loses nothing. */
export function discardQuestion(
  chosen: readonly Chosen[],
  isDeleted: (path: RepoPath) => boolean,
  canTrash: boolean,
): DiscardQuestion | undefined {
  const untracked = chosen.filter(({ group }) => group === 'untracked');
  const tracked = chosen.filter(({ group }) => group === 'workingTree');
  if (untracked.length + tracked.length === 0) return undefined;
  if (untracked.length === 0) return ofTracked(tracked, isDeleted);
  const lost = canTrash ? '' : lostFiles(untracked.length);
  if (tracked.length === 0) {
    const [button, detail] = canTrash
      ? [
          t('Move to Trash'),
          untracked.length === 1
            ? t('You can restore this file from the Trash.')
            : t('You can restore these files from the Trash.'),
        ]
      : [untracked.length === 1 ? t('Delete File') : t('Delete All {0} Files', count(untracked)), undefined];
    return {
      message: deleting(untracked) + lost,
      ...(detail !== undefined && { detail }),
      buttons: [{ label: button, chosen: untracked }],
    };
  }
  const changes =
    tracked.length === 1
      ? t("Are you sure you want to discard changes in '{0}'?", nameOf(tracked))
      : t('Are you sure you want to discard all changes in {0} files?', count(tracked));
  return {
    message: `${deleting(untracked)}${lost}\n\n${changes}`,
    detail: kLost,
    buttons: [
      {
        label:
          tracked.length === 1
            ? t('Discard 1 Tracked File')
            : t('Discard All {0} Tracked Files', count(tracked)),
        chosen: tracked,
      },
      {
        label: t('Discard All {0} Files', grouped(tracked.length + untracked.length)),
        chosen: [...tracked, ...untracked],
      },
    ],
  };
}

function ofTracked(tracked: readonly Chosen[], isDeleted: (path: RepoPath) => boolean): DiscardQuestion {
  const isOne = tracked.length === 1;
  const name = nameOf(tracked);
  if (tracked.every(({ path }) => isDeleted(path))) {
    const message = isOne
      ? t("Are you sure you want to restore '{0}'?", name)
      : t('Are you sure you want to restore all {0} files?', count(tracked));
    return {
      message,
      buttons: [
        { label: isOne ? t('Restore File') : t('Restore All {0} Files', count(tracked)), chosen: tracked },
      ],
    };
  }
  const message = isOne
    ? t("Are you sure you want to discard changes in '{0}'?", name)
    : t('Are you sure you want to discard all changes in {0} files?', count(tracked));
  return {
    message,
    detail: kLost,
    buttons: [
      { label: isOne ? t('Discard File') : t('Discard All {0} Files', count(tracked)), chosen: tracked },
    ],
  };
}

function deleting(untracked: readonly Chosen[]): string {
  return untracked.length === 1
    ? t("Are you sure you want to delete the untracked file '{0}'?", nameOf(untracked))
    : t('Are you sure you want to delete {0} untracked files?', count(untracked));
}

function lostFiles(n: number): string {
  return n === 1
    ? t('\n\nYou cannot undo this. The file will be lost.')
    : t('\n\nYou cannot undo this. The files will be lost.');
}

const nameOf = ([first]: readonly Chosen[]) => toDisplay(basename(first?.path ?? ''));
const count = (chosen: readonly Chosen[]) => grouped(chosen.length);
