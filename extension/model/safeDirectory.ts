/** Repositories that git does not open because they belong to another user, until `safe.directory` names them. */
import { t } from '../l10n';
import { shellWord } from './shellWord';

/** Matches git's message; the first group is the directory to add to `safe.directory`. */
export const kUnsafe = /(?:detected dubious ownership in repository at |unsafe repository \()'(.*)'/;

export function safeDirectoryArguments(directory: string): string[] {
  return ['config', '--global', '--add', 'safe.directory', directory];
}

/** The command for a terminal. */
export function safeDirectoryCommand(directory: string): string {
  return ['git', ...safeDirectoryArguments(directory)].map(shellWord).join(' ');
}

/** A reason with the whole command; undefined for any other message. */
export function unsafeReason(message: string): string | undefined {
  const directory = kUnsafe.exec(message)?.[1];
  if (directory === undefined) return undefined;
  const command = safeDirectoryCommand(directory);
  return t('the repository belongs to another user; to trust it, run: {0}', command);
}

/** The directories to add to `safe.directory`, each with a folder where git can run. */
export function unsafeDirectories(problems: ReadonlyMap<string, string>): Map<string, string> {
  const found = new Map<string, string>();
  for (const [folder, message] of problems) {
    const directory = kUnsafe.exec(message)?.[1];
    if (directory !== undefined && !found.has(directory)) found.set(directory, folder);
  }
  return found;
}
