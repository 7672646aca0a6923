/** Commands of the view File History, and comparisons with a commit of a file's history. */
import { commands, FileType, TextEditor, Uri, window, workspace } from 'vscode';
import { CommandContext, CommandTable } from '../../commands/context';
import { fileOf, locateUri, selectedRows } from '../../commands/rows';
import { t } from '../../l10n';
import { shortId } from '../../model/oid';
import { basename, toDisplay } from '../../model/repoPath';
import { Located } from '../../model/RepositoryRegistry';
import { pathInHead } from '../../model/status';
import { contentUri, openableUri } from '../../scm/uris';
import { decoded, selectedLines } from '../hunks/editorText';
import { activeUri } from './activeUri';
import { openCommit, openFileChange, readBlob, tellNotThere } from './commitEditors';
import { pickCommit } from './commitPick';
import { blobsOf, changeAt } from './fileChange';
import { FileHistory } from './FileHistory';
import { HistoryReader } from './HistoryReader';
import { CommitRow } from './HistoryRows';
import { emptyText } from './historyText';
import { linesBefore } from './lineMap';
import { HistoryCommit } from './plan';

export interface HistoryContext extends CommandContext {
  fileHistory: FileHistory;
  historyReader: HistoryReader;
}

export const historyCommands = {
  'residentGit.showFileHistory': showFileHistory,
  'residentGit.showLineHistory': showLineHistory,
  'residentGit.openChangesWithCommit': openChangesWithCommit,
  'residentGit.openHistoryChanges': openHistoryChanges,
  'residentGit.openHistoryChangesWithFile': openHistoryChangesWithFile,
  'residentGit.loadMoreHistory': ({ fileHistory }) => fileHistory.list.more(),
  'residentGit.refreshFileHistory': ({ fileHistory }) => fileHistory.refresh(),
  'residentGit.pinFileHistory': ({ fileHistory }) => fileHistory.setPinned(true),
  'residentGit.unpinFileHistory': ({ fileHistory }) => fileHistory.setPinned(false),
} satisfies CommandTable<HistoryContext>;

/** Commands of the view's title. VS Code passes them undefined in place of a row. */
export const kOfHistoryTitle: ReadonlySet<string> = new Set([
  'residentGit.refreshFileHistory',
  'residentGit.pinFileHistory',
  'residentGit.unpinFileHistory',
]);

/** The clicked file or folder, or else the file in front. */
function targetOf({ registry }: HistoryContext, args: readonly unknown[]): Located | undefined {
  const isNamed = selectedRows(args).length > 0 || args.some((argument) => argument instanceof Uri);
  const located = fileOf(registry, isNamed ? args : [activeUri()]);
  return located && { ...located, path: located.path.replace(/\/$/, '') };
}

async function showFileHistory(context: HistoryContext, ...args: unknown[]): Promise<void> {
  const located = targetOf(context, args);
  if (located === undefined) return;
  const { repository, path } = located;
  const uri = args.find((argument) => argument instanceof Uri);
  const isFolder = path === '' || (uri?.scheme === 'file' && (await isDirectory(uri)));
  // Other tabs do not replace a file that is not in front.
  const front = activeUri();
  const inFront = front && locateUri(context.registry, front);
  const isInFront = inFront?.repository === repository && inFront.path === path;
  const target = { root: repository.root, path, kind: isFolder ? ('folder' as const) : ('file' as const) };
  await context.fileHistory.show(target, !isInFront);
}

async function isDirectory(uri: Uri): Promise<boolean> {
  try {
    return ((await workspace.fs.stat(uri)).type & FileType.Directory) !== 0;
  } catch {
    // A file that is deleted in the worktree.
    return false;
  }
}

async function showLineHistory(context: HistoryContext): Promise<void> {
  const editor = window.activeTextEditor;
  const located = editor && locateUri(context.registry, editor.document.uri);
  if (editor === undefined || located === undefined) {
    void window.showInformationMessage(t('The file is not in an open repository.'));
    return;
  }
  const { repository, path } = located;
  const base = repository.branch.oid;
  const lines = await committedLines(context, editor, located);
  if (lines === undefined || base === undefined) {
    void window.showInformationMessage(t('The selected lines are not committed yet.'));
    return;
  }
  await context.fileHistory.show({ root: repository.root, path, kind: 'lines', lines, base }, true);
}

/** The selected lines in the version of HEAD. Undefined: HEAD does not have them. */
async function committedLines(
  { registry }: HistoryContext,
  { document, selections }: TextEditor,
  { repository, path }: Located,
) {
  const committed = pathInHead(repository.entriesAt(path), path);
  const last = document.lineAt(document.lineCount - 1).range.end;
  const selected = selectedLines(selections, last);
  const lines = {
    start: Math.min(...selected.map(({ start }) => start)),
    end: Math.max(...selected.map(({ end }) => end)),
  };
  try {
    const bytes = await workspace.fs.readFile(contentUri(registry.paths, repository, committed, 'HEAD'));
    const text = await decoded(document, bytes);
    return text === undefined ? lines : linesBefore(text, document.getText(), lines);
  } catch {
    return undefined;
  }
}

async function openHistoryChanges(context: HistoryContext, row: unknown): Promise<void> {
  if (!(row instanceof CommitRow)) return;
  const { subject, commit, index } = row;
  const repository = context.registry.get(subject.root);
  if (repository === undefined) return;
  if (subject.kind === 'folder') {
    await openCommit(context, repository, commit.oid, subject.path);
    return;
  }
  const { commits } = context.fileHistory.list;
  const change = commit.file ?? changeAt(subject, commits, index);
  await openFileChange(context, repository, commit, change);
}

/** Compares the file in the worktree with its version in a commit that the user picks. */
async function openChangesWithCommit(context: HistoryContext, ...args: unknown[]): Promise<void> {
  const located = targetOf(context, args);
  const row = located && (await pick(context, located));
  if (row !== undefined) await compareWithFile(context, row, [row.commit], 0);
}

async function openHistoryChangesWithFile(context: HistoryContext, row: unknown): Promise<void> {
  if (!(row instanceof CommitRow)) return;
  await compareWithFile(context, row, context.fileHistory.list.commits, row.index);
}

async function compareWithFile(
  context: HistoryContext,
  { subject, commit }: CommitRow,
  commits: readonly HistoryCommit[],
  index: number,
): Promise<void> {
  const { root, path } = subject;
  const repository = context.registry.get(root);
  if (repository === undefined) return;
  const change = commit.file ?? changeAt(subject, commits, index);
  const blob =
    change.objects === undefined
      ? await readBlob(context, repository, commit.oid, change.path)
      : blobsOf(change).right;
  if (blob === undefined) {
    tellNotThere(change.path, commit.oid);
    return;
  }
  const { paths } = context.registry;
  const left = contentUri(paths, repository, change.path, `blob:${blob}`);
  const title = t('{0} ({1} ↔ Working Tree)', toDisplay(basename(path)), shortId(commit.oid));
  await commands.executeCommand('vscode.diff', left, openableUri(paths, repository, path), title);
}

async function pick(
  { historyReader }: HistoryContext,
  { repository, path }: Located,
): Promise<CommitRow | undefined> {
  const { root, branch } = repository;
  const entries = repository.entriesAt(path);
  const none = emptyText({ root, path, kind: 'file' }, entries);
  if (branch.oid === undefined) {
    void window.showInformationMessage(none);
    return undefined;
  }
  const committed = pathInHead(entries, path);
  return pickCommit(historyReader, { root, path, committed, kind: 'file', start: branch.oid }, none);
}
