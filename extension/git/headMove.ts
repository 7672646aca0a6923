/** Undoes commands that moved HEAD. The caller's `run` reports failures. Does not know `vscode`. */
import { Run } from './runGit';

/** '' if HEAD has no commit yet; undefined if git failed. */
export async function headOid(run: Run): Promise<string | undefined> {
  const args = ['cat-file', '--batch-check=%(objectname)'];
  const result = await run({ args, input: Buffer.from('HEAD\n') });
  const oid = result?.stdout.toString('utf8').trim();
  return oid === 'HEAD missing' ? '' : oid;
}

export interface HeadMove {
  from: string;
  to: string;
}

/**
 * Moves HEAD, and the branch that is checked out, from `to` back to `from`.
 *
 * 'soft' leaves the index and the files unchanged. 'keep' changes them too, and fails if that would lose a change.
 * Returns 'moved' if HEAD has moved since: then nothing was done.
 */
export async function moveHeadBack(
  run: Run,
  { from, to }: HeadMove,
  how: 'soft' | 'keep',
): Promise<'done' | 'moved' | undefined> {
  const now = await headOid(run);
  if (now === undefined) return undefined;
  if (now !== to) return 'moved';
  const args =
    how === 'soft' ? ['update-ref', '-m', 'undo', 'HEAD', from, to] : ['reset', '--quiet', '--keep', from];
  return (await run({ args })) && 'done';
}
