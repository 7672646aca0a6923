/** Takes back what moved HEAD or dropped a stash or a branch. Reports no failure itself. Does not know `vscode`. */
import { Stash } from '../model/stashPlan';
import { Run } from './changeOperations';

/** '' where HEAD is no commit yet; undefined where git failed. */
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
 * Moves HEAD, and the branch that is checked out, from `to` back to `from`. 'soft' leaves the index and the files;
 * 'keep' changes them as well, and fails where that would lose a change. 'moved': HEAD is another commit by now.
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

/** What the config has of a branch, as `key` and value. */
export type BranchConfig = readonly (readonly [key: string, value: string])[];

/** Of `git config --local -z --get-regexp ^branch\\.`. */
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

/** Makes a deleted branch again, with its config. git refuses where there is one of that name by now. */
export async function restoreBranch(
  run: Run,
  { name, oid, config }: { name: string; oid: string; config: BranchConfig },
): Promise<void> {
  if ((await run({ args: ['branch', '--no-track', name, oid] })) === undefined) return;
  for (const [key, value] of config) {
    if ((await run({ args: ['config', '--local', '--add', key, value] })) === undefined) return;
  }
}
