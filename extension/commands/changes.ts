/**
 * Stage, unstage and discard: for rows, several of them, folders of the tree, groups and whole repositories. Rows follow
 * from the model's deltas alone; nothing here touches them. What deletes a file, or takes an answer for it, asks the model
 * once more in its turn.
 */
import { env, window, workspace } from 'vscode';
import { config, configOf } from '../config';
import { discard, stage, unlinkFile, unstage } from '../git/changeOperations';
import { isWorktreeFileOrLink } from '../git/worktreeFile';
import { t } from '../l10n';
import { Chosen, planDiscard, planStage } from '../model/changes';
import { stillStanding } from '../model/conflictPlan';
import { DiscardQuestion, discardQuestion } from '../model/discardQuestion';
import { isText } from '../model/repoPath';
import { Repository } from '../model/Repository';
import { GroupId, statusIn } from '../model/status';
import { RepoPath, StatusEntry } from '../protocol';
import { worktreeUri } from '../scm/uris';
import { askResolution } from './conflicts';
import { CommandContext, CommandTable } from './context';
import { chooseRepository } from './repository';
import { byRepository, rowsOfActiveFile, selectedRows } from './resource';
import { tellLeft, tellNoSuchChange } from './tell';

const kStaged: readonly GroupId[] = ['merge', 'workingTree', 'untracked'];
const kDiscarded: readonly GroupId[] = ['workingTree', 'untracked'];

export const changeCommands = {
  'residentGit.stage': (context, ...args) => each(context, rows(context, args, kStaged), stageRows),
  'residentGit.stageAll': async (context, argument) =>
    each(context, await group(context, argument, kStaged.slice(1)), stageRows),
  'residentGit.unstage': (context, ...args) => each(context, rows(context, args, ['index']), unstageRows),
  'residentGit.unstageAll': async (context, argument) =>
    each(context, await group(context, argument, ['index']), unstageRows),
  'residentGit.discard': (context, ...args) => each(context, rows(context, args, kDiscarded), discardRows),
  'residentGit.discardAll': async (context, argument) =>
    each(context, await group(context, argument, kDiscarded), discardRows),
  'residentGit.cancelGit': async (context, argument) => {
    const { git, registry } = context;
    const busy = registry.repositories.filter((repository) => git.isBusy(repository));
    const repository = busy.length > 0 ? await chooseRepository(context, argument, busy) : undefined;
    if (repository !== undefined) git.cancel(repository);
  },
} satisfies CommandTable;

type Selection = Map<Repository, Chosen[]>;
type Action = (context: CommandContext, repository: Repository, chosen: Chosen[]) => Promise<void>;

async function each(context: CommandContext, selection: Selection, action: Action): Promise<void> {
  for (const [repository, chosen] of selection) {
    if (chosen.length > 0) await action(context, repository, chosen);
  }
}

/** The rows that were selected, or those of the active editor's file. */
function rows(context: CommandContext, args: readonly unknown[], groups: readonly GroupId[]): Selection {
  const resources = selectedRows(args);
  const found =
    resources.length > 0
      ? resources.filter(({ group }) => groups.includes(group))
      : rowsOfActiveFile(context.registry, args).filter(({ group }) => groups.includes(group));
  const selection: Selection = new Map();
  for (const [repository, own] of byRepository(found)) {
    selection.set(
      repository,
      own.map(({ entry, group }) => ({ path: entry.path, group })),
    );
  }
  if (selection.size === 0) tellNoSuchChange();
  return selection;
}

/** All of the group that was clicked, whether it has a row or not; without one those of a repository. */
async function group(
  context: CommandContext,
  argument: unknown,
  groups: readonly GroupId[],
): Promise<Selection> {
  const clicked = context.sourceControls.groupOf(argument);
  const repository = clicked?.repository ?? (await chooseRepository(context, argument));
  if (repository === undefined) return new Map();
  // "All" does not include hidden files.
  const isShown = (id: GroupId) => id !== 'untracked' || configOf(repository).untrackedChanges !== 'hidden';
  const ids = clicked?.ids ?? groups.filter(isShown);
  const chosen = ids.flatMap((id) =>
    Array.from(repository.entriesIn(id), ({ path }) => ({ path, group: id })),
  );
  return new Map([[repository, chosen]]);
}

