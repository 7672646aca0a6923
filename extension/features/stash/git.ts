/**
 * Pops, drops and makes stashes. Changes only the stash that is meant. The caller's `run` reports failures. Does not
 * know `vscode`.
 */
import { nulEnded, onIndexEntries, onPaths } from '../../git/pathInput';
import { GitResult, Run } from '../../git/runGit';
import { RepoPath, StagedPath, StatusEntry } from '../../protocol';
import {
  areAllMeant,
  atPlaceArguments,
  isNothingStashed,
  kListStashes,
  parseStashes,
  Stash,
  stashArguments,
  takeArguments,
} from './plan';

/** 'moved': the list of stashes has changed, so nothing was done. Undefined if git failed. */
export async function takeStash(
  run: Run,
  verb: 'pop' | 'drop',
  stash: Stash,
): Promise<'done' | 'moved' | undefined> {
  const place = await run({ args: atPlaceArguments(stash) });
  if (place === undefined) return undefined;
  if (place.stdout.toString('utf8').trim() !== stash.oid) return 'moved';
  return (await run({ args: takeArguments(verb, stash) })) && 'done';
}

/** Drops all stashes, if the list still matches `stashes`. 'moved' and undefined as in `takeStash`. */
export async function dropAllStashes(
  run: Run,
  stashes: readonly Stash[],
): Promise<'done' | 'moved' | undefined> {
  const listed = await run({ args: kListStashes, keepsAll: true });
  if (listed === undefined) return undefined;
  const ids = (list: readonly Stash[]) => list.map(({ oid }) => oid).join();
  if (ids(parseStashes(listed.stdout)) !== ids(stashes)) return 'moved';
  return (await run({ args: ['stash', 'clear'] })) && 'done';
}

/**
 * Stashes only these files. Undefined if git failed.
 *
 * `git stash` rejects a path that is missing from the index. Therefore staged deletions and renames of these files are
 * first put back into the index; the stash restores them as unstaged. `staged`: all staged paths.
 *
 * `all`: all status entries. If a stash without paths would contain only the meant files, no path is named.
 */
export async function stashPaths(
  run: Run,
  message: string,
  { paths, untracked }: { paths: readonly RepoPath[]; untracked: boolean },
  { staged, all }: { staged: readonly StagedPath[]; all?: readonly StatusEntry[] | undefined },
): Promise<GitResult | undefined> {
  const isMeant = new Set(paths);
  if (all !== undefined && areAllMeant(all, isMeant, untracked))
    return run({ args: stashArguments(message, { untracked }) });
  const gone = staged.flatMap(({ path, index, headMode, headOid, from = path }) =>
    (index === 'D' || index === 'R') && isMeant.has(from)
      ? [{ mode: headMode, oid: headOid, path: from }]
      : [],
  );
  if (gone.length > 0 && (await run(onIndexEntries(gone))) === undefined) return undefined;
  const args = stashArguments(message, { paths: true, untracked });
  const done = await run({ args, input: nulEnded(paths) });
  const isStashed = done !== undefined && !isNothingStashed(done.stdout);
  if (!isStashed && gone.length > 0) {
    await run(
      onPaths(
        'update-index',
        ['--force-remove'],
        gone.map(({ path }) => path),
      ),
    );
  }
  return done;
}

/**
 * Stashes the changes to tracked files, then runs `checkout`. With `migrates`, pops the stash on the new branch. If the
 * checkout fails, pops the stash on the old branch. If nothing was stashed, no stash is popped.
 */
export async function stashAndCheckout(
  run: Run,
  checkout: readonly string[],
  { migrates }: { migrates: boolean },
): Promise<void> {
  const pushed = await run({ args: stashArguments('', {}) });
  if (pushed === undefined) return;
  const isThere = (await run({ args: checkout })) !== undefined;
  if (isNothingStashed(pushed.stdout)) return;
  if (!isThere || migrates) await run({ args: ['stash', 'pop', '--quiet', ...(isThere ? [] : ['--index'])] });
}

/** Puts dropped stashes back, the first one on top. */
export async function storeStashes(run: Run, stashes: readonly Stash[]): Promise<void> {
  for (const { oid, description } of [...stashes].reverse()) {
    const stored = await run({ args: ['stash', 'store', '--quiet', '--message', description, oid] });
    if (stored === undefined) return;
  }
}
