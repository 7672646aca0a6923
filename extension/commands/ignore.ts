/**
 * Adds patterns for untracked files to `.gitignore`, which is for everybody, or to `info/exclude`, which is for this
 * clone.
 */
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { commands, Uri, window, workspace } from 'vscode';
import { t } from '../l10n';
import { ignoreAddition } from '../model/ignoreLines';
import { basename, join, toBytes, toDisplay } from '../model/repoPath';
import { Repository } from '../model/Repository';
import { messageOf } from '../model/messageOf';
import { saveDocuments } from '../model/saveDocuments';
import { RepoPath } from '../protocol';
import { CommandContext, CommandTable } from './context';
import { byRepository, Chosen, chosen } from './resource';

export const ignoreCommands = {
  'residentGit.ignore': (context, ...args) => ignore(context, chosen(context.registry, args), ignoreFile),
  'residentGit.exclude': (context, ...args) => ignore(context, chosen(context.registry, args), excludeFile),
} satisfies CommandTable;

export const ignoreFile = ({ root }: Repository): string => join(root, '.gitignore');
export const excludeFile = ({ root, commonDir = join(root, '.git') }: Repository): string =>
  join(commonDir, 'info/exclude');

/** False in an untrusted workspace: the user gets the reason. */
export function mayWrite(): boolean {
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
export async function addLines(
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
