/** Submodules: those of rows, or all of a repository, brought to the commit that it records; and cloned first. */
import { window } from 'vscode';
import { t } from '../l10n';
import { isText, toDisplay } from '../model/repoPath';
import { Repository } from '../model/Repository';
import { isSubmodule, leavesCommit, SubmoduleOptions, submoduleArguments } from '../model/submodulePlan';
import { StatusEntry } from '../protocol';
import { CommandContext, CommandHandler, CommandTable } from './context';
import { chooseRepository } from './repository';
import { byRepository, selectedRows } from './resource';
import { isMeant } from './tell';

export const submoduleCommands = {
  'residentGit.updateSubmodules': submodules({ init: false, recursive: false }),
  'residentGit.updateSubmodulesRecursively': submodules({ init: true, recursive: true }),
  'residentGit.initSubmodules': submodules({ init: true, recursive: false }),
} satisfies CommandTable;

function submodules(options: SubmoduleOptions): CommandHandler {
  return async (context, ...args) => {
    const rows = selectedRows(args);
    if (rows.length === 0) {
      const repository = await chooseRepository(context, args[0]);
      if (repository !== undefined) await update(context, repository, undefined, options);
      return;
    }
    for (const [repository, chosen] of byRepository(rows)) {
      const entries = chosen.map(({ entry }) => entry).filter(isSubmodule);
      if (entries.length > 0) await update(context, repository, entries, options);
    }
  };
}

/** Without `chosen` all of them. */
async function update(
  { git }: CommandContext,
  repository: Repository,
  chosen: readonly StatusEntry[] | undefined,
  options: SubmoduleOptions,
): Promise<void> {
  const paths = chosen?.map(({ path }) => path);
  if (paths?.every(isText) === false) {
    void window.showErrorMessage(t('The path is not valid UTF-8, so git cannot be called with it.'));
    return;
  }
  const moved = (chosen ?? [...repository.entries()])
    .filter((entry) => leavesCommit(entry, options))
    .map(({ path }) => path);
  if (moved.length > 0 && !(await isMoveMeant(moved, options))) return;
  const title = options.init && !options.recursive ? t('Initializing submodules') : t('Updating submodules');
  await git.run(repository, { args: submoduleArguments({ ...options, paths }) }, { title });
}

/** What is checked out there is left, and commits of no branch are then hard to find. */
function isMoveMeant(paths: readonly string[], { recursive }: SubmoduleOptions): Promise<boolean> {
  const names = paths.map(toDisplay).join(', ');
  const message = recursive
    ? t('The checked-out commit may differ from the recorded commit in or below: {0}.', names)
    : t('The checked-out commit differs from the recorded commit in: {0}.', names);
  const detail = t('Commits there that are on no branch will remain only in the reflog.');
  return isMeant(message, t('Update'), detail);
}
