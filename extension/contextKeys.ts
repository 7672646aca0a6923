/** The keys for the `when` clauses of package.json. */
import { isDeepStrictEqual } from 'node:util';
import { commands } from 'vscode';

interface ContextKeys {
  'residentGit.repositoryCount': number;
  /** Name of the text in an empty view. */
  'residentGit.welcome': string | undefined;
  'residentGit.isShortOfWatches': boolean;
  'residentGit.coexistenceApplied': boolean;
  /** VS Code's own Git has every repository open that this extension has open. */
  'residentGit.isWholeInBuiltIn': boolean;
  /** True if git runs in any repository. */
  'residentGit.isGitRunning': boolean;
  /** True if an operation is in progress in any repository. */
  'residentGit.isOperationUnderWay': boolean;
  'residentGit.isMerging': boolean;
  'residentGit.isRebasing': boolean;
  'residentGit.isCherryPicking': boolean;
  'residentGit.isFileHistoryPinned': boolean;
  /** Root URIs, equal to `scmProviderRootUri` in a local window. */
  'residentGit.rootsInOperation': readonly string[];
  /** Absolute paths of files with conflicts. */
  'residentGit.conflicts': readonly string[];
  /** Absolute paths, not of all files: see ShownPaths. */
  'residentGit.pathsWithStatus': readonly string[];
}

/** The last value of each key. Most updates repeat the same value. */
const known = new Map<string, unknown>();

export function setContextKey<K extends keyof ContextKeys>(key: K, value: ContextKeys[K]): void {
  if (isDeepStrictEqual(known.get(key), value)) return;
  known.set(key, value);
  void commands.executeCommand('setContext', key, value);
}
