/** Files with conflicts: opens the merge editor, takes one or both sides, and asks before a file is marked resolved. */
import { commands, Uri, ViewColumn, window } from 'vscode';
import { CommandContext, CommandHandler, CommandTable } from '../../commands/context';
import { byRepository, Chosen, entriesOfActiveFile, selectedRows } from '../../commands/rows';
import { isMeant, tellDone, tellLeft } from '../../commands/tell';
import { unsavedIn } from '../../commands/unsaved';
import { t } from '../../l10n';
import { Left } from '../../model/left';
import { Source } from '../../model/openTarget';
import { basename, isText, toDisplay } from '../../model/repoPath';
import { Repository } from '../../model/Repository';
import { RepoPath } from '../../protocol';
import { contentUri, worktreeUri } from '../../scm/uris';
import { accept, Replaced, restoreReplaced, withoutMarkers } from './git';
import { ConflictSide } from './markers';
import { ConflictPath, mergeSources, stillStanding } from './plan';

export const conflictCommands = {
  'residentGit.openMergeEditor': async (context, ...args) => {
    for (const row of conflictsOf(context, args)) await openMerge(context, row);
  },
  'residentGit.acceptMerge': async (_, uri) => {
    const done = await commands.executeCommand<{ successful?: boolean } | undefined>(kAcceptMerge);
    if (done?.successful === true) await commands.executeCommand('residentGit.stage', uri);
  },
  'residentGit.acceptCurrent': accepting('current'),
  'residentGit.acceptIncoming': accepting('incoming'),
  'residentGit.acceptBoth': accepting('both'),
} satisfies CommandTable;

/** The conflicts of the selected rows, or of the active editor's file. */
function conflictsOf({ registry }: CommandContext, args: readonly unknown[]): Chosen[] {
  const rows: Chosen[] = selectedRows(args);
  const found =
    rows.length > 0
      ? rows
      : entriesOfActiveFile(registry, args).map((each) => ({ ...each, group: 'merge' as const }));
  const conflicts = found.filter(({ entry }) => entry.kind === 'unmerged');
  if (conflicts.length === 0) {
    void window.showInformationMessage(t('This file has no conflict.'));
  }
  return conflicts;
}

/** A command of VS Code that may be missing: https://github.com/microsoft/vscode/issues/167172 calls it internal. */
const kMergeEditor = '_open.mergeEditor';
/** Saves the result of the active merge editor, and closes it. */
const kAcceptMerge = 'mergeEditor.acceptMerge';

/** Opens the merge editor. If this host has no merge editor, opens two diffs and the file. */
export async function openMerge(
  { registry }: Pick<CommandContext, 'registry'>,
  { repository, entry }: Chosen,
): Promise<void> {
  if (entry.kind !== 'unmerged') return;
  const { path } = entry;
  const name = toDisplay(basename(path));
  const sources = mergeSources(entry.conflict);
  if (sources === undefined || !isText(path) || entry.submodule !== undefined) {
    void window.showInformationMessage(t("'{0}' cannot be merged as text. Accept one side.", name));
    return;
  }
  const uriOf = (source: Source) => contentUri(registry.paths, repository, path, source);
  const [base, current, incoming] = [sources.base, sources.current, sources.incoming].map(uriOf);
  if (base === undefined || current === undefined || incoming === undefined) return;
  const output = worktreeUri(registry.paths, repository, path);
  const own = {
    uri: current,
    title: t('Current'),
    ...described(repository.branch.name, repository.branch.oid),
  };
  const other = { uri: incoming, title: t('Incoming') };
  // During a rebase HEAD is the other side.
  const [input1, input2] = repository.operation === 'rebase' ? [own, other] : [other, own];
  if ((await commands.getCommands(false)).includes(kMergeEditor)) {
    await commands.executeCommand(kMergeEditor, { base, input1, input2, output });
    return;
  }
  await openPlainly(name, { base, current, incoming, output });
}

