import { conversionOperations } from './conversion';
import { directoryOperations } from './directories';
import { fileOperations } from './files';
import { historyOperations } from './history';
import { ignoreOperations } from './ignores';
import { indexOperations } from '.';
import { nestedOperations } from './nested';
import type { Operation } from './operation';
import { quarrelOperations } from './quarrels';
import { renameOperations } from './renames';
import { repositoryOperations } from './repository';
import { rightsOperations } from './rights';
import { ruleOperations } from './rules';
import { sparseOperations } from './sparse';
import { statOperations } from './stat';

export const operations: readonly Operation[] = [
  ...fileOperations,
  ...directoryOperations,
  ...indexOperations,
  ...historyOperations,
  ...ruleOperations,
  ...nestedOperations,
  ...ignoreOperations,
  ...conversionOperations,
  ...renameOperations,
  ...quarrelOperations,
  ...statOperations,
  ...repositoryOperations,
  ...rightsOperations,
  ...sparseOperations,
];
