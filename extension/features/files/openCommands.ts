/** Opens the changes and files of rows. */
import { commands, TextDocumentShowOptions, Uri } from 'vscode';
import { Sides } from '../../commands/changesEditor';
import { CommandTable } from '../../commands/context';
import { Chosen, chosen, entriesOfActiveFile, fileOf, selectedRows } from '../../commands/rows';
import { config } from '../../config';
import { openTarget, Side } from '../../model/openTarget';
import { Repository } from '../../model/Repository';
import { Located, RepositoryRegistry } from '../../model/RepositoryRegistry';
import { isGone, isStruckThrough, statusIn } from '../../model/status';
import { Resource } from '../../scm/Resource';
import { contentUri, openableUri, worktreeUri } from '../../scm/uris';
import { mergeSources } from '../conflicts/plan';

export const openCommands = {
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
      if (status !== undefined && isGone(status)) {
        await open(registry, row);
        continue;
      }
      const { repository, entry } = row;
      if (openTarget(entry, row.group)?.kind === 'folder') {
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

/** The two sides of a row's change, as arguments of `vscode.changes`. Undefined if the row has nothing to show. */
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
