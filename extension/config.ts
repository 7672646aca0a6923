/** The settings. Each is read when it is used: a change needs no restart. */
import { ConfigurationChangeEvent, ConfigurationTarget, Uri, workspace } from 'vscode';

const kSection = 'residentGit';

/** The value may have any type: people write settings by hand. `scope`: a file or folder, for settings of a folder. */
function read(name: string, scope?: Uri): unknown {
  return workspace.getConfiguration(kSection, scope).get<unknown>(name);
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined;
}

function text(value: unknown, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}

/** Settings of the window: they have one value for all repositories. */
export const config = {
  /** Rule for repositories below a workspace folder. `OpenSettings` of the model has the same shape. */
  get openRule(): { nested: 'always' | 'openEditors' | 'prompt'; ignored: string[] } {
    const nested = read('openRepositories');
    return {
      nested: nested === 'openEditors' || nested === 'prompt' ? nested : ('always' as const),
      ignored: strings(read('ignoredRepositories')),
    };
  },
  /** Longest interval of the background check for changes without an event; 0: off. */
  get sweepMinutes(): number {
    const minutes = read('sweepMinutes');
    return typeof minutes === 'number' && Number.isFinite(minutes) && minutes >= 0 ? minutes : 10;
  },
  /** 'badges' and 'nothing' leave the view to the built-in Git. The model is kept in each case. */
  get show(): 'everything' | 'badges' | 'nothing' {
    const shown = read('show');
    return shown === 'badges' || shown === 'nothing' ? shown : 'everything';
  },
  get decorationsEnabled(): boolean {
    return read('decorations.enabled') !== false && config.show !== 'nothing';
  },
  /** Takes effect only on hosts that have a trash. */
  get discardUntrackedChangesToTrash(): boolean {
    return read('discardUntrackedChangesToTrash') !== false;
  },
  get confirmSync(): boolean {
    return read('confirmSync') !== false;
  },
  get branchSortOrder(): 'committerdate' | 'alphabetically' {
    return read('branchSortOrder') === 'alphabetically' ? 'alphabetically' : 'committerdate';
  },
  get gutterComparesWith(): 'index' | 'HEAD' {
    return read('gutterComparesWith') === 'HEAD' ? 'HEAD' : 'index';
  },
  /** True: a click on a file with conflicts opens the merge editor. */
  get mergeEditor(): boolean {
    return read('mergeEditor') === true;
  },
  get useEditorAsCommitInput(): boolean {
    return read('useEditorAsCommitInput') !== false;
  },
  /** `LengthSettings` of the model has the same shape. Undefined: a message may have any length. */
  get inputValidation() {
    if (read('inputValidation') !== true) return undefined;
    const body = count(read('inputValidationLength')) ?? 72;
    return { subject: count(read('inputValidationSubjectLength')) ?? body, body };
  },
  get blame() {
    return {
      ignoreWhitespace: read('blame.ignoreWhitespace') === true,
      /** Not the last word, see `setBlame`. */
      statusBarItemEnabled: read('blame.statusBarItem.enabled') !== false,
      statusBarItemTemplate: text(read('blame.statusBarItem.template'), '${authorName}, ${authorDateAgo}'),
      editorDecorationEnabled: read('blame.editorDecoration.enabled') === true,
      editorDecorationTemplate: text(
        read('blame.editorDecoration.template'),
        '${subject}, ${authorName} (${authorDateAgo})',
      ),
      editorDecorationDisableHover: read('blame.editorDecoration.disableHover') === true,
    };
  },
};

/** Values of a switch of blame that somebody set, in any scope: ours, and the one of VS Code's own Git. */
export function setBlame(name: 'blame.statusBarItem.enabled' | 'blame.editorDecoration.enabled') {
  const of = (section: string): boolean | undefined => {
    const found = workspace.getConfiguration(section).inspect<unknown>(name);
    const value = found?.workspaceFolderValue ?? found?.workspaceValue ?? found?.globalValue;
    return typeof value === 'boolean' ? value : undefined;
  };
  return { own: of(kSection), builtIn: of('git') };
}

/**
 * Settings that can differ between workspace folders. `root` is a real path that lies in the folder or contains it.
 */
export function configOf({ root }: { root: string }) {
  const scope = Uri.file(root);
  return {
    /** Search depth for repositories below a workspace folder, in levels; Infinity: no limit. */
    get repositoryScanMaxDepth(): number {
      const depth = read('repositoryScanMaxDepth', scope);
      return depth === -1 ? Infinity : (count(depth) ?? 1);
    },
    get openRepositoryInParentFolders(): 'always' | 'never' | 'prompt' {
      const parent = read('openRepositoryInParentFolders', scope);
      return parent === 'prompt' || parent === 'never' ? parent : 'always';
    },
    /** `CommitSettings` of the model has the same shape. */
    get commit() {
      const isTracked = read('smartCommitChanges', scope) === 'tracked';
      return {
        enableSmartCommit: read('enableSmartCommit', scope) === true,
        suggestSmartCommit: read('suggestSmartCommit', scope) !== false,
        smartCommitChanges: isTracked ? ('tracked' as const) : ('all' as const),
        alwaysSignOff: read('alwaysSignOff', scope) === true,
        enableCommitSigning: read('enableCommitSigning', scope) === true,
      };
    },
    /** `SyncSettings` of the model has the same shape. */
    get sync() {
      return {
        rebaseWhenSync: read('rebaseWhenSync', scope) === true,
        pruneOnFetch: read('pruneOnFetch', scope) === true,
        confirmSync: config.confirmSync,
      };
    },
    /** Whether the group is shown while nothing is staged. */
    get alwaysShowStagedChangesResourceGroup(): boolean {
      return read('alwaysShowStagedChangesResourceGroup', scope) === true;
    },
    get untrackedChanges(): 'mixed' | 'separate' | 'hidden' {
      const mode = read('untrackedChanges', scope);
      return mode === 'mixed' || mode === 'hidden' ? mode : 'separate';
    },
    /** Applies to a commit message that is written in an editor. */
    get verboseCommit(): boolean {
      return read('verboseCommit', scope) === true;
    },
    /** The protected branches, and the effect of a commit to one of them. */
    get branchProtection() {
      const prompt = read('branchProtectionPrompt', scope);
      const isKnown = prompt === 'alwaysCommit' || prompt === 'alwaysCommitToNewBranch';
      return {
        patterns: strings(read('branchProtection', scope)),
        prompt: isKnown ? prompt : ('alwaysPrompt' as const),
      };
    },
    get promptToSaveFilesBeforeCommit(): 'always' | 'staged' | 'never' {
      const when = read('promptToSaveFilesBeforeCommit', scope);
      return when === 'staged' || when === 'never' ? when : 'always';
    },
  };
}

/** True if one of the settings changed. The names must be literals: a test compares them with the manifest. */
export function affectsSetting(event: ConfigurationChangeEvent, ...names: string[]): boolean {
  return names.some((name) => event.affectsConfiguration(`${kSection}.${name}`));
}

/** Sets the value for all workspaces. The name must be a literal, as in `affectsSetting`. */
export async function setUserSetting(name: string, value: boolean): Promise<void> {
  await workspace.getConfiguration(kSection).update(name, value, ConfigurationTarget.Global);
}
