/** The operation that git has in progress: its step, its name, and the arguments that continue, skip or abort it. */
import { Operation } from '../protocol';
import { t } from '../l10n';

export type OperationVerb = 'continue' | 'skip' | 'abort';

/** The commit's number of how many, and the branch that git moves at the end. */
export interface OperationStep {
  step: number;
  of: number;
  branch?: string;
}

/** Where in the git directory a rebase by merging, and one by patches (or am), say how far they are. */
export const kStepFiles: readonly { step: string; of: string; branch: string }[] = [
  { step: 'rebase-merge/msgnum', of: 'rebase-merge/end', branch: 'rebase-merge/head-name' },
  { step: 'rebase-apply/next', of: 'rebase-apply/last', branch: 'rebase-apply/head-name' },
];

/** Where in the git directory am, and a rebase by patches, have the message of the commit that is next. */
export const kPatchMessage = 'rebase-apply/final-commit';

/** Undefined where those files do not say it. */
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
  'cherry-pick': { doing: t('Cherry-picking'), verb: t('Cherry-Pick') },
  revert: { doing: t('Reverting'), verb: t('Revert') },
  bisect: { doing: t('Bisecting'), verb: t('Bisect') },
  am: { doing: t('Applying patches'), verb: t('Patches') },
};

/** "Rebasing 2/5". */
export function operationText(operation: Operation, step?: OperationStep): string {
  const { doing } = kNames[operation];
  return step === undefined ? doing : `${doing} ${step.step}/${step.of}`;
}

/** "Abort Rebase". */
export function verbText(verb: OperationVerb, operation: Operation): string {
  const { verb: name } = kNames[operation];
  switch (verb) {
    case 'continue':
      return t('Continue {0}', name);
    case 'skip':
      return t('Skip Commit');
    case 'abort':
      return t('Abort {0}', name);
  }
}

/** Asked first, because git resets files with conflicts. Undefined where nothing can be lost. */
export function verbQuestion(
  verb: OperationVerb,
  operation: Operation,
): { message: string; detail: string } | undefined {
  if (verb === 'continue' || operation === 'bisect') return undefined;
  if (verb === 'abort') {
    return {
      message: t('Are you sure you want to abort the operation "{0}"?', kNames[operation].verb),
      detail: t('Conflicts that you have resolved are lost. The branch is as it was before.'),
    };
  }
  return {
    message: t('Are you sure you want to skip this commit?'),
    detail: t('Its changes, and conflicts that you have resolved, are left out of the branch.'),
  };
}

/** Undefined where git has no such command: a merge has one step, and a bisection needs "good" or "bad". */
export function operationArguments(operation: Operation, verb: OperationVerb): string[] | undefined {
  switch (operation) {
    case 'merge':
      return verb === 'skip' ? undefined : ['merge', `--${verb}`];
    case 'bisect':
      if (verb === 'continue') return undefined;
      return ['bisect', verb === 'skip' ? 'skip' : 'reset'];
    case 'rebase':
    case 'cherry-pick':
    case 'revert':
    case 'am':
      return [operation, `--${verb}`];
  }
}
