/** Commands on a row of the Source Control view, or on the file in the active editor. */
import { commands, TextDocumentShowOptions, Uri, window } from 'vscode';
import { config } from '../config';
import { t } from '../l10n';
import { mergeSources } from '../model/conflictPlan';
import { openTarget, Side } from '../model/openTarget';
import { Repository } from '../model/Repository';
import { Located, RepositoryRegistry } from '../model/RepositoryRegistry';
import { groupsOf, isStruckThrough, statusIn } from '../model/status';
import { Resource } from '../scm/Resource';
import { contentUri, openableUri, pathOf, worktreeUri } from '../scm/uris';
import { StatusEntry } from '../protocol';
import { CommandTable } from './context';

export const resourceCommands = {
  'residentGit.openResource': ({ registry }, argument) => {
    if (!(argument instanceof Resource)) return undefined;
    const { entry } = argument;
    const isMerged = entry.kind === 'unmerged' && mergeSources(entry.conflict) !== undefined;
    return isMerged && config.mergeEditor
      ? commands.executeCommand('residentGit.openMergeEditor', argument)
      : open(registry, argument);
  },

  'residentGit.openChange': async ({ registry }, ...args) => {
    for (const resource of chosen(registry, args)) await open(registry, resource);
  },

  'residentGit.openFile': async ({ registry }, ...args) => {
    for (const resource of chosen(registry, args)) {
      const { repository, entry, group } = resource;
      const status = statusIn(entry, group);
      if (status === 'deleted' || status === 'indexDeleted' || status === 'bothDeleted') {
        await open(registry, resource);
        continue;
      }
      const isFolder =
        entry.path.endsWith('/') || (entry.kind !== 'untracked' && entry.submodule !== undefined);
      const uri = openableUri(registry.paths, repository, entry.path);
      if (isFolder) await commands.executeCommand('revealInExplorer', uri);
      else await commands.executeCommand('vscode.open', uri, { preview: false });
    }
  },
} satisfies CommandTable;

/** A row, or what would be one. */
export type Chosen = Pick<Resource, 'repository' | 'entry' | 'group'>;

/** The rows of the view among the arguments, each once. */
export function selectedRows(args: readonly unknown[]): Resource[] {
  return [...new Set(args.flat().filter((argument) => argument instanceof Resource))];
}

export function byRepository(rows: readonly Chosen[]): Map<Repository, Chosen[]> {
  const all = new Map<Repository, Chosen[]>();
  for (const row of rows) {
    const own = all.get(row.repository);
    if (own === undefined) all.set(row.repository, [row]);
    else own.push(row);
  }
  return all;
}

/** The rows that were selected, or those of the active editor's file. */
export function chosen(registry: RepositoryRegistry, args: readonly unknown[]): Chosen[] {
  const resources = selectedRows(args);
  if (resources.length > 0) return resources;
  const [found] = entriesOfActiveFile(registry, args);
  if (found === undefined) {
    void window.showInformationMessage(t('Resident Git knows of no change to this file.'));
    return [];
  }
  // The change against the index, where there is one, is the one in the editor.
  const group = groupsOf(found.entry).at(-1);
  return group === undefined ? [] : [{ ...found, group }];
}

/** Where the file is that a command was given, or else the one in the active editor. */
function locateFile(registry: RepositoryRegistry, args: readonly unknown[]): Located | undefined {
  return locateUri(
    registry,
    args.find((argument) => argument instanceof Uri) ?? window.activeTextEditor?.document.uri,
  );
}

/** Undefined where it is no file, or in no repository that is open. */
export function locateUri(registry: RepositoryRegistry, uri: Uri | undefined): Located | undefined {
  return uri?.scheme === 'file' ? registry.locate(pathOf(uri)) : undefined;
}

/** What is known of that file. */
export function entriesOfActiveFile(
  registry: RepositoryRegistry,
  args: readonly unknown[],
): { repository: Repository; entry: StatusEntry }[] {
  const located = locateFile(registry, args);
  if (located === undefined) return [];
  const { repository, path } = located;
  return repository.entriesAt(path).map((entry) => ({ repository, entry }));
}

/** A file, changed or not: that of the first row, or of the active editor. */
export function fileOf(registry: RepositoryRegistry, args: readonly unknown[]): Located | undefined {
  const [row] = selectedRows(args);
  if (row !== undefined) return { repository: row.repository, path: row.entry.path };
  const located = locateFile(registry, args);
  if (located === undefined) {
    void window.showInformationMessage(t('The file is in no repository that Resident Git has open.'));
  }
  return located;
}

/** The two sides of a row's change, as `vscode.changes` takes them; undefined where it has none to show. */
export function sidesOf(
  registry: RepositoryRegistry,
  { repository, entry, group }: Chosen,
): [Uri, Uri | undefined, Uri | undefined] | undefined {
  const target = openTarget(entry, group);
  const own = worktreeUri(registry.paths, repository, entry.path);
  const uri = (side: Side) => sideUri(registry, repository, side);
  if (target?.kind === 'diff') return [own, uri(target.left), uri(target.right)];
  if (target?.kind !== 'file') return undefined;
  const isOld = target.file.source === 'HEAD' || isStruckThrough(statusIn(entry, group) ?? 'modified');
  return isOld ? [own, uri(target.file), undefined] : [own, undefined, uri(target.file)];
}

async function open(registry: RepositoryRegistry, { repository, entry, group }: Chosen): Promise<void> {
  const target = openTarget(entry, group);
  const options: TextDocumentShowOptions = { preview: true, preserveFocus: true };
  switch (target?.kind) {
    case 'diff': {
      const [left, right] = [
        sideUri(registry, repository, target.left),
        sideUri(registry, repository, target.right),
      ];
      await commands.executeCommand('vscode.diff', left, right, target.title, options);
      return;
    }
    case 'file':
      await commands.executeCommand(
        'vscode.open',
        sideUri(registry, repository, target.file),
        options,
        target.title,
      );
      return;
    case 'folder':
      await commands.executeCommand('revealInExplorer', worktreeUri(registry.paths, repository, target.path));
      return;
    case undefined:
      return;
  }
}

function sideUri({ paths }: RepositoryRegistry, repository: Repository, { source, path }: Side): Uri {
  return source === 'worktree'
    ? openableUri(paths, repository, path)
    : contentUri(paths, repository, path, source);
}