/** What the model has of the rows by now. */
function entriesOf(repository: Repository, chosen: readonly Chosen[]): StatusEntry[] {
  return chosen.flatMap(({ path, group: id }) =>
    repository.entriesAt(path).filter((entry) => statusIn(entry, id) !== undefined),
  );
}

async function stageRows(context: CommandContext, repository: Repository, chosen: Chosen[]): Promise<void> {
  const entries = entriesOf(repository, chosen);
  const resolution = await askResolution(context, repository, entries);
  if (resolution === undefined) return;
  const { git, currentStatus } = context;
  const { root } = repository;
  const title = t('Staging changes');
  const left = await git.exclusively(repository, { title }, async (run, signal) => {
    const asked = [...resolution.remove, ...resolution.keep];
    // Not on the word of a row: which of those conflicts there are now.
    const now = stillStanding(asked, asked.length === 0 ? [] : await currentStatus.ask(root, signal));
    if (signal.aborted) return [];
    const isLeft = new Set(now.left.map(({ path }) => path));
    for (const { path } of resolution.remove)
      if (!isLeft.has(path) && (await isWorktreeFileOrLink(root, path))) await unlinkFile(root, path);
    const plan = planStage(entries.filter(({ path }) => !isLeft.has(path)));
    await stage(run, root, plan);
    return [...now.left, ...plan.left];
  });
  tellLeft(left ?? []);
}

async function unstageRows(context: CommandContext, repository: Repository, chosen: Chosen[]): Promise<void> {
  const { git, currentStatus } = context;
  await git.exclusively(repository, { title: t('Unstaging changes') }, async (run, signal) => {
    const paths = new Set(chosen.map(({ path }) => path));
    const staged = await currentStatus.askStaged(repository.root, signal);
    if (!signal.aborted)
      await unstage(
        run,
        staged.filter(({ path }) => paths.has(path)),
      );
  });
}

async function discardRows(context: CommandContext, repository: Repository, chosen: Chosen[]): Promise<void> {
  const canTrash = config.discardUntrackedChangesToTrash && hasTrash();
  const isDeleted = (path: RepoPath) =>
    repository.entriesAt(path).some((entry) => statusIn(entry, 'workingTree') === 'deleted');
  const question = discardQuestion(chosen, isDeleted, canTrash);
  const answer = question === undefined ? undefined : await ask(question);
  if (answer === undefined) return;
  const { git, currentStatus, registry } = context;
  const { root } = repository;
  const remove = async (path: RepoPath) => {
    if (!canTrash) await unlinkFile(root, path);
    else if (!isText(path))
      throw new Error(t('has a name that is not valid UTF-8, and cannot be moved to the trash'));
    else await workspace.fs.delete(worktreeUri(registry.paths, repository, path), { useTrash: true });
  };
  const left = await git.exclusively(repository, { title: t('Discarding changes') }, async (run, signal) => {
    // Not on the word of a row: what stands there now.
    const plan = planDiscard(answer, await currentStatus.ask(root, signal));
    return signal.aborted ? [] : discard(run, root, plan, remove);
  });
  tellLeft(left ?? []);
}

async function ask({ message, detail, buttons }: DiscardQuestion): Promise<readonly Chosen[] | undefined> {
  const options = { modal: true, ...(detail !== undefined && { detail }) };
  const answer = await window.showWarningMessage(message, options, ...buttons.map(({ label }) => label));
  return buttons.find(({ label }) => label === answer)?.chosen;
}

/** Remote hosts and the Snap package have none that a person would find. */
function hasTrash(): boolean {
  return env.remoteName === undefined && process.env.SNAP === undefined;
}
