/** The keys that `when` clauses of package.json can ask for. */
import { commands } from 'vscode';

interface ContextKeys {
  'residentGit.repositoryCount': number;
  'residentGit.coexistenceApplied': boolean;
  'residentGit.isGitRunning': boolean;
  /** In any repository. */
  'residentGit.isOperationUnderWay': boolean;
}

export function setContextKey<K extends keyof ContextKeys>(key: K, value: ContextKeys[K]): void {
  void commands.executeCommand('setContext', key, value);
}
