/** The next step after a failure because of local changes. */
import { CommandContext } from '../../commands/context';
import { WaysOut } from '../../git/Git';
import { t } from '../../l10n';
import { Repository } from '../../model/Repository';
import { isNothingStashed, stashArguments } from './plan';

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
