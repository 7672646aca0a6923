/**
 * Commit, amend and undo the last commit. The message stays in the box until a commit has it. An amend without a
 * message in the box first shows the old message to the user for editing.
 */
import { commands, window } from 'vscode';
import { CommandContext, CommandHandler, CommandTable } from '../../commands/context';
import { chooseRepository } from '../../commands/repository';
import { saveDocuments } from '../../commands/saveDocuments';
import { isMeant } from '../../commands/tell';
import { offerToMoveHeadBack } from '../../commands/undo';
import { unsavedIn } from '../../commands/unsaved';
import { pastHook } from '../../commands/waysOut';
import { config, configOf, setUserSetting } from '../../config';
import { RunInTurn, RunOptions, WaysOut } from '../../git/Git';
import { HeadMove, headOid } from '../../git/headMove';
import { t } from '../../l10n';
import { shortId } from '../../model/oid';
import { isByPatches } from '../../model/operations';
import { basename } from '../../model/repoPath';
import { Repository } from '../../model/Repository';
import { GroupId, groupIds, statusIn } from '../../model/status';
import { RepoPath } from '../../protocol';
import { commitTarget, isLengthMeant } from './checks';
import { commit, lastCommit, undoCommit } from './git';
import { CommitOptions, CommitState, decideCommit, parseCommit, withSubject } from './plan';

export const commitCommands = {
  'residentGit.commit': by({}),
  'residentGit.commitAll': by({ all: true }),
  'residentGit.commitStaged': by({ staged: true }),
  'residentGit.commitAmend': by({ amend: true }),
  'residentGit.commitStagedAmend': by({ staged: true, amend: true }),
  'residentGit.commitAllAmend': by({ all: true, amend: true }),
  'residentGit.commitSigned': by({ signOff: true }),
  'residentGit.commitStagedSigned': by({ staged: true, signOff: true }),
  'residentGit.commitAllSigned': by({ all: true, signOff: true }),
  'residentGit.commitEmpty': by({ empty: true }),
  'residentGit.commitNoVerify': by({ noVerify: true }),
  'residentGit.commitStagedNoVerify': by({ staged: true, noVerify: true }),
  'residentGit.commitAllNoVerify': by({ all: true, noVerify: true }),
  'residentGit.commitAmendNoVerify': by({ amend: true, noVerify: true }),
  'residentGit.commitStagedAmendNoVerify': by({ staged: true, amend: true, noVerify: true }),
  'residentGit.commitAllAmendNoVerify': by({ all: true, amend: true, noVerify: true }),
  'residentGit.commitSignedNoVerify': by({ signOff: true, noVerify: true }),
  'residentGit.commitStagedSignedNoVerify': by({ staged: true, signOff: true, noVerify: true }),
  'residentGit.commitAllSignedNoVerify': by({ all: true, signOff: true, noVerify: true }),
  'residentGit.commitEmptyNoVerify': by({ empty: true, noVerify: true }),
  'residentGit.undoCommit': async (context, argument) => {
    const repository = await chooseRepository(context, argument);
    if (repository !== undefined) await undo(context, repository);
  },
} satisfies CommandTable;

function by(options: CommitOptions): CommandHandler {
  return async (context, argument) => {
    if (options.noVerify === true && !(await isUnverifiedMeant())) return;
    await commitHere(context, argument, options);
  };
}

function isUnverifiedMeant(): Promise<boolean> {
  const message = t('Commit without running the pre-commit and commit-msg hooks?');
  return isMeant(message, t('Skip Hooks'));
}

