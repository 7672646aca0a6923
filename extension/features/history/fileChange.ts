/** Decides what a click on a commit compares. */
import { t } from '../../l10n';
import { Source } from '../../model/openTarget';
import { shortId } from '../../model/oid';
import { basename, toDisplay } from '../../model/repoPath';
import { RepoPath } from '../../protocol';
import { FileChange, HistoryCommit, Subject } from './plan';

export type Comparison =
  | { kind: 'diff'; left: Version; right: Version; title: string }
  /** Nothing can be compared: a message tells why. */
  | { kind: 'message'; text: string };

export interface Version {
  path: RepoPath;
  source: Source;
}

const kSubmodule = '160000';

/**
 * The file's change in the commit at `index`. In a history of lines, git shows no change of a merge. The path is then
 * that of the next newer commit.
 */
export function changeAt(subject: Subject, commits: readonly HistoryCommit[], index: number): FileChange {
  for (let i = index; i >= 0; i--) {
    const file = commits[i]?.file;
    if (file === undefined) continue;
    if (i === index) return file;
    const path = file.from ?? file.path;
    return { path, from: path };
  }
  return { path: subject.committed, from: subject.committed };
}

/** The blobs of both sides; undefined: no such file. Call only if `file.objects` is known. */
export function blobsOf({ objects }: FileChange): { left: string | undefined; right: string | undefined } {
  const blob = (mode = '', oid = '') => (/^0*$/.test(mode) || mode === kSubmodule ? undefined : oid);
  return {
    left: blob(objects?.leftMode, objects?.left),
    right: blob(objects?.rightMode, objects?.right),
  };
}

/** `blobs`: as `blobsOf` gives them, or as git told later. */
export function compare(
  { oid, parents }: Pick<HistoryCommit, 'oid' | 'parents'>,
  { path, from = path, objects }: FileChange,
  { left, right }: { left: string | undefined; right: string | undefined },
): Comparison {
  const name = toDisplay(basename(path));
  const short = shortId(oid);
  if (objects?.leftMode === kSubmodule || objects?.rightMode === kSubmodule) {
    const shown = (id: string) => (/^0+$/.test(id) ? t('nothing') : shortId(id));
    const [old, next] = [shown(objects.left), shown(objects.right)];
    return {
      kind: 'message',
      text: t('"{0}" is a submodule. Its commit changed: {1} → {2}.', name, old, next),
    };
  }
  if (left === undefined && right === undefined) {
    return { kind: 'message', text: t('"{0}" is not in {1}.', name, short) };
  }
  if (left === right && from === path && objects !== undefined) {
    const { leftMode, rightMode } = objects;
    const text = t('{0} changed only the mode of "{1}": {2} → {3}.', short, name, leftMode, rightMode);
    return { kind: 'message', text };
  }
  const version = (at: RepoPath, blob: string | undefined): Version => ({
    path: at,
    source: blob === undefined ? 'nothing' : `blob:${blob}`,
  });
  const titles = {
    added: t('{0} (Added in {1})', name, short),
    deleted: t('{0} (Deleted in {1})', name, short),
    changed: `${name} (${shortId(parents[0] ?? '')} ↔ ${short})`,
  };
  const title = left === undefined ? 'added' : right === undefined ? 'deleted' : 'changed';
  return { kind: 'diff', left: version(from, left), right: version(path, right), title: titles[title] };
}
