/**
 * Commit, by the input box or the palette, and undoing it. The message stays in the box until it is committed, whatever
 * fails on the way.
 */
import { window } from 'vscode';
import { config, configOf, setUserSetting } from '../config';
import { commit, lastCommit, undoCommit } from '../git/commitOperations';
import { isByPatches } from '../git/continueOperation';
import { RunOptions, WaysOut } from '../git/Git';
import { t } from '../l10n';
import { CommitOptions, CommitState, decideCommit } from '../model/commitPlan';
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
  const message = t(
    'You are about to commit without verification: pre-commit and commit-msg hooks are skipped.',
  );
  return isMeant(message, t('OK'));
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
  const isByHand = typed.trim() === '' && options.amend !== true && config.useEditorAsCommitInput;
  const message = isByHand ? '' : await messageFor(typed, options);
  if (message === undefined || !(await isLengthMeant(message))) return;
  const target = await commitTarget(context, repository);
  if (target === undefined) return;
  const stageFirst = [...saved, ...untracked];
  const request = {
    options,
    message,
    isByHand,
    verbose: configOf(repository).verboseCommit,
    stageFirst,
    ...target,
  };
  // A hook can take its time, and the window may be gone by then.
  await sourceControls.keptMessages.keep(repository, typed);
  // Who leaves the editor without a message has said so.
  const told: RunOptions = {
    title: t('Committing'),
    expected: ['noMessage'],
    ways: waysPastHooks(context, repository, options),
  };
  const isCommitted = await git.exclusively(repository, told, (run) => commit(run, repository.root, request));
  if (isCommitted !== true) return;
  await sourceControls.keptMessages.forget(repository);
  // What was typed meanwhile is the next one's.
  if (inputBox.value === message || sourceControls.messageIn(repository) === '') {
    sourceControls.clearMessage(repository);
  }
}

/** A hook that was not skipped has refused: it can be, for the same commit, by the message that stands in the box. */
function waysPastHooks(context: CommandContext, repository: Repository, options: CommitOptions): WaysOut {
  if (options.noVerify === true) return {};
  const again = by({ ...options, noVerify: true });
  return pastHook(() => again(context, repository));
}

/** Undefined where the user wants no commit after all. */
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
  // What is staged is not known yet: git tells where that is nothing.
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
      const create = t('Create Empty Commit');
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
  // What is hidden is not meant by whoever means all.
  if (configOf(repository).untrackedChanges === 'hidden') shown.untracked = 0;
  return { counts: shown, operation: repository.operation };
}

async function isAllMeant(): Promise<boolean> {
  const message = t('There are no staged changes to commit.');
  const detail = t('Would you like to stage all your changes and commit them directly?');
  const [yes, always, never] = [t('Yes'), t('Always'), t('Never')];
  const answer = await window.showWarningMessage(message, { modal: true, detail }, yes, always, never);
  if (answer === always) await setUserSetting('enableSmartCommit', true);
  if (answer === never) await setUserSetting('suggestSmartCommit', false);
  return answer === yes || answer === always;
}

/** The box's, or one that is asked for. An amended commit without one keeps its own: ''. */
async function messageFor(typed: string, { amend }: CommitOptions): Promise<string | undefined> {
  if (typed.trim() !== '' || amend === true) return typed;
  const prompt = t('Please provide a commit message');
  const message = await window.showInputBox({
    placeHolder: t('Commit message'),
    prompt,
    ignoreFocusOut: true,
  });
  return message?.trim() === '' ? undefined : message;
}

/**
 * Offers to save what is unsaved and would be missing. Returns the paths that were saved and are staged, which have to
 * be staged again; undefined where the user wants no commit after all.
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
          "The following file has unsaved changes which won't be included in the commit if you proceed: {0}.\n\nWould you like to save it before committing?",
          basename(first.path),
        )
      : t('There are {0} unsaved files.\n\nWould you like to save them before committing?', unsaved.length);
  const [save, go] = [t('Save All & Commit Changes'), t('Commit Changes')] as const;
  const answer = await window.showWarningMessage(message, { modal: true }, save, go);
  if (answer === undefined) return undefined;
  if (answer === go) return [];
  // Not saved is not committed.
  if (!(await saveDocuments(unsaved.map(({ document }) => document)))) return undefined;
  return unsaved.map(({ path }) => path).filter(isStaged);
}

async function undo({ git, sourceControls }: CommandContext, repository: Repository): Promise<void> {
  if (repository.branch.oid === undefined) {
    void window.showWarningMessage(t("Can't undo because HEAD doesn't point to any commit."));
    return;
  }
  const message = await git.exclusively(repository, { title: t('Undoing the last commit') }, async (run) => {
    const last = await lastCommit(run);
    if (last === undefined) return undefined;
    if (last.parents > 1 && !(await isMergeMeant())) return undefined;
    return (await undoCommit(run, last)) ? last.message : undefined;
  });
  const inputBox = sourceControls.inputBoxOf(repository);
  // What somebody has begun to write is not overwritten.
  const isFree = sourceControls.messageIn(repository) === '';
  if (message !== undefined && inputBox !== undefined && isFree) inputBox.value = message;
}

function isMergeMeant(): Promise<boolean> {
  const message = t('The last commit was a merge commit. Are you sure you want to undo it?');
  return isMeant(message, t('Undo merge commit'));
}
