/** What is done with a row's file: open it as HEAD has it, ignore it, copy its path or its change, show it elsewhere. */
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { commands, env, Uri, window, workspace } from 'vscode';
import { config } from '../config';
import { FailureKind } from '../git/failures';
import { patchOf, PatchRow } from '../git/patch';
import { t } from '../l10n';
import { ignoreAddition } from '../model/ignoreLines';
import { basename, join, toBytes, toDisplay } from '../model/repoPath';
import { Repository } from '../model/Repository';
import { messageOf } from '../model/RepositoryRegistry';
import { saveDocuments } from '../model/saveDocuments';
import { GroupId, groupsWithin, movedFrom, statusIn } from '../model/status';
import { RepoPath } from '../protocol';
import { kGroupLabels } from '../scm/RepositorySourceControl';
import { contentUri, pathOf, worktreeUri } from '../scm/uris';
import { viewChanges } from './changesEditor';
import { CommandContext, CommandHandler, CommandTable } from './context';
import { chooseRepository } from './repository';
import { byRepository, Chosen, chosen, sidesOf } from './resource';

export const fileCommands = {
  'residentGit.openHEADFile': async ({ registry }, ...args) => {
    for (const { repository, entry, group } of chosen(registry, args)) {
      const status = statusIn(entry, group);
      const path = movedFrom(entry, group) ?? entry.path;
      const name = toDisplay(basename(path));
      if (status === 'untracked' || status === 'indexAdded') {
        void window.showWarningMessage(t('HEAD version of "{0}" is not available.', name));
        continue;
      }
      const uri = contentUri(registry.paths, repository, path, 'HEAD');
      await commands.executeCommand('vscode.open', uri, {}, `${name} (HEAD)`);
    }
  },
  'residentGit.ignore': (context, ...args) =>
    ignore(context, chosen(context.registry, args), ({ root }) => join(root, '.gitignore')),
  'residentGit.exclude': (context, ...args) =>
    ignore(context, chosen(context.registry, args), ({ root, commonDir = join(root, '.git') }) =>
      join(commonDir, 'info/exclude'),
    ),
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
  'residentGit.revealInExplorer': async ({ registry }, ...args) => {
    const [first] = chosen(registry, args);
    if (first === undefined) return;
    const uri = worktreeUri(registry.paths, first.repository, first.entry.path);
    await commands.executeCommand('revealInExplorer', uri);
  },
} satisfies CommandTable;

/** Shows all changes of the group that was clicked, or else of this one in a repository. */
function viewing(group: GroupId): CommandHandler {
  return async (context, argument) => {
    const { registry, sourceControls } = context;
    const repository =
      sourceControls.groupOf(argument)?.repository ?? (await chooseRepository(context, argument));
    if (repository === undefined) return;
    const rows = groupsWithin(group, config.untrackedChanges).flatMap((id) =>
      Array.from(repository.entriesIn(id), (entry) => ({ repository, entry, group: id })),
    );
    const title = `${toDisplay(basename(repository.root))}: ${kGroupLabels[group]}`;
    await viewChanges(title, rows, (row) => sidesOf(registry, row));
  };
}

/** Writes lines that mean the untracked ones of the rows alone into a file of patterns, and shows that. */
async function ignore(
  context: CommandContext,
  rows: readonly Chosen[],
  fileOf: (repository: Repository) => string,
): Promise<void> {
  if (!workspace.isTrusted) {
    void window.showWarningMessage(t('Resident Git changes nothing in a workspace that is not trusted.'));
    return;
  }
  for (const [repository, own] of byRepository(rows)) {
    const paths = own.filter(({ entry }) => entry.kind === 'untracked').map(({ entry }) => entry.path);
    if (paths.length > 0) await addLines(context, repository, fileOf(repository), paths);
  }
}

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
    void window.showErrorMessage(
      t('Resident Git: {0} cannot be written: {1}', toDisplay(basename(file)), reason),
    );
    return;
  }
  await commands.executeCommand('vscode.open', uri, { preview: true, preserveFocus: true });
}

/** That a file differs from none at all, which git tells by its exit code. */
const kDiffers: readonly FailureKind[] = ['other'];

async function copyPatch({ git }: CommandContext, rows: readonly Chosen[]): Promise<void> {
  const parts: Buffer[] = [];
  const left: RepoPath[] = [];
  for (const [repository, own] of byRepository(rows)) {
    const patch = await git.exclusively(repository, { title: t('Making a patch') }, (run) =>
      patchOf(
        (command) => run(command, command.args.includes('--no-index') ? { expected: kDiffers } : {}),
        own.flatMap(patchRow),
      ),
    );
    if (patch === undefined) return;
    parts.push(patch.text);
    left.push(...patch.left);
  }
  const text = Buffer.concat(parts).toString('utf8');
  if (text !== '') await env.clipboard.writeText(text);
  if (left.length > 0 || text === '') {
    const names = left.map(toDisplay).join(', ');
    void window.showWarningMessage(
      left.length > 0
        ? t('Resident Git: the patch lacks names that are no text: {0}.', names)
        : t('Resident Git: there are no changes for a patch.'),
    );
  }
}

function patchRow({ entry, group }: Chosen): PatchRow[] {
  // A patch has no conflicts, and no repository within another.
  if (group === 'merge' || entry.path.endsWith('/')) return [];
  const from = movedFrom(entry, group);
  return [{ path: entry.path, side: group, ...(from !== undefined && { from }) }];
}
