/** What is asked before something is lost, in the words of VS Code's own Git. */
import { RepoPath } from '../protocol';
import { t } from '../l10n';
import { Chosen } from './changes';
import { basename, toDisplay } from './repoPath';

export interface DiscardQuestion {
  message: string;
  detail?: string;
  /** Each with what is discarded when it is chosen. */
  buttons: { label: string; chosen: readonly Chosen[] }[];
}

const kLost = t('This is IRREVERSIBLE!\nYour current working set will be FOREVER LOST if you proceed.');

/** `isDeleted` tells of a tracked file that it is gone, so that nothing is lost by restoring it. */
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
      : t('Are you sure you want to discard ALL changes in {0} files?', count(tracked));
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
        label: t('Discard All {0} Files', (tracked.length + untracked.length).toLocaleString('en')),
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
      : t('Are you sure you want to restore ALL {0} files?', count(tracked));
    return {
      message,
      buttons: [
        { label: isOne ? t('Restore File') : t('Restore All {0} Files', count(tracked)), chosen: tracked },
      ],
    };
  }
  const message = isOne
    ? t("Are you sure you want to discard changes in '{0}'?", name)
    : t('Are you sure you want to discard ALL changes in {0} files?', count(tracked));
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
    ? t("Are you sure you want to DELETE the following untracked file: '{0}'?", nameOf(untracked))
    : t('Are you sure you want to DELETE the {0} untracked files?', count(untracked));
}

function lostFiles(n: number): string {
  return n === 1
    ? t('\n\nThis is IRREVERSIBLE!\nThis file will be FOREVER LOST if you proceed.')
    : t('\n\nThis is IRREVERSIBLE!\nThese files will be FOREVER LOST if you proceed.');
}

const nameOf = ([first]: readonly Chosen[]) => toDisplay(basename(first?.path ?? ''));
const count = (chosen: readonly Chosen[]) => chosen.length.toLocaleString('en');
