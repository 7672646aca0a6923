/** What git is in the middle of: how far it is, what it is called, and what goes on with it, leaves a step out, or ends it. */
import { Operation } from '../protocol';

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

/** Undefined where those files do not say it. */
export function parseStep(step: string, of: string, headName = ''): OperationStep | undefined {
  const numbers = [step, of].map((text) => (/^\d{1,9}\s*$/.test(text) ? Number.parseInt(text, 10) : 0));
  const [number = 0, total = 0] = numbers;
  if (number === 0 || total === 0) return undefined;
  const branch = /^refs\/heads\/(.+?)\n?$/.exec(headName)?.[1];
  return { step: number, of: total, ...(branch !== undefined && { branch }) };
}

const kNames: Readonly<Record<Operation, { doing: string; verb: string }>> = {
  merge: { doing: 'Merging', verb: 'Merge' },
  rebase: { doing: 'Rebasing', verb: 'Rebase' },
  'cherry-pick': { doing: 'Cherry-picking', verb: 'Cherry Pick' },
  revert: { doing: 'Reverting', verb: 'Revert' },
  bisect: { doing: 'Bisecting', verb: 'Bisect' },
  am: { doing: 'Applying patches', verb: 'Applying Patches' },
};

/** "Rebasing 2/5". */
export function operationText(operation: Operation, step?: OperationStep): string {
  const { doing } = kNames[operation];
  return step === undefined ? doing : `${doing} ${step.step}/${step.of}`;
}

/** "Abort Rebase". */
export function verbText(verb: OperationVerb, operation: Operation): string {
  const word = { continue: 'Continue', skip: 'Skip Commit of', abort: 'Abort' }[verb];
  return `${word} ${kNames[operation].verb}`;
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
