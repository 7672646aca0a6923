/** Stash changes, and pop, apply, drop and view stashes. */
import { window } from 'vscode';
import { blobSides, viewChanges } from '../../commands/changesEditor';
import { CommandContext, CommandHandler, CommandTable } from '../../commands/context';
import { inRepository } from '../../commands/repository';
import { byRepository, rowsOfActiveFile, selectedRows } from '../../commands/rows';
import { saveDocuments } from '../../commands/saveDocuments';
import { isMeant, tellDone } from '../../commands/tell';
import { unsavedIn } from '../../commands/unsaved';
import { RunInTurn } from '../../git/Git';
import { GitResult } from '../../git/runGit';
import { parseTreeChanges } from '../../git/treeDiff';
import { t } from '../../l10n';
import { shortId } from '../../model/oid';
import { toDisplay } from '../../model/repoPath';
import { Repository } from '../../model/Repository';
import { dropAllStashes, stashPaths, storeStashes, takeStash } from './git';
import {
  applyArguments,
  isNothingStashed,
  kListStashes,
  kManyPaths,
  parseStashes,
  planStashOf,
  Stash,
  stashArguments,
  stashChangesCommand,
  StashOptions,
} from './plan';
import { byStashing } from './waysOut';

export const stashCommands = {
  'residentGit.stash': stashing({}),
  'residentGit.stashIncludeUntracked': stashing({ untracked: true }),
  'residentGit.stashStaged': stashing({ staged: true }),
  'residentGit.stashSelected': stashSelected,
  'residentGit.stashPop': onStash(t('Pick a stash to pop'), pop),
  'residentGit.stashPopLatest': onLatest(pop),
  'residentGit.stashApply': onStash(t('Pick a stash to apply'), apply),
  'residentGit.stashApplyLatest': onLatest(apply),
  'residentGit.stashDrop': onStash(t('Pick a stash to drop'), drop),
  'residentGit.stashDropAll': inRepository(dropAll),
  'residentGit.stashView': onStash(t('Pick a stash to view'), view),
} satisfies CommandTable;

type Action = (context: CommandContext, repository: Repository, stash: Stash) => Promise<void>;

function stashing(options: StashOptions): CommandHandler {
  return inRepository((context, repository) =>
    stash(context, repository, (run, message) => run({ args: stashArguments(message, options) })),
  );
}

/** Stashes the selected rows, or the rows of the active editor's file. */
async function stashSelected(context: CommandContext, ...args: unknown[]): Promise<void> {
  const selected = selectedRows(args);
  const meant = selected.length > 0 ? selected : rowsOfActiveFile(context.registry, args);
  if (meant.length === 0) tellNothing();
  for (const [repository, rows] of byRepository(meant)) {
    const plan = planStashOf(rows);
    if (plan.paths.length === 0) {
      tellNothing();
      continue;
    }
    await stash(context, repository, async (run, message, signal) => {
      const { currentStatus } = context;
      const staged = await currentStatus.askStaged(repository.root, signal);
      const areMany = plan.paths.length >= kManyPaths;
      const all = areMany ? await currentStatus.ask(repository.root, signal) : undefined;
      return stashPaths(run, message, plan, { staged, all });
    });
  }
}

async function stash(
  context: CommandContext,
  repository: Repository,
  push: (run: RunInTurn, message: string, signal: AbortSignal) => Promise<GitResult | undefined>,
): Promise<void> {
  if (!(await saveFirst(context, repository))) return;
  const prompt = t('Enter a message for the stash, or leave it empty');
  const message = await window.showInputBox({
    placeHolder: t('Stash message'),
    prompt,
    ignoreFocusOut: true,
  });
  if (message === undefined) return;
  const done = await context.git.exclusively(repository, { title: t('Stashing changes') }, (run, signal) =>
    push(run, message, signal),
  );
  if (done !== undefined && isNothingStashed(done.stdout)) tellNothing();
}

function tellNothing(): void {
  void window.showInformationMessage(t('There are no changes to stash.'));
}

/** Offers to save files whose unsaved changes would miss the stash. False if the user cancelled the stash. */
async function saveFirst({ registry }: CommandContext, repository: Repository): Promise<boolean> {
  const unsaved = unsavedIn(registry, repository);
  if (unsaved.length === 0) return true;
  const message =
    unsaved.length === 1
      ? t("1 file has unsaved changes that won't be stashed.\n\nDo you want to save the file first?")
      : t('{0} files have unsaved changes.\n\nDo you want to save the files first?', unsaved.length);
  const [save, go] = [t('Save All & Stash'), t('Stash Without Saving')] as const;
  const answer = await window.showWarningMessage(message, { modal: true }, save, go);
  if (answer !== save) return answer === go;
  return saveDocuments(unsaved.map(({ document }) => document));
}

