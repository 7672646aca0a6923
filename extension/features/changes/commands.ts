/**
 * Stage, unstage and discard: for one or more rows, folders of the tree, groups and whole repositories. The code here
 * never changes the rows: they follow from the model's deltas. A command that deletes a file, or that asked the user,
 * checks the current status again before it acts.
 */
import { env, window, workspace } from 'vscode';
import { CommandContext, CommandTable } from '../../commands/context';
import { chooseRepository } from '../../commands/repository';
import { byRepository, rowsOfActiveFile, selectedRows } from '../../commands/rows';
import { tellLeft, tellNoSuchChange } from '../../commands/tell';
import { config, configOf } from '../../config';
import { isWorktreeFileOrLink, unlinkFile } from '../../git/worktreeFile';
import { t } from '../../l10n';
import { isText } from '../../model/repoPath';
import { Repository } from '../../model/Repository';
import { GroupId, statusIn } from '../../model/status';
import { RepoPath, StatusEntry } from '../../protocol';
import { worktreeUri } from '../../scm/uris';
import { stillStanding } from '../conflicts/plan';
import { askResolution } from '../conflicts/resolution';
import { DiscardQuestion, discardQuestion } from './discardQuestion';
import { discard, stage, unstage } from './git';
import { Chosen, planDiscard, planStage } from './plan';

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

/** The selected rows, or the rows of the active editor's file. */
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

/** All changes of the clicked group, even those without a row. If no group was clicked: all changes of a repository. */
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

/** The model's current entries for the rows. */
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
    // A row can be stale: ask which of these conflicts exist now.
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
    // A row can be stale: ask for the current status.
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

/** Remote hosts and the Snap package have no trash that the user would find. */
function hasTrash(): boolean {
  return env.remoteName === undefined && process.env.SNAP === undefined;
}
