/** Next steps after a failure, shared by several commands. */
import { commands } from 'vscode';
import { WaysOut } from '../git/Git';
import { t } from '../l10n';
import { Repository } from '../model/Repository';
import { isNothingStashed, stashArguments } from '../model/stashPlan';
import { CommandContext } from './context';

/**
 * If local changes block git: stashes them, and leaves them in the stash. Then calls `again`, with true if this made a
 * new stash. A new stash shifts the indices of the others.
 */
export function byStashing(
  { git }: CommandContext,
  repository: Repository,
  again: (isStashed: boolean) => Promise<unknown>,
): WaysOut {
  const run = async () => {
    const title = t('Stashing changes');
    const pushed = await git.run(repository, { args: stashArguments('', {}) }, { title });
    if (pushed !== undefined) await again(!isNothingStashed(pushed.stdout));
  };
  return { dirty: [{ label: t('Stash & Retry'), run }] };
}

/** If a hook refused the commit of a merge: commits without hooks. All changes of the merge are staged by then. */
export function byNoVerify(repository: Repository): WaysOut {
  return pastHook(() => commands.executeCommand('residentGit.commitNoVerify', repository));
}

/** `run` commits without the hook. */
export function pastHook(run: () => unknown): WaysOut {
  return { hook: [{ label: t('Skip Hooks'), run }] };
}
