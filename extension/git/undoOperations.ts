/**
 * Undoes commands that moved HEAD, or dropped a stash or a branch. The caller's `run` reports failures. Does not know
 * `vscode`.
 */
import { Stash } from '../model/stashPlan';
import { Run } from './changeOperations';

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

/** Puts dropped stashes back, the first one on top. */
export async function storeStashes(run: Run, stashes: readonly Stash[]): Promise<void> {
  for (const { oid, description } of [...stashes].reverse()) {
    const stored = await run({ args: ['stash', 'store', '--quiet', '--message', description, oid] });
    if (stored === undefined) return;
  }
}

/** A branch's settings in the config: full key and value. */
export type BranchConfig = readonly (readonly [key: string, value: string])[];

/** Parses the output of `git config --local -z --get-regexp ^branch\\.`. */
export function parseBranchConfig(output: Uint8Array, name: string): BranchConfig {
  const records = Buffer.from(output).toString('utf8').split('\0');
  return records.flatMap((record) => {
    const end = record.indexOf('\n');
    const key = record.slice(0, end);
    return end > 0 && key.slice(0, key.lastIndexOf('.')) === `branch.${name}`
      ? [[key, record.slice(end + 1)] as const]
      : [];
  });
}

/** Creates a deleted branch again, with its config. Fails if a branch with that name exists by now. */
export async function restoreBranch(
  run: Run,
  { name, oid, config }: { name: string; oid: string; config: BranchConfig },
): Promise<void> {
  if ((await run({ args: ['branch', '--no-track', name, oid] })) === undefined) return;
  for (const [key, value] of config) {
    if ((await run({ args: ['config', '--local', '--add', key, value] })) === undefined) return;
  }
}
