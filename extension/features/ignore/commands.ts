/**
 * Adds patterns for untracked files to `.gitignore`, which is for everybody, or to `info/exclude`, which is for this
 * clone.
 */
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { commands, Uri, window, workspace } from 'vscode';
import { CommandContext, CommandTable } from '../../commands/context';
import { onFolder } from '../../commands/folder';
import { byRepository, Chosen, chosen } from '../../commands/rows';
import { saveDocuments } from '../../commands/saveDocuments';
import { t } from '../../l10n';
import { messageOf } from '../../model/messageOf';
import { basename, join, toBytes, toDisplay } from '../../model/repoPath';
import { Repository } from '../../model/Repository';
import { Located } from '../../model/RepositoryRegistry';
import { RepoPath } from '../../protocol';
import { ignoreAddition } from './plan';

export const ignoreCommands = {
  'residentGit.ignore': (context, ...args) => ignore(context, chosen(context.registry, args), ignoreFile),
  'residentGit.exclude': (context, ...args) => ignore(context, chosen(context.registry, args), excludeFile),
  'residentGit.ignoreFolder': onFolder((context, folder, rows) =>
    ignoreFolder(context, folder, rows, ignoreFile),
  ),
  'residentGit.excludeFolder': onFolder((context, folder, rows) =>
    ignoreFolder(context, folder, rows, excludeFile),
  ),
} satisfies CommandTable;

const ignoreFile = ({ root }: Repository): string => join(root, '.gitignore');
const excludeFile = ({ root, commonDir = join(root, '.git') }: Repository): string =>
  join(commonDir, 'info/exclude');

/** False in an untrusted workspace: the user gets the reason. */
function mayWrite(): boolean {
  if (workspace.isTrusted) return true;
  void window.showWarningMessage(t('Trust this workspace to change files with Resident Git.'));
  return false;
}

/** Ignores the untracked files among the rows. */
async function ignore(
  context: CommandContext,
  rows: readonly Chosen[],
  fileOf: (repository: Repository) => string,
): Promise<void> {
  if (!mayWrite()) return;
  for (const [repository, own] of byRepository(rows)) {
    const paths = own.filter(({ entry }) => entry.kind === 'untracked').map(({ entry }) => entry.path);
    if (paths.length > 0) await addLines(context, repository, fileOf(repository), paths);
  }
}

/** Appends patterns that match only these paths to an ignore file. Then opens the file. */
async function addLines(
  { registry, log }: CommandContext,
  { root }: Repository,
  file: string,
  paths: readonly RepoPath[],
): Promise<void> {
  const [shown] = registry.paths.toOpened(file);
  const uri = Uri.file(toDisplay(shown));
  const open = workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  if (open !== undefined && !(await saveDocuments([open]))) return;
  try {
    const bytes = toBytes(file);
    await mkdir(toBytes(file.slice(0, file.lastIndexOf('/'))), { recursive: true });
    const before = await readFile(bytes).catch(() => Buffer.alloc(0));
    await appendFile(bytes, ignoreAddition(before, paths));
  } catch (error) {
    const reason = toDisplay(messageOf(error));
    log.error(`${toDisplay(root)}: ${toDisplay(file)} cannot be written: ${reason}`);
    void window.showErrorMessage(t('Could not write {0}: {1}', toDisplay(basename(file)), reason));
    return;
  }
  await commands.executeCommand('vscode.open', uri, { preview: true, preserveFocus: true });
}

async function ignoreFolder(
  context: CommandContext,
  { repository, path }: Located,
  rows: readonly Chosen[],
  fileOf: (repository: Repository) => string,
): Promise<void> {
  if (!mayWrite()) return;
  if (rows.some(({ entry }) => entry.kind === 'untracked')) {
    await addLines(context, repository, fileOf(repository), [`${path}/`]);
    return;
  }
  void window.showInformationMessage(
    t('"{0}" has no untracked files. Ignore rules do not hide tracked files.', toDisplay(basename(path))),
  );
}
