/** Continues, skips or aborts the operation in progress: the texts, the question and the arguments. */
import { t } from '../../l10n';
import { operationName } from '../../model/operations';
import { Operation } from '../../protocol';

export type OperationVerb = 'continue' | 'skip' | 'abort';

/** "Abort Rebase". */
export function verbText(verb: OperationVerb, operation: Operation): string {
  const name = operationName(operation);
  switch (verb) {
    case 'continue':
      return t('Continue {0}', name);
    case 'skip':
      return t('Skip Commit');
    case 'abort':
      return t('Abort {0}', name);
  }
}

/** The question before the command: git resets files with conflicts. Undefined: nothing can be lost. */
export function verbQuestion(
  verb: OperationVerb,
  operation: Operation,
): { message: string; detail: string } | undefined {
  if (verb === 'continue' || operation === 'bisect') return undefined;
  if (verb === 'abort') {
    return {
      message: t('Are you sure you want to abort the operation "{0}"?', operationName(operation)),
      detail: t('Your conflict resolutions will be lost. The branch returns to its earlier commit.'),
    };
  }
  return {
    message: t('Are you sure you want to skip this commit?'),
    detail: t('The branch will not contain this commit. Your conflict resolutions will be lost.'),
  };
}

/** Undefined: git has no such command. A merge has one step, and a bisection needs "good" or "bad". */
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
