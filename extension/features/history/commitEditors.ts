/** Opens the changes of a commit: one file, the files of a folder, or all files. */
import { commands, Range, TextDocumentShowOptions, window } from 'vscode';
import { blobSides, viewChanges } from '../../commands/changesEditor';
import { CommandContext } from '../../commands/context';
import { t } from '../../l10n';
import { shortId } from '../../model/oid';
import { basename, toDisplay } from '../../model/repoPath';
import { Repository } from '../../model/Repository';
import { RepoPath } from '../../protocol';
import { contentUri } from '../../scm/uris';
import { fileAtQuestion, parseFileAt } from '../revisions/plan';
import { commitChangesCommand, isBelow, parseCommitChanges } from './commit';
import { blobsOf, compare, Version } from './fileChange';
import { FileChange, HistoryCommit } from './plan';

/** Opens all changes of the commit against its first parent. `folder`: only the changes below it. */
export async function openCommit(
  { git, registry: { paths } }: CommandContext,
  repository: Repository,
  oid: string,
  folder: RepoPath = '',
): Promise<void> {
  const found = await git.read(repository, commitChangesCommand(oid), t('Reading a commit'));
  if (found === undefined) return;
  const { subject, changes } = parseCommitChanges(found.stdout);
  const below = changes.filter((change) => isBelow(folder, change));
  const title = subject === '' ? shortId(oid) : `${shortId(oid)} - ${toDisplay(subject)}`;
  await viewChanges(title, below, (change) => blobSides(paths, repository, change));
}

/** Compares the file's version in the commit with the version before. */
export async function openFileChange(
  context: CommandContext,
  repository: Repository,
  commit: HistoryCommit,
  change: FileChange,
): Promise<void> {
  const blobs =
    change.objects === undefined ? await readBlobs(context, repository, commit, change) : blobsOf(change);
  const comparison = compare(commit, change, blobs);
  if (comparison.kind === 'message') {
    void window.showInformationMessage(comparison.text);
    return;
  }
  const uri = ({ path, source }: Version) => contentUri(context.registry.paths, repository, path, source);
  const options: TextDocumentShowOptions = { preview: true, preserveFocus: true };
  if (change.line !== undefined) options.selection = new Range(change.line, 0, change.line, 0);
  const { left, right, title } = comparison;
  await commands.executeCommand('vscode.diff', uri(left), uri(right), title, options);
}

async function readBlobs(
  context: CommandContext,
  repository: Repository,
  { oid, parents }: HistoryCommit,
  { path, from }: FileChange,
): Promise<{ left: string | undefined; right: string | undefined }> {
  const [parent] = parents;
  const [left, right] = await Promise.all([
    from !== undefined && parent !== undefined ? readBlob(context, repository, parent, from) : undefined,
    readBlob(context, repository, oid, path),
  ]);
  return { left, right };
}

/** Undefined: the commit has no such file, or git failed. */
export async function readBlob(
  { git }: CommandContext,
  repository: Repository,
  oid: string,
  path: RepoPath,
): Promise<string | undefined> {
  const question = fileAtQuestion(oid, path);
  const found = question && (await git.read(repository, question, t('Looking for the file')));
  return found && parseFileAt(found.stdout);
}

export function tellNotThere(path: RepoPath, oid: string): void {
  const name = toDisplay(basename(path));
  void window.showInformationMessage(t('"{0}" is not in {1}.', name, shortId(oid)));
}
