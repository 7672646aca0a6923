/** The operation that git has in progress: its step and its name. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { t } from '../l10n';
import { Operation } from '../protocol';

/** The number of the current commit, the total, and the branch that git moves at the end. */
export interface OperationStep {
  step: number;
  of: number;
  branch?: string;
}

/** Progress files in the git directory: of a rebase by merging, then of a rebase by patches or am. */
export const kStepFiles: readonly { step: string; of: string; branch: string }[] = [
  { step: 'rebase-merge/msgnum', of: 'rebase-merge/end', branch: 'rebase-merge/head-name' },
  { step: 'rebase-apply/next', of: 'rebase-apply/last', branch: 'rebase-apply/head-name' },
];

/** The file in the git directory with the message of the next commit, for am and a rebase by patches. */
export const kPatchMessage = 'rebase-apply/final-commit';

/** Undefined: the files contain no valid step. */
export function parseStep(step: string, of: string, headName = ''): OperationStep | undefined {
  const numbers = [step, of].map((text) => (/^\d{1,9}\s*$/.test(text) ? Number.parseInt(text, 10) : 0));
  const [number = 0, total = 0] = numbers;
  if (number === 0 || total === 0) return undefined;
  const branch = /^refs\/heads\/(.+?)\n?$/.exec(headName)?.[1];
  return { step: number, of: total, ...(branch !== undefined && { branch }) };
}

const kNames: Readonly<Record<Operation, { doing: string; verb: string }>> = {
  merge: { doing: t('Merging'), verb: t('Merge') },
  rebase: { doing: t('Rebasing'), verb: t('Rebase') },
  'cherry-pick': { doing: t('Cherry-picking'), verb: t('Cherry Pick') },
  revert: { doing: t('Reverting'), verb: t('Revert') },
  bisect: { doing: t('Bisecting'), verb: t('Bisect') },
  am: { doing: t('Applying patches'), verb: t('Applying Patches') },
};

/** "Rebasing 2/5". */
export function operationText(operation: Operation, step?: OperationStep): string {
  const { doing } = kNames[operation];
  return step === undefined ? doing : `${doing} ${step.step}/${step.of}`;
}

/** "Rebase". */
export function operationName(operation: Operation): string {
  return kNames[operation].verb;
}

/**
 * True for am, and for a rebase that works like am. Only these know the author of the next commit; `git commit` does
 * not.
 */
export function isByPatches(operation: Operation | undefined, gitDir: string | undefined): boolean {
  if (operation === 'am') return true;
  return operation === 'rebase' && gitDir !== undefined && existsSync(join(gitDir, 'rebase-apply'));
}
