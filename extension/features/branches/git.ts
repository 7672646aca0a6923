/** Restores a deleted branch. The caller's `run` reports failures. */
import { Run } from '../../git/runGit';

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
