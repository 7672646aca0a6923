import { directoryOperations } from './directories';
import { fileOperations } from './files';
import { historyOperations } from './history';
import { indexOperations } from './index';
import { nestedOperations } from './nested';
import type { Operation } from './operation';
import { ruleOperations } from './rules';

export const operations: readonly Operation[] = [
  ...fileOperations,
  ...directoryOperations,
  ...indexOperations,
  ...historyOperations,
  ...ruleOperations,
  ...nestedOperations,
];
