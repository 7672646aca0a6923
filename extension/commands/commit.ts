/**
 * Commit, amend and undo the last commit. The message stays in the box until a commit has it.
 * An amended commit keeps nothing unasked: without a message in the box, its old message is shown for editing first.
 */
import { window } from 'vscode';
import { config, configOf, setUserSetting } from '../config';
import { commit, lastCommit, undoCommit } from '../git/commitOperations';
import { isByPatches } from '../git/continueOperation';
import { RunOptions, RunInTurn, WaysOut } from '../git/Git';
import { HeadMove, headOid } from '../git/undoOperations';
import { t } from '../l10n';
import { CommitOptions, CommitState, decideCommit, parseCommit, withSubject } from '../model/commitPlan';
import { basename } from '../model/repoPath';
import { Repository } from '../model/Repository';
import { saveDocuments } from '../model/saveDocuments';
import { GroupId, groupIds, statusIn } from '../model/status';
import { RepoPath } from '../protocol';
import { commitTarget, isLengthMeant } from './commitChecks';
import { CommandContext, CommandHandler, CommandTable } from './context';
import { goOn } from './operation';
import { chooseRepository } from './repository';
import { isMeant } from './tell';
import { offerToMoveHeadBack, shortId } from './undo';
import { unsavedIn } from './unsaved';
import { pastHook } from './waysOut';

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
  const inputBox = repository && context.sourceControls.inputBoxOf(repository);
  if (repository === undefined || inputBox === undefined) return;
  if (Object.keys(asked).length === 0 && isByPatches(repository.operation, repository.gitDir)) {
    await goOn(context, repository, 'continue');
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
  // A hook can take its time, and the window may be gone by then.
  await sourceControls.keptMessages.keep(repository, typed);
  // A person who empties the message in the editor wants no commit.
  const told: RunOptions = {
    title: t('Committing'),
    expected: ['noMessage'],
    ways: waysPastHooks(context, repository, options),
  };
  const isAmend = options.amend === true;
  const done = await git.exclusively(repository, told, async (run) => {
    const act = () => commit(run, repository.root, request);
    return isAmend ? whileHeadMoves(run, act) : act();
  });
  if (done === undefined || done === false) return;
  await sourceControls.keptMessages.forget(repository);
  // Text that was typed meanwhile belongs to the next commit.
  if (inputBox.value === message || sourceControls.messageIn(repository) === '') {
    sourceControls.clearMessage(repository);
  }
  if (done === true) return;
  const text = t('Amended the last commit. It was {0} before.', shortId(done.from));
  offerToMoveHeadBack(context, repository, text, done, { how: 'soft' });
}

/** Where HEAD was and is; undefined where `act` did nothing, or git failed. */
async function whileHeadMoves(run: RunInTurn, act: () => Promise<boolean>): Promise<HeadMove | undefined> {
  const from = await headOid(run);
  if (from === undefined || !(await act())) return undefined;
  const to = await headOid(run);
  return to === undefined ? undefined : { from, to };
}

/** Past a hook that refused: the same commit without hooks, with the message in the box. */
function waysPastHooks(context: CommandContext, repository: Repository, options: CommitOptions): WaysOut {
  if (options.noVerify === true) return {};
  const again = by({ ...options, noVerify: true });
  return pastHook(() => again(context, repository));
}

/** Undefined where the user decided against the commit. */
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
  // The model is not complete yet: git itself refuses an empty commit.
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

/** The text of the box, or of an input. Undefined where none was given. */
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

/** An input has one line: the rest of the old message stays. Undefined where it was emptied or escaped. */
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
 * Offers to save files that would miss their unsaved changes. Returns the paths that were saved and are staged: they
 * have to be staged again. Undefined where the user decided against the commit.
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
  // Text that the user has typed is not overwritten.
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
