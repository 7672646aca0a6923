/** Commands on a row's file: open its HEAD version, copy its path or its changes, show it in other views. */
import { commands, env, Uri, window, workspace } from 'vscode';
import { viewChanges } from '../../commands/changesEditor';
import { CommandContext, CommandHandler, CommandTable } from '../../commands/context';
import { onFolder } from '../../commands/folder';
import { chooseRepository } from '../../commands/repository';
import { byRepository, Chosen, chosen } from '../../commands/rows';
import { configOf } from '../../config';
import { t } from '../../l10n';
import { basename, toDisplay } from '../../model/repoPath';
import { GroupId, groupsWithin, movedFrom, pathInHead } from '../../model/status';
import { kGroupLabels } from '../../scm/RepositorySourceControl';
import { contentUri, pathOf, worktreeUri } from '../../scm/uris';
import { kMaxPatchBytes, patchOf, PatchRow } from './git';
import { sidesOf } from './openCommands';

export const fileCommands = {
  'residentGit.openHEADFile': async ({ registry }, ...args) => {
    for (const { repository, entry, group } of chosen(registry, args)) {
      const path = movedFrom(entry, group) ?? pathInHead([entry], entry.path);
      const name = toDisplay(basename(path));
      const uri = contentUri(registry.paths, repository, path, 'HEAD');
      if (await exists(uri)) await commands.executeCommand('vscode.open', uri, {}, `${name} (HEAD)`);
      else void window.showWarningMessage(t('HEAD version of "{0}" is not available.', name));
    }
  },
  'residentGit.viewChanges': viewing('workingTree'),
  'residentGit.viewStagedChanges': viewing('index'),
  'residentGit.viewUntrackedChanges': viewing('untracked'),
  'residentGit.copyPath': async ({ registry }, ...args) => {
    const paths = chosen(registry, args).map(({ repository, entry }) =>
      pathOf(worktreeUri(registry.paths, repository, entry.path)),
    );
    if (paths.length > 0) await env.clipboard.writeText(paths.map(toDisplay).join('\n'));
  },
  'residentGit.copyRelativePath': async ({ registry }, ...args) => {
    const paths = chosen(registry, args).map(({ entry }) => toDisplay(entry.path));
    if (paths.length > 0) await env.clipboard.writeText(paths.join('\n'));
  },
  'residentGit.copyPatch': async (context, ...args) => {
    await copyPatch(context, chosen(context.registry, args));
  },
  'residentGit.revealInExplorer': revealing('revealInExplorer'),
  'residentGit.revealFileInOS.linux': revealing('revealFileInOS'),
  'residentGit.copyFolderPath': onFolder(({ registry }, { repository, path }) =>
    env.clipboard.writeText(toDisplay(pathOf(worktreeUri(registry.paths, repository, path)))),
  ),
  'residentGit.copyFolderRelativePath': onFolder((_, { path }) => env.clipboard.writeText(toDisplay(path))),
  'residentGit.revealFolderInExplorer': onFolder(({ registry }, { repository, path }) =>
    commands.executeCommand('revealInExplorer', worktreeUri(registry.paths, repository, path)),
  ),
} satisfies CommandTable;

async function exists(uri: Uri): Promise<boolean> {
  try {
    await workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}

/** Shows the file of the first row with a command of VS Code. */
function revealing(command: string): CommandHandler {
  return async ({ registry }, ...args) => {
    const [first] = chosen(registry, args);
    if (first === undefined) return;
    await commands.executeCommand(command, worktreeUri(registry.paths, first.repository, first.entry.path));
  };
}

/** Shows all changes of the clicked group. If no group was clicked: this group in a repository. */
function viewing(group: GroupId): CommandHandler {
  return async (context, argument) => {
    const { registry, sourceControls } = context;
    const repository =
      sourceControls.groupOf(argument)?.repository ?? (await chooseRepository(context, argument));
    if (repository === undefined) return;
    const rows = groupsWithin(group, configOf(repository).untrackedChanges).flatMap((id) =>
      Array.from(repository.entriesIn(id), (entry) => ({ repository, entry, group: id })),
    );
    const title = `${toDisplay(basename(repository.root))}: ${kGroupLabels[group]}`;
    await viewChanges(title, rows, (row) => sidesOf(registry, row));
  };
}

async function copyPatch({ git }: CommandContext, rows: readonly Chosen[]): Promise<void> {
  const parts: Buffer[] = [];
  for (const [repository, own] of byRepository(rows)) {
    const patch = await git.exclusively(repository, { title: t('Creating a patch') }, (run) =>
      patchOf(run, own.flatMap(patchRow)),
    );
    if (patch === undefined) return;
    if (patch === 'tooLarge') {
      const megabytes = kMaxPatchBytes >> 20;
      void window.showWarningMessage(t('The patch was not copied: it is larger than {0} MB.', megabytes));
      return;
    }
    parts.push(patch);
  }
  const bytes = Buffer.concat(parts);
  const text = bytes.toString('utf8');
  if (!Buffer.from(text, 'utf8').equals(bytes)) {
    void window.showWarningMessage(t('The patch was not copied: its text is not valid UTF-8.'));
  }
  if (text !== '') await env.clipboard.writeText(text);
  else void window.showWarningMessage(t('There are no changes to copy.'));
}

function patchRow({ entry, group }: Chosen): PatchRow[] {
  // A patch cannot contain conflicts or nested repositories.
  if (group === 'merge' || entry.path.endsWith('/')) return [];
  const from = movedFrom(entry, group);
  return [{ path: entry.path, side: group, ...(from !== undefined && { from }) }];
}
