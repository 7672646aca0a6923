/** The settings, read where they are needed, so that a change needs no restart. */
import { ConfigurationChangeEvent, ConfigurationTarget, workspace } from 'vscode';

const kSection = 'residentGit';

/** What a person wrote may be of any type. */
function read(name: string): unknown {
  return workspace.getConfiguration(kSection).get<unknown>(name);
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined;
}

export const config = {
  /** How many levels of folders below a workspace folder repositories are looked for. */
  get repositoryScanMaxDepth(): number {
    const depth = read('repositoryScanMaxDepth');
    return typeof depth === 'number' && Number.isInteger(depth) && depth >= 0 ? depth : 1;
  },
  /** As `OpenSettings` of the model has them. */
  get openRule(): {
    nested: 'always' | 'openEditors' | 'ask';
    parent: 'always' | 'ask' | 'never';
    ignored: string[];
  } {
    const nested = read('openRepositories');
    const parent = read('openRepositoryInParentFolders');
    return {
      nested: nested === 'openEditors' || nested === 'ask' ? nested : ('always' as const),
      parent: parent === 'ask' || parent === 'never' ? parent : ('always' as const),
      ignored: strings(read('ignoredRepositories')),
    };
  },
  /** How long what the system never tells may go unseen; 0: for as long as it may. */
  get sweepMinutes(): number {
    const minutes = read('sweepMinutes');
    return typeof minutes === 'number' && Number.isFinite(minutes) && minutes >= 0 ? minutes : 10;
  },
  get decorationsEnabled(): boolean {
    return read('decorations.enabled') !== false;
  },
  /** Where there is a trash. */
  get discardUntrackedChangesToTrash(): boolean {
    return read('discardUntrackedChangesToTrash') !== false;
  },
  /** As `CommitSettings` of the model has them. */
  get commit() {
    return {
      enableSmartCommit: read('enableSmartCommit') === true,
      suggestSmartCommit: read('suggestSmartCommit') !== false,
      smartCommitChanges: read('smartCommitChanges') === 'tracked' ? ('tracked' as const) : ('all' as const),
      alwaysSignOff: read('alwaysSignOff') === true,
      enableCommitSigning: read('enableCommitSigning') === true,
    };
  },
  /** As `SyncSettings` of the model has them. */
  get sync() {
    return {
      rebaseWhenSync: read('rebaseWhenSync') === true,
      pruneOnFetch: read('pruneOnFetch') === true,
      confirmSync: read('confirmSync') !== false,
    };
  },
  get untrackedChanges(): 'mixed' | 'separate' | 'hidden' {
    const mode = read('untrackedChanges');
    return mode === 'mixed' || mode === 'hidden' ? mode : 'separate';
  },
  /** Whether the group is shown while nothing is staged. */
  get alwaysShowStagedChangesResourceGroup(): boolean {
    return read('alwaysShowStagedChangesResourceGroup') === true;
  },
  get gutterComparesWith(): 'index' | 'HEAD' {
    return read('gutterComparesWith') === 'HEAD' ? 'HEAD' : 'index';
  },
  /** Whether a row with conflicts opens in the merge editor. */
  get mergeEditor(): boolean {
    return read('mergeEditor') === true;
  },
  get useEditorAsCommitInput(): boolean {
    return read('useEditorAsCommitInput') !== false;
  },
  /** Of a message that is written in an editor. */
  get verboseCommit(): boolean {
    return read('verboseCommit') === true;
  },
  /** What a commit to a branch of `patterns` does: nothing else, a new branch first, or what is answered. */
  get branchProtection() {
    const prompt = read('branchProtectionPrompt');
    const isKnown = prompt === 'alwaysCommit' || prompt === 'alwaysCommitToNewBranch';
    return {
      patterns: strings(read('branchProtection')),
      prompt: isKnown ? prompt : ('alwaysPrompt' as const),
    };
  },
  /** As `LengthSettings` of the model has them; undefined where a message may be of any length. */
  get inputValidation() {
    if (read('inputValidation') !== true) return undefined;
    const body = count(read('inputValidationLength')) ?? 72;
    return { subject: count(read('inputValidationSubjectLength')) ?? body, body };
  },
  get promptToSaveFilesBeforeCommit(): 'always' | 'staged' | 'never' {
    const when = read('promptToSaveFilesBeforeCommit');
    return when === 'staged' || when === 'never' ? when : 'always';
  },
};

/** Any of them. The names have to be literals: a test compares them with the manifest. */
export function affectsSetting(event: ConfigurationChangeEvent, ...names: string[]): boolean {
  return names.some((name) => event.affectsConfiguration(`${kSection}.${name}`));
}

/** For every workspace. The name has to be a literal, as above. */
export async function setUserSetting(name: string, value: boolean): Promise<void> {
  await workspace.getConfiguration(kSection).update(name, value, ConfigurationTarget.Global);
}
