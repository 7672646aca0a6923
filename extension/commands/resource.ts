/** Commands on a row of the Source Control view, or on the file in the active editor. */
import { commands, TextDocumentShowOptions, Uri, window } from 'vscode';
import { config } from '../config';
import { t } from '../l10n';
import { mergeSources } from '../model/conflictPlan';
import { ContentKey, parseContentQuery } from '../model/contentQuery';
import { openTarget, Side } from '../model/openTarget';
import { Repository } from '../model/Repository';
import { Located, RepositoryRegistry } from '../model/RepositoryRegistry';
import { groupsOf, isStruckThrough, statusIn } from '../model/status';
import { Resource } from '../scm/Resource';
import { contentUri, kContentScheme, openableUri, pathOf, worktreeUri } from '../scm/uris';
import { StatusEntry } from '../protocol';
import { Sides } from './changesEditor';
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
    const rows = selectedRows(args);
    if (rows.length === 0 && entriesOfActiveFile(registry, args).length === 0) {
      const file = fileOf(registry, args);
      if (file !== undefined) await openInWorktree(registry, file);
      return;
    }
    for (const row of rows.length > 0 ? rows : chosen(registry, args)) {
      const status = statusIn(row.entry, row.group);
      if (status === 'deleted' || status === 'indexDeleted' || status === 'bothDeleted') {
        await open(registry, row);
        continue;
      }
      const { repository, entry } = row;
      const isFolder =
        entry.path.endsWith('/') || (entry.kind !== 'untracked' && entry.submodule !== undefined);
      if (isFolder) {
        await commands.executeCommand(
          'revealInExplorer',
          openableUri(registry.paths, repository, entry.path),
        );
      } else {
        await openInWorktree(registry, { repository, path: entry.path });
      }
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

/** The rows that were selected, or the one of the change in the active editor. */
export function chosen(registry: RepositoryRegistry, args: readonly unknown[]): Chosen[] {
  const resources = selectedRows(args);
  if (resources.length > 0) return resources;
  const [found] = entriesOfActiveFile(registry, args);
  if (found === undefined) {
    void window.showInformationMessage(t('There are no changes to this file.'));
    return [];
  }
  const groups = groupsOf(found.entry);
  // The change against the index, where there is one, is the one in the editor, unless that shows what is staged.
  const isStaged = textIn(uriIn(args))?.source === 'index' && groups.includes('index');
  const group = isStaged ? 'index' : groups.at(-1);
  return group === undefined ? [] : [{ ...found, group }];
}

/** All rows of the active editor's file. */
export function rowsOfActiveFile(registry: RepositoryRegistry, args: readonly unknown[]): Chosen[] {
  return entriesOfActiveFile(registry, args).flatMap((found) =>
    groupsOf(found.entry).map((group) => ({ ...found, group })),
  );
}

/** What a command was given, or else what the active editor shows. */
function uriIn(args: readonly unknown[]): Uri | undefined {
  return args.find((argument) => argument instanceof Uri) ?? window.activeTextEditor?.document.uri;
}

/** Which text of git's it names; undefined where it names none. */
function textIn(uri: Uri | undefined): ContentKey | undefined {
  return uri?.scheme === kContentScheme ? parseContentQuery(uri.query) : undefined;
}

/** Where the file is, whether its own text is shown or one that git has of it. */
function locateFile(registry: RepositoryRegistry, args: readonly unknown[]): Located | undefined {
  const uri = uriIn(args);
  const text = textIn(uri);
  if (text === undefined) return locateUri(registry, uri);
  const repository = registry.get(text.root);
  return repository && { repository, path: text.path };
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
    void window.showInformationMessage(t('The file is not in an open repository.'));
  }
  return located;
}

/** The two sides of a row's change, as `vscode.changes` takes them; undefined where it has none to show. */
export function sidesOf(
  registry: RepositoryRegistry,
  { repository, entry, group }: Chosen,
): Sides | undefined {
  const target = openTarget(entry, group);
  const own = worktreeUri(registry.paths, repository, entry.path);
  const uri = (side: Side) => sideUri(registry, repository, side);
  if (target?.kind === 'diff') return [own, uri(target.left), uri(target.right)];
  if (target?.kind !== 'file') return undefined;
  const isOld = target.file.source === 'HEAD' || isStruckThrough(statusIn(entry, group) ?? 'modified');
  return isOld ? [own, uri(target.file), undefined] : [own, undefined, uri(target.file)];
}

async function openInWorktree({ paths }: RepositoryRegistry, { repository, path }: Located): Promise<void> {
  await commands.executeCommand('vscode.open', openableUri(paths, repository, path), { preview: false });
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
