/** What git is in the middle of: how far it is, what it is called, and what goes on with it, leaves a step out, or ends it. */
import { Operation } from '../protocol';
import { t } from '../l10n';

export type OperationVerb = 'continue' | 'skip' | 'abort';

/** Which commit of how many, and the branch that is to follow, which HEAD has left meanwhile. */
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

/** "Abort Rebase". */
export function verbText(verb: OperationVerb, operation: Operation): string {
  const { verb: name } = kNames[operation];
  switch (verb) {
    case 'continue':
      return t('Continue {0}', name);
    case 'skip':
      return t('Skip Commit of {0}', name);
    case 'abort':
      return t('Abort {0}', name);
  }
}

/** Undefined where there is nothing of the kind: a merge has one step, and of a commit a bisection asks whether it is good. */
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