async function commitHere(context: CommandContext, argument: unknown, asked: CommitOptions): Promise<void> {
  const repository = await chooseRepository(context, argument);
  if (repository === undefined) return;
  if (Object.keys(asked).length === 0 && isByPatches(repository.operation, repository.gitDir)) {
    await commands.executeCommand('residentGit.continueOperation', repository);
    return;
  }
  const saved = await saveFirst(context, repository);
  if (saved === undefined) return;
  const prepared = await prepare(repository, asked);
  if (prepared === undefined) return;
  const { options, untracked } = prepared;
  const { git, sourceControls } = context;
  const typed = sourceControls.messageIn(repository);
  const isByHand = typed.trim() === '' && config.useEditorAsCommitInput;
  const message = isByHand ? '' : await messageFor(context, repository, typed, options);
  if (message === undefined || !(await isLengthMeant(message))) return;
  const target = await commitTarget(context, repository);
  if (target === undefined) return;
  const stageFirst = [...saved, ...untracked];
  const { verboseCommit: verbose } = configOf(repository);
  const request = { options, message, verbose, stageFirst, ...target };
  // A hook can take long, and the window may be closed before it ends.
  await sourceControls.keptMessages.keep(repository, typed);
  // If the user empties the message in the editor, the user wants no commit.
  const runOptions: RunOptions = {
    title: t('Committing'),
    expected: ['noMessage'],
    ways: waysPastHooks(context, repository, options),
  };
  const isAmend = options.amend === true;
  const done = await git.exclusively(repository, runOptions, async (run) => {
    const act = () => commit(run, repository.root, request);
    return isAmend ? whileHeadMoves(run, act) : act();
  });
  if (done === undefined || done === false) return;
  await sourceControls.keptMessages.forget(repository);
  // Text that the user typed meanwhile belongs to the next commit.
  if (
    sourceControls.inputBoxOf(repository)?.value === message ||
    sourceControls.messageIn(repository) === ''
  ) {
    sourceControls.clearMessage(repository);
  }
  if (done === true) return;
  const text = t('Amended commit {0}.', shortId(done.from));
  offerToMoveHeadBack(context, repository, text, done, { how: 'soft' });
}

/** HEAD before and after `act`. Undefined if `act` did nothing, or git failed. */
async function whileHeadMoves(run: RunInTurn, act: () => Promise<boolean>): Promise<HeadMove | undefined> {
  const from = await headOid(run);
  if (from === undefined || !(await act())) return undefined;
  const to = await headOid(run);
  return to === undefined ? undefined : { from, to };
}

/** Next step if a hook refused: the same commit without hooks, with the message in the box. */
function waysPastHooks(context: CommandContext, repository: Repository, options: CommitOptions): WaysOut {
  if (options.noVerify === true) return {};
  const again = by({ ...options, noVerify: true });
  return pastHook(() => again(context, repository));
}

/** Undefined if the user cancelled the commit. */
async function prepare(
  repository: Repository,
  asked: CommitOptions,
): Promise<{ options: CommitOptions; untracked: RepoPath[] } | undefined> {
  const settings = configOf(repository).commit;
  const options: CommitOptions = {
    ...asked,
    ...(settings.alwaysSignOff && { signOff: true }),
    ...(settings.enableCommitSigning && { sign: true }),
  };
  // The model is incomplete: git itself refuses an empty commit.
  if (!repository.verified) return { options, untracked: [] };
  const decision = decideCommit(stateOf(repository), options, settings);
  switch (decision.kind) {
    case 'commit': {
      const untracked = decision.stagesUntracked ? Array.from(repository.entriesIn('untracked')) : [];
      const files = untracked.map(({ path }) => path).filter((path) => !path.endsWith('/'));
      return { options: { ...options, all: decision.all }, untracked: files };
    }
    case 'askAll':
      return (await isAllMeant()) ? prepare(repository, { ...asked, all: true }) : undefined;
    case 'askEmpty': {
      const create = t('Commit Anyway');
      const answer = await window.showInformationMessage(t('There are no changes to commit.'), create);
      return answer === create ? prepare(repository, { ...asked, empty: true }) : undefined;
    }
    case 'nothingStaged':
      void window.showInformationMessage(t('There are no staged changes to commit.'));
      return undefined;
  }
}

function stateOf(repository: Repository): CommitState {
  const counts = Object.fromEntries(groupIds.map((id) => [id, repository.countIn(id)]));
  const shown = counts as Record<GroupId, number>;
  // "All" does not include hidden files.
  if (configOf(repository).untrackedChanges === 'hidden') shown.untracked = 0;
  return { counts: shown, operation: repository.operation };
}

async function isAllMeant(): Promise<boolean> {
  const message = t('There are no staged changes to commit.');
  const detail = t('Do you want to stage all your changes and commit them?');
  const [yes, always, never] = [t('Yes'), t('Always'), t('Never')];
  const answer = await window.showWarningMessage(message, { modal: true, detail }, yes, always, never);
  if (answer === always) await setUserSetting('enableSmartCommit', true);
  if (answer === never) await setUserSetting('suggestSmartCommit', false);
  return answer === yes || answer === always;
}

