/** The keys that `when` clauses of package.json can ask for. */
import { isDeepStrictEqual } from 'node:util';
import { commands } from 'vscode';

interface ContextKeys {
  'residentGit.repositoryCount': number;
  /** Which text an empty view shows. */
  'residentGit.welcome': string | undefined;
  'residentGit.isShortOfWatches': boolean;
  'residentGit.coexistenceApplied': boolean;
  /** VS Code's own Git has every repository open that is open here. */
  'residentGit.isWholeInBuiltIn': boolean;
  /** In any repository. */
  'residentGit.isGitRunning': boolean;
  /** In any repository. */
  'residentGit.isOperationUnderWay': boolean;
  'residentGit.isMerging': boolean;
  'residentGit.isRebasing': boolean;
  'residentGit.isCherryPicking': boolean;
  /** Repositories as `scmProviderRootUri` names them in a local window. */
  'residentGit.rootsInOperation': readonly string[];
  /** Absolute paths of files with conflicts. */
  'residentGit.conflicts': readonly string[];
  /** Absolute paths, not of all files: see ShownPaths. */
  'residentGit.pathsWithStatus': readonly string[];
}

/** What was set last: most of what would set a key again says the same. */
const known = new Map<string, unknown>();

export function setContextKey<K extends keyof ContextKeys>(key: K, value: ContextKeys[K]): void {
  if (isDeepStrictEqual(known.get(key), value)) return;
  known.set(key, value);
  void commands.executeCommand('setContext', key, value);
}
