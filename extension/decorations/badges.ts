/** The badge of each status, with the letters, colours and propagation of VS Code's own Git. Does not know `vscode`. */
import { t } from '../l10n';
import { ResourceStatus, statusText } from '../model/status';

export interface Badge {
  /** Undefined: a colour without a letter. */
  letter: string | undefined;
  /** A colour id, contributed in package.json. */
  color: string;
  tooltip: string;
  /** True: the folders above the file show its colour too. */
  propagate: boolean;
}

type ColorName =
  | 'added'
  | 'modified'
  | 'deleted'
  | 'renamed'
  | 'untracked'
  | 'ignored'
  | 'stageModified'
  | 'stageDeleted'
  | 'conflicting'
  | 'submodule';

function colorId(name: ColorName): string {
  return `gitDecoration.${name}ResourceForeground`;
}

const kLooks: Readonly<Record<ResourceStatus, readonly [letter: string, color: ColorName]>> = {
  indexModified: ['M', 'stageModified'],
  indexAdded: ['A', 'added'],
  indexDeleted: ['D', 'stageDeleted'],
  indexRenamed: ['R', 'renamed'],
  indexCopied: ['C', 'renamed'],
  indexTypeChanged: ['T', 'stageModified'],
  modified: ['M', 'modified'],
  deleted: ['D', 'deleted'],
  typeChanged: ['T', 'modified'],
  intentToAdd: ['A', 'added'],
  intentToRename: ['R', 'renamed'],
  intentToCopy: ['C', 'renamed'],
  untracked: ['U', 'untracked'],
  bothDeleted: ['!', 'conflicting'],
  addedByUs: ['!', 'conflicting'],
  deletedByThem: ['!', 'conflicting'],
  addedByThem: ['!', 'conflicting'],
  deletedByUs: ['!', 'conflicting'],
  bothAdded: ['!', 'conflicting'],
  bothModified: ['!', 'conflicting'],
};

export function badgeOf(status: ResourceStatus): Badge {
  const [letter, color] = kLooks[status];
  const propagate = status !== 'deleted' && status !== 'indexDeleted';
  return { letter, color: colorId(color), tooltip: statusText(status), propagate };
}

export const kSubmoduleBadge: Badge = {
  letter: 'S',
  color: colorId('submodule'),
  tooltip: t('Submodule'),
  propagate: false,
};

export const kIgnoredBadge: Badge = {
  letter: undefined,
  color: colorId('ignored'),
  tooltip: t('Ignored'),
  propagate: false,
};

/** The same badge while its status is stale. */
export function asStale(badge: Badge): Badge {
  return { ...badge, tooltip: t('{0} (stale, being verified)', badge.tooltip) };
}
