/** Repositories that git does not open because they belong to another user, until `safe.directory` names them. */
import { t } from '../l10n';
import { shellWord } from './shellWord';

/** In what git says of one; its first group is the directory that `safe.directory` is to name. */
export const kUnsafe = /(?:detected dubious ownership in repository at |unsafe repository \()'(.*)'/;

export function safeDirectoryArguments(directory: string): string[] {
  return ['config', '--global', '--add', 'safe.directory', directory];
}

/** The same for a terminal. */
export function safeDirectoryCommand(directory: string): string {
  return ['git', ...safeDirectoryArguments(directory)].map(shellWord).join(' ');
}

/** In place of what git says of one, with the whole command; undefined of anything else. */
export function unsafeReason(message: string): string | undefined {
  const directory = kUnsafe.exec(message)?.[1];
  if (directory === undefined) return undefined;
  const command = safeDirectoryCommand(directory);
  return t('it belongs to another user, and git does not open it until this was run: {0}', command);
}

/** The directories that are to be named, of repositories that cannot be opened; each with a folder where git can be run. */
export function unsafeDirectories(problems: ReadonlyMap<string, string>): Map<string, string> {
  const found = new Map<string, string>();
  for (const [folder, message] of problems) {
    const directory = kUnsafe.exec(message)?.[1];
    if (directory !== undefined && !found.has(directory)) found.set(directory, folder);
  }
  return found;
}
