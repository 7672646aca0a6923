/** Ways past a failure that several commands offer. */
import { commands } from 'vscode';
import { WaysOut } from '../git/Git';
import { t } from '../l10n';
import { Repository } from '../model/Repository';
import { isNothingStashed, stashArguments } from '../model/stashPlan';
import { CommandContext } from './context';

/**
 * Past changes that git would overwrite: stashes them, and they stay stashed. `again` learns whether there is a new
 * stash, which moves the places of the others.
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

/** Past a hook that refused the commit of a merge: all its changes are staged by then. */
export function byNoVerify(repository: Repository): WaysOut {
  return pastHook(() => commands.executeCommand('residentGit.commitNoVerify', repository));
}

/** `run` commits without the hook. */
export function pastHook(run: () => unknown): WaysOut {
  return { hook: [{ label: t('Skip Hooks'), run }] };
}