function described(
  branch: string | undefined,
  oid: string | undefined,
): { description?: string; detail?: string } {
  return {
    ...(oid !== undefined && { description: `$(git-commit) ${oid.slice(0, 7)}` }),
    ...(branch !== undefined && { detail: toDisplay(branch) }),
  };
}

/** Opens the changes of both sides, and the file. */
async function openPlainly(
  name: string,
  { base, current, incoming, output }: Record<'base' | 'current' | 'incoming' | 'output', Uri>,
): Promise<void> {
  const at = (viewColumn: ViewColumn) => ({ viewColumn, preview: false });
  const diff = (right: Uri, side: string, column: ViewColumn) =>
    commands.executeCommand('vscode.diff', base, right, t('{0} (Base ↔ {1})', name, side), at(column));
  await diff(current, t('Current'), ViewColumn.One);
  await diff(incoming, t('Incoming'), ViewColumn.Two);
  await commands.executeCommand('vscode.open', output, at(ViewColumn.Three));
}

function accepting(side: ConflictSide): CommandHandler {
  return async (context, ...args) => {
    for (const [repository, rows] of byRepository(conflictsOf(context, args))) {
      await acceptSide(context, repository, rows, side);
    }
  };
}

async function acceptSide(
  context: CommandContext,
  repository: Repository,
  rows: readonly Chosen[],
  side: ConflictSide,
): Promise<void> {
  const { git, currentStatus, registry } = context;
  const isUnsaved = new Set(unsavedIn(registry, repository).map(({ path }) => path));
  const left: Left[] = [];
  const conflicts = rows.flatMap(({ entry }): ConflictPath[] => {
    if (entry.kind !== 'unmerged') return [];
    const { path, conflict, submodule } = entry;
    if (isUnsaved.has(path)) left.push({ path, why: t('has unsaved changes') });
    else if (submodule !== undefined) left.push({ path, why: t('is a submodule') });
    else return [{ path, conflict }];
    return [];
  });
  const { root } = repository;
  const title = t('Resolving conflicts');
  const unmarked =
    side === 'both'
      ? []
      : await git.exclusively(repository, { title }, (run) => withoutMarkers(run, root, conflicts));
  if (unmarked === undefined) return;
  if (side !== 'both' && !(await isWholeMeant(unmarked, side))) return;
  const more = await git.exclusively(repository, { title }, async (run, signal) => {
    // A row can be stale: ask git which conflicts exist now.
    const now = stillStanding(conflicts, await currentStatus.ask(root, signal));
    if (signal.aborted) return undefined;
    const accepted = await accept(run, root, now.standing, side, new Set(unmarked));
    return { ...accepted, left: [...now.left, ...accepted.left] };
  });
  tellLeft([...left, ...(more?.left ?? [])]);
  tellAccepted(context, repository, more?.replaced ?? []);
}

/** Offers Undo, which restores the old text and the user's work in it. */
function tellAccepted({ git }: CommandContext, repository: Repository, replaced: readonly Replaced[]): void {
  const [first] = replaced;
  if (first === undefined) return;
  const message =
    replaced.length === 1
      ? t("Replaced the conflicts in '{0}'.", toDisplay(basename(first.path)))
      : t('Replaced the conflicts in {0} files.', replaced.length);
  tellDone(message, async () => {
    const left = await git.exclusively(repository, { title: t('Restoring conflicts') }, () =>
      restoreReplaced(repository.root, replaced),
    );
    tellLeft(left ?? []);
  });
}

/** A file without markers was already resolved, or is not text. */
async function isWholeMeant(
  paths: readonly RepoPath[],
  side: Exclude<ConflictSide, 'both'>,
): Promise<boolean> {
  const [first, ...others] = paths;
  if (first === undefined) return true;
  const markers =
    others.length === 0
      ? t("'{0}' has no conflict markers.", toDisplay(basename(first)))
      : t('{0} files have no conflict markers.', paths.length);
  const question =
    side === 'current'
      ? t('Replace everything with the current version?')
      : t('Replace everything with the incoming version?');
  return isMeant(`${markers} ${question}`, t('Replace'));
}