/** The text of the box, or of an input box. Undefined if the user gave no message. */
async function messageFor(
  { git }: CommandContext,
  repository: Repository,
  typed: string,
  { amend }: CommitOptions,
): Promise<string | undefined> {
  if (typed.trim() !== '') return typed;
  if (amend === true) {
    const args = ['cat-file', 'commit', 'HEAD'];
    const last = await git.read(repository, { args }, t('Reading the last commit'));
    return last && (await askAmended(parseCommit(last.stdout).message));
  }
  const prompt = t('Enter a commit message');
  const message = await window.showInputBox({
    placeHolder: t('Commit message'),
    prompt,
    ignoreFocusOut: true,
  });
  return message?.trim() === '' ? undefined : message;
}

/**
 * An input box has one line: the other lines of the old message stay. Undefined if the user emptied or closed the box.
 */
async function askAmended(old: string): Promise<string | undefined> {
  const [subject = '', ...body] = old.split('\n');
  const prompt =
    body.length === 0
      ? t('Confirm or edit the message of the last commit')
      : t('Confirm or edit the first line. The other lines of the message stay.');
  const typed = await window.showInputBox({
    placeHolder: t('Commit message'),
    value: subject,
    prompt,
    ignoreFocusOut: true,
  });
  return typed === undefined || typed.trim() === '' ? undefined : withSubject(old, typed);
}

/**
 * Offers to save files whose unsaved changes would miss the commit. Returns the saved paths with staged changes, which
 * must be staged again. Undefined if the user cancelled the commit.
 */
async function saveFirst(
  { registry }: CommandContext,
  repository: Repository,
): Promise<RepoPath[] | undefined> {
  const when = configOf(repository).promptToSaveFilesBeforeCommit;
  if (when === 'never') return [];
  const hasStaged = repository.countIn('index') > 0;
  const isStaged = (path: RepoPath) =>
    repository.entriesAt(path).some((entry) => statusIn(entry, 'index') !== undefined);
  const counts = when === 'staged' || hasStaged ? isStaged : () => true;
  const unsaved = unsavedIn(registry, repository).filter(({ path }) => counts(path));
  const [first] = unsaved;
  if (first === undefined) return [];
  const message =
    unsaved.length === 1
      ? t(
          "{0} has unsaved changes that won't be committed.\n\nDo you want to save the file first?",
          basename(first.path),
        )
      : t('{0} files have unsaved changes.\n\nDo you want to save the files first?', unsaved.length);
  const [save, go] = [t('Save All & Commit'), t('Commit Without Saving')] as const;
  const answer = await window.showWarningMessage(message, { modal: true }, save, go);
  if (answer === undefined) return undefined;
  if (answer === go) return [];
  if (!(await saveDocuments(unsaved.map(({ document }) => document)))) return undefined;
  return unsaved.map(({ path }) => path).filter(isStaged);
}

async function undo(context: CommandContext, repository: Repository): Promise<void> {
  const { git, sourceControls } = context;
  if (repository.branch.oid === undefined) {
    void window.showWarningMessage(t('Nothing to undo: the branch has no commit yet.'));
    return;
  }
  const undone = await git.exclusively(repository, { title: t('Undoing the last commit') }, async (run) => {
    const last = await lastCommit(run);
    if (last === undefined) return undefined;
    if (last.parents > 1 && !(await isMergeMeant())) return undefined;
    const move = await whileHeadMoves(run, () => undoCommit(run, last));
    return move && { ...move, message: last.message };
  });
  if (undone === undefined) return;
  const { message, from } = undone;
  const inputBox = sourceControls.inputBoxOf(repository);
  // Never overwrite text that the user has typed.
  const isFree = sourceControls.messageIn(repository) === '';
  if (inputBox !== undefined && isFree) inputBox.value = message;
  const done = t('Undid commit {0}. Its changes are staged.', shortId(from));
  offerToMoveHeadBack(context, repository, done, undone, {
    how: 'soft',
    undone: () => {
      if (inputBox?.value === message) sourceControls.clearMessage(repository);
    },
  });
}

function isMergeMeant(): Promise<boolean> {
  const message = t('The last commit was a merge commit. Are you sure you want to undo it?');
  return isMeant(message, t('Undo Merge Commit'));
}
