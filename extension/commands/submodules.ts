/** Submodules: those of rows, or all of a repository, brought to the commit that it records; and cloned first. */
import { window } from 'vscode';
import { t } from '../l10n';
import { isText, toDisplay } from '../model/repoPath';
import { Repository } from '../model/Repository';
import { hasOtherCommit, isSubmodule, submoduleArguments } from '../model/submodulePlan';
import { StatusEntry } from '../protocol';
import { CommandContext, CommandHandler, CommandTable } from './context';
import { chooseRepository } from './repository';
import { byRepository, selectedRows } from './resource';

export const submoduleCommands = {
  'residentGit.updateSubmodules': submodules({ init: false }),
  'residentGit.initSubmodules': submodules({ init: true }),
} satisfies CommandTable;

function submodules(options: { init: boolean }): CommandHandler {
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
  { init }: { init: boolean },
): Promise<void> {
  const paths = chosen?.map(({ path }) => path);
  if (paths?.every(isText) === false) {
    void window.showErrorMessage(t('git cannot be given a path that is no text.'));
    return;
  }
  const moved = (chosen ?? [...repository.entries()]).filter(hasOtherCommit).map(({ path }) => path);
  if (moved.length > 0 && !(await isMoveMeant(moved))) return;
  const title = init ? t('Initializing submodules') : t('Updating submodules');
  await git.run(repository, { args: submoduleArguments({ init, paths }) }, { title });
}

/** What is checked out there is left, and commits of no branch are then hard to find. */
async function isMoveMeant(paths: readonly string[]): Promise<boolean> {
  const message = t(
    'Another commit than the recorded one is checked out in: {0}.',
    paths.map(toDisplay).join(', '),
  );
  const detail = t('Commits that were made there on no branch are then only in its reflog.');
  const yes = t('Update');
  return (await window.showWarningMessage(message, { modal: true, detail }, yes)) === yes;
}