function onStash(placeHolder: string, action: Action): CommandHandler {
  return inRepository(async (context, repository) => {
    const stashes = await list(context, repository);
    if (stashes === undefined) return;
    const items = stashes.map((stash) => ({
      label: `#${stash.index}:  ${toDisplay(stash.description)}`,
      description: new Date(stash.time).toLocaleString(),
      stash,
    }));
    const picked = await window.showQuickPick(items, { placeHolder });
    if (picked !== undefined) await action(context, repository, picked.stash);
  });
}

function onLatest(action: Action): CommandHandler {
  return inRepository(async (context, repository) => {
    const [latest] = (await list(context, repository)) ?? [];
    if (latest !== undefined) await action(context, repository, latest);
  });
}

/** Undefined if git failed, or if there are no stashes. The user gets a message in both cases. */
async function list({ git }: CommandContext, repository: Repository): Promise<Stash[] | undefined> {
  const result = await git.read(repository, { args: kListStashes }, t('Listing stashes'));
  if (result === undefined) return undefined;
  const stashes = parseStashes(result.stdout);
  if (stashes.length > 0) return stashes;
  void window.showInformationMessage(t('The repository has no stashes.'));
  return undefined;
}

async function apply(context: CommandContext, repository: Repository, stash: Stash): Promise<void> {
  const ways = byStashing(context, repository, () => apply(context, repository, stash));
  await context.git.run(repository, { args: applyArguments(stash) }, { title: t('Applying a stash'), ways });
}

async function view(
  { git, registry: { paths } }: CommandContext,
  repository: Repository,
  stash: Stash,
): Promise<void> {
  const found = await git.read(repository, stashChangesCommand(stash), t('Reading a stash'));
  if (found === undefined) return;
  const title = t('Stash #{0}: {1}', stash.index, toDisplay(stash.description));
  await viewChanges(title, parseTreeChanges(found.stdout), (change) => blobSides(paths, repository, change));
}

function pop(context: CommandContext, repository: Repository, stash: Stash): Promise<void> {
  return take(context, repository, 'pop', stash);
}

async function drop(context: CommandContext, repository: Repository, stash: Stash): Promise<void> {
  const message = t('Are you sure you want to drop the stash "{0}"?', toDisplay(stash.description));
  if (await isMeant(message, t('Drop Stash'))) await take(context, repository, 'drop', stash);
}

async function take(
  context: CommandContext,
  repository: Repository,
  verb: 'pop' | 'drop',
  stash: Stash,
): Promise<void> {
  const title = verb === 'pop' ? t('Popping a stash') : t('Dropping a stash');
  const ways = byStashing(context, repository, (isStashed) =>
    take(context, repository, verb, { ...stash, index: stash.index + (isStashed ? 1 : 0) }),
  );
  const taken = await context.git.exclusively(repository, { title, ways }, (run) =>
    takeStash(run, verb, stash),
  );
  if (taken === 'moved') tellMoved();
  if (taken === 'done' && verb === 'drop') tellStashesDropped(context, repository, [stash]);
}

function tellMoved(): void {
  void window.showWarningMessage(
    t('Nothing was done: the list of stashes has changed. Pick the stash again.'),
  );
}

async function dropAll(context: CommandContext, repository: Repository): Promise<void> {
  const stashes = await list(context, repository);
  if (stashes === undefined) return;
  const count = stashes.length;
  const message =
    count === 1
      ? t('Are you sure you want to drop all stashes? There is 1 stash.')
      : t('Are you sure you want to drop all stashes? There are {0} stashes.', count);
  const yes = count === 1 ? t('Drop 1 Stash') : t('Drop All {0} Stashes', count);
  const detail = t('You can undo this right afterwards. Later, git may delete the dropped stashes.');
  if (!(await isMeant(message, yes, detail))) return;
  const title = t('Dropping all stashes');
  const dropped = await context.git.exclusively(repository, { title }, (run) => dropAllStashes(run, stashes));
  if (dropped === 'moved') tellMoved();
  if (dropped === 'done') tellStashesDropped(context, repository, stashes);
}

function tellStashesDropped(
  { git }: CommandContext,
  repository: Repository,
  stashes: readonly Stash[],
): void {
  const [first] = stashes;
  if (first === undefined) return;
  const message =
    stashes.length === 1
      ? t('Dropped stash {0} (was {1}).', toDisplay(first.description), shortId(first.oid))
      : t('Dropped {0} stashes.', stashes.length);
  tellDone(message, () =>
    git.exclusively(repository, { title: t('Restoring stashes') }, (run) => storeStashes(run, stashes)),
  );
}
