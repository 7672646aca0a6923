/** Offers to take back what moved HEAD, or deleted a branch, a tag or a stash. */
import {
  BranchConfig,
  HeadMove,
  moveHeadBack,
  parseBranchConfig,
  restoreBranch,
  storeStashes,
} from '../git/undoOperations';
import { t } from '../l10n';
import { Ref } from '../model/refs';
import { toDisplay } from '../model/repoPath';
import { Repository } from '../model/Repository';
import { Stash } from '../model/stashPlan';
import { kIdLength } from '../model/statusText';
import { CommandContext } from './context';
import { tellDone, tellNotUndone } from './tell';

export const shortId = (oid: string): string => oid.slice(0, kIdLength);

/** `undone` runs after HEAD is back. */
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

export function tellStashesDropped(
  { git }: CommandContext,
  repository: Repository,
  stashes: readonly Stash[],
): void {
  const [first] = stashes;
  if (first === undefined) return;
  const message =
    stashes.length === 1
      ? t('Dropped stash {0} ({1}).', toDisplay(first.description), shortId(first.oid))
      : t('Dropped {0} stashes.', stashes.length);
  tellDone(message, () =>
    git.exclusively(repository, { title: t('Restoring stashes') }, (run) => storeStashes(run, stashes)),
  );
}

/** Call before the branch is deleted: its config is lost with it. Returns what to call afterwards. */
export async function beforeBranchDeletion(
  { git }: CommandContext,
  repository: Repository,
  { name, oid }: Ref,
): Promise<() => void> {
  const args = ['config', '--local', '-z', '--get-regexp', '^branch\\.'];
  const found = await git.ask(repository, { args });
  const config: BranchConfig = found === undefined ? [] : parseBranchConfig(found.stdout, name);
  const title = t('Restoring a branch');
  return () => {
    tellDone(t('Deleted branch {0} ({1}).', toDisplay(name), shortId(oid)), () =>
      git.exclusively(repository, { title }, (run) => restoreBranch(run, { name, oid, config })),
    );
  };
}

export function tellTagDeleted(
  { git }: CommandContext,
  repository: Repository,
  { full, name, oid }: Ref,
): void {
  const title = t('Restoring a tag');
  // The empty old value: nothing is overwritten that has the name by now.
  tellDone(t('Deleted tag {0} ({1}).', toDisplay(name), shortId(oid)), () =>
    git.run(repository, { args: ['update-ref', full, oid, ''] }, { title }),
  );
}
