/** The rows of the Source Control view, or the file in the active editor, that a command acts on. */
import { Uri, window } from 'vscode';
import { t } from '../l10n';
import { ContentKey, parseContentQuery } from '../model/contentQuery';
import { Repository } from '../model/Repository';
import { Located, RepositoryRegistry } from '../model/RepositoryRegistry';
import { groupsOf } from '../model/status';
import { StatusEntry } from '../protocol';
import { Resource } from '../scm/Resource';
import { kContentScheme, pathOf } from '../scm/uris';

/** A row of the view, or a change like a row. */
export type Chosen = Pick<Resource, 'repository' | 'entry' | 'group'>;

/** The view's rows among the arguments, without duplicates. */
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

/** The selected rows, or the change in the active editor. */
export function chosen(registry: RepositoryRegistry, args: readonly unknown[]): Chosen[] {
  const resources = selectedRows(args);
  if (resources.length > 0) return resources;
  const [found] = entriesOfActiveFile(registry, args);
  if (found === undefined) {
    void window.showInformationMessage(t('There are no changes to this file.'));
    return [];
  }
  const groups = groupsOf(found.entry);
  // If a change against the index exists, the editor shows that change, unless it shows the staged text.
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

/** The URI among the arguments, or else the active editor's URI. */
function uriIn(args: readonly unknown[]): Uri | undefined {
  return args.find((argument) => argument instanceof Uri) ?? window.activeTextEditor?.document.uri;
}

/** The content in git that the URI names; undefined if it names none. */
function textIn(uri: Uri | undefined): ContentKey | undefined {
  return uri?.scheme === kContentScheme ? parseContentQuery(uri.query) : undefined;
}

/** Repository and path of the file. The editor may show the file itself, or a version of it from git. */
function locateFile(registry: RepositoryRegistry, args: readonly unknown[]): Located | undefined {
  const uri = uriIn(args);
  const text = textIn(uri);
  if (text === undefined) return locateUri(registry, uri);
  const repository = registry.get(text.root);
  return repository && { repository, path: text.path };
}

/** Undefined if the URI is not a file, or is not in an open repository. */
export function locateUri(registry: RepositoryRegistry, uri: Uri | undefined): Located | undefined {
  return uri?.scheme === 'file' ? registry.locate(pathOf(uri)) : undefined;
}

/** The status entries of the active editor's file. */
export function entriesOfActiveFile(
  registry: RepositoryRegistry,
  args: readonly unknown[],
): { repository: Repository; entry: StatusEntry }[] {
  const located = locateFile(registry, args);
  if (located === undefined) return [];
  const { repository, path } = located;
  return repository.entriesAt(path).map((entry) => ({ repository, entry }));
}

/** A file, changed or not: the file of the first row, or else of the active editor. */
export function fileOf(registry: RepositoryRegistry, args: readonly unknown[]): Located | undefined {
  const [row] = selectedRows(args);
  if (row !== undefined) return { repository: row.repository, path: row.entry.path };
  const located = locateFile(registry, args);
  if (located === undefined) {
    void window.showInformationMessage(t('The file is not in an open repository.'));
  }
  return located;
}
