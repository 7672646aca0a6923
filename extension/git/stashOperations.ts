/** Taking a stash away, and only the one that is meant. Whoever runs git tells of failures. Does not know `vscode`. */
import { atPlaceArguments, Stash, stashArguments, takeArguments } from '../model/stashPlan';
import { Run } from './changeOperations';

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

/** `checkout` with nothing in its way; with `migrates` what was changed comes along. Taken back where that fails. */
export async function stashAndCheckout(
  run: Run,
  checkout: readonly string[],
  { migrates }: { migrates: boolean },
): Promise<void> {
  if ((await run({ args: stashArguments('', {}) })) === undefined) return;
  const isThere = (await run({ args: checkout })) !== undefined;
  if (!isThere || migrates) await run({ args: ['stash', 'pop', '--quiet', ...(isThere ? [] : ['--index'])] });
}
