/**
 * Updates submodules to their recorded commit: those of the selected rows, or all of a repository. Can clone them
 * first.
 */
import { window } from 'vscode';
import { CommandContext, CommandHandler, CommandTable } from '../../commands/context';
import { chooseRepository } from '../../commands/repository';
import { byRepository, selectedRows } from '../../commands/rows';
import { isMeant } from '../../commands/tell';
import { t } from '../../l10n';
import { isText, toDisplay } from '../../model/repoPath';
import { Repository } from '../../model/Repository';
import { StatusEntry } from '../../protocol';
import { isSubmodule, leavesCommit, submoduleArguments, SubmoduleOptions } from './plan';

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

/** Updates all submodules if `chosen` is undefined. */
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

/** Asks first, because the update leaves the checked-out commit. Commits on no branch are then hard to find. */
function isMoveMeant(paths: readonly string[], { recursive }: SubmoduleOptions): Promise<boolean> {
  const names = paths.map(toDisplay).join(', ');
  const message = recursive
    ? t('The checked-out commit may differ from the recorded commit in or below: {0}.', names)
    : t('The checked-out commit differs from the recorded commit in: {0}.', names);
  const detail = t("The submodule's commits that are on no branch will remain only in its reflog.");
  return isMeant(message, t('Update'), detail);
}
