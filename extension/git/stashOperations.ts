/** Taking a stash away, and only the one that is meant. Whoever runs git tells of failures. Does not know `vscode`. */
import {
  areAllMeant,
  atPlaceArguments,
  isNothingStashed,
  kListStashes,
  parseStashes,
  Stash,
  stashArguments,
  takeArguments,
} from '../model/stashPlan';
import { RepoPath, StatusEntry } from '../protocol';
import { StagedPath } from '../model/porcelain';
import { Run } from './changeOperations';
import { nulEnded, onIndexEntries, onPaths } from './pathInput';
import { GitResult } from './runGit';

/** 'moved': another stands there by now, and nothing was done. Undefined where git failed. */
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

/** All of them, where the list still is what `stashes` tells; 'moved' and undefined as above. */
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
 * Stashes these files alone. git takes no path that is not in the index: what is staged to be gone (`staged`, of all that
 * is) stands there again for a moment, and comes back as not staged. Where `all` is told and nothing but what is meant
 * would be stashed, no path is named. Undefined where git failed.
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
 * `checkout` with nothing in its way; with `migrates` what was changed comes along. Taken back where that fails. Where
 * nothing was changed any more no stash is touched.
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
