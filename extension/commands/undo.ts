/** Offers to undo commands that moved HEAD. */
import { HeadMove, moveHeadBack } from '../git/headMove';
import { t } from '../l10n';
import { Repository } from '../model/Repository';
import { CommandContext } from './context';
import { tellDone, tellNotUndone } from './tell';

/** Calls `undone` after HEAD has moved back. */
export function offerToMoveHeadBack(
  { git }: CommandContext,
  repository: Repository,
  message: string,
  move: HeadMove,
  { how, undone }: { how: 'soft' | 'keep'; undone?: () => void },
): void {
  tellDone(message, async () => {
    const result = await git.exclusively(repository, { title: t('Undoing') }, (run) =>
      moveHeadBack(run, move, how),
    );
    if (result === 'moved') tellNotUndone();
    if (result === 'done') undone?.();
  });
}
