/** Repositories of another user: git opens them only if the user trusts them. */
import { env, window } from 'vscode';
import { CommandContext, CommandTable } from '../../commands/context';
import { t } from '../../l10n';
import { basename, isText, toDisplay } from '../../model/repoPath';
import { safeDirectoryArguments, safeDirectoryCommand, unsafeDirectories } from '../../model/safeDirectory';

const kCopy = t('Copy Command');

export const trustCommands = {
  'residentGit.manageUnsafeRepositories': manageUnsafeRepositories,
  'residentGit.copySafeDirectoryCommand': copySafeDirectoryCommand,
} satisfies CommandTable;

/** The directories that git does not trust, each with a folder where git can run. */
function unsafeHere({ registry }: CommandContext): [directory: string, folder: string][] {
  const found = [...unsafeDirectories(registry.problems)].filter((each) => each.every(isText));
  if (found.length === 0) void window.showInformationMessage(t('git trusts every repository here.'));
  return found;
}

async function manageUnsafeRepositories(context: CommandContext): Promise<void> {
  const { git, registry } = context;
  const items = unsafeHere(context).map(([directory, folder]) => ({
    label: basename(directory),
    description: directory,
    directory,
    folder,
  }));
  if (items.length === 0) return;
  const placeHolder = t('Select a repository to mark as safe and open');
  const picked = items.length === 1 ? items[0] : await window.showQuickPick(items, { placeHolder });
  if (picked === undefined) return;
  const { directory, folder } = picked;
  const command = safeDirectoryCommand(directory);
  const message = t("Do you want git to trust the repository '{0}'?", toDisplay(directory));
  const detail = t(
    'The repository belongs to another user. Its settings and hooks can run programs as you. ' +
      'Trust it only if you trust everyone who can write to it. This command will run:\n\n{0}',
    command,
  );
  const trust = t('Mark as Safe');
  const answer = await window.showWarningMessage(message, { modal: true, detail }, trust, kCopy);
  if (answer === kCopy) await env.clipboard.writeText(command);
  if (answer !== trust) return;
  const args = safeDirectoryArguments(directory);
  const done = await git.run({ root: folder }, { args }, { title: t('Marking a repository as safe') });
  if (done !== undefined) await registry.discoverAll();
}

/** The texts of the empty view are fixed, so they cannot show the directories. */
async function copySafeDirectoryCommand(context: CommandContext): Promise<void> {
  const directories = unsafeHere(context).map(([directory]) => directory);
  if (directories.length === 0) return;
  const command = directories.map(safeDirectoryCommand).join(' && ');
  await env.clipboard.writeText(command);
  void window.showInformationMessage(t('Copied. Run this in a terminal: {0}', toDisplay(command)));
}
