/** What is asked before something is lost, in the words of VS Code's own Git. */
import { RepoPath } from '../protocol';
import { Chosen } from './changes';
import { basename, toDisplay } from './repoPath';

export interface DiscardQuestion {
  message: string;
  detail?: string;
  /** Each with what is discarded when it is chosen. */
  buttons: { label: string; chosen: readonly Chosen[] }[];
}

const kLost = 'This is IRREVERSIBLE!\nYour current working set will be FOREVER LOST if you proceed.';

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
          'Move to Trash',
          `You can restore ${untracked.length === 1 ? 'this file' : 'these files'} from the Trash.`,
        ]
      : [untracked.length === 1 ? 'Delete File' : `Delete All ${count(untracked)} Files`, undefined];
    return {
      message: deleting(untracked) + lost,
      ...(detail !== undefined && { detail }),
      buttons: [{ label: button, chosen: untracked }],
    };
  }
  const changes =
    tracked.length === 1
      ? `Are you sure you want to discard changes in '${nameOf(tracked)}'?`
      : `Are you sure you want to discard ALL changes in ${count(tracked)} files?`;
  return {
    message: `${deleting(untracked)}${lost}\n\n${changes}`,
    detail: kLost,
    buttons: [
      {
        label:
          tracked.length === 1 ? 'Discard 1 Tracked File' : `Discard All ${count(tracked)} Tracked Files`,
        chosen: tracked,
      },
      {
        label: `Discard All ${(tracked.length + untracked.length).toLocaleString('en')} Files`,
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
      ? `Are you sure you want to restore '${name}'?`
      : `Are you sure you want to restore ALL ${count(tracked)} files?`;
    return {
      message,
      buttons: [{ label: isOne ? 'Restore File' : `Restore All ${count(tracked)} Files`, chosen: tracked }],
    };
  }
  const message = isOne
    ? `Are you sure you want to discard changes in '${name}'?`
    : `Are you sure you want to discard ALL changes in ${count(tracked)} files?`;
  return {
    message,
    detail: kLost,
    buttons: [{ label: isOne ? 'Discard File' : `Discard All ${count(tracked)} Files`, chosen: tracked }],
  };
}

function deleting(untracked: readonly Chosen[]): string {
  return untracked.length === 1
    ? `Are you sure you want to DELETE the following untracked file: '${nameOf(untracked)}'?`
    : `Are you sure you want to DELETE the ${count(untracked)} untracked files?`;
}

function lostFiles(n: number): string {
  const files = n === 1 ? 'This file' : 'These files';
  return `\n\nThis is IRREVERSIBLE!\n${files} will be FOREVER LOST if you proceed.`;
}

const nameOf = ([first]: readonly Chosen[]) => toDisplay(basename(first?.path ?? ''));
const count = (chosen: readonly Chosen[]) => chosen.length.toLocaleString('en');
