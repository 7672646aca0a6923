/** The cases of git's tests that come out otherwise with git-resident, each with its reason. */
import type { Source } from '../disagreement';

export interface ExpectedDifference {
  /** "t7508" */
  suite: string;
  /** As the script has it. */
  title: string;
  sources: readonly Source[];
  reason: string;
}

export const expectedDifferences: readonly ExpectedDifference[] = [];
