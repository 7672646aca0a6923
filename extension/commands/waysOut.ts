/** What several commands offer beside a failure. */
import { commands } from 'vscode';
import { WaysOut } from '../git/Git';
import { t } from '../l10n';
import { Repository } from '../model/Repository';
import { isNothingStashed, stashArguments } from '../model/stashPlan';
import { CommandContext } from './context';

/**
 * Past changes that are in the way: they go into a stash, and stay there. `again` is told whether there is a new one,
 * which moves the places of the others.
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
  return { dirty: [{ label: t('Stash & Try Again'), run }] };
}

/** Past a hook that refused the commit which ends a merge: all of it is staged by then. */
export function byNoVerify(repository: Repository): WaysOut {
  return pastHook(() => commands.executeCommand('residentGit.commitNoVerify', repository));
}

/** `run` commits without it. */
export function pastHook(run: () => unknown): WaysOut {
  return { hook: [{ label: t('Commit (No Verify)'), run }] };
}
