/** Which of the repositories that are found are opened: by settings, and by what a person answered once. */
import { join, relativeTo } from './repoPath';
import { WorktreeRoot } from '../protocol';
import { WorkspaceFolder } from './WorkspacePaths';

export type ParentRule = 'always' | 'never' | 'prompt';

export interface OpenSettings {
  /** Repositories below a workspace folder. */
  nested: 'always' | 'openEditors' | 'prompt';
  /** Repositories that contain a workspace folder; by that folder, where folders differ. */
  parent: ParentRule | ((folder: WorkspaceFolder) => ParentRule);
  /** Absolute, or relative to a workspace folder. */
  ignored: readonly string[];
}

export interface OpenFacts {
  folders: readonly WorkspaceFolder[];
  /** What was answered for each, in this workspace. */
  answers: ReadonlyMap<WorktreeRoot, 'open' | 'close'>;
  /** Real paths of the files that editors show. */
  edited: readonly string[];
}

/** `leave`: it is not opened, and not asked about; `ignore`: nor offered. */
export type Verdict = 'open' | 'ask' | 'leave' | 'ignore';

const kOfParent = { always: 'open', prompt: 'ask', never: 'leave' } as const;

export const kOpenAll: OpenSettings = { nested: 'always', parent: 'always', ignored: [] };

export function verdictOf(root: WorktreeRoot, settings: OpenSettings, facts: OpenFacts): Verdict {
  const { folders, answers, edited } = facts;
  if (isIgnored(root, settings.ignored, folders)) return 'ignore';
  const answer = answers.get(root);
  if (answer !== undefined) return answer === 'open' ? 'open' : 'leave';
  // A folder that was opened is a repository that is wanted.
  if (folders.some(({ real }) => real === root)) return 'open';
  const inside = folders.find(({ real }) => relativeTo(root, real) !== undefined);
  if (inside !== undefined) {
    const { parent } = settings;
    return kOfParent[typeof parent === 'string' ? parent : parent(inside)];
  }
  switch (settings.nested) {
    case 'always':
      return 'open';
    case 'prompt':
      return 'ask';
    case 'openEditors':
      return edited.some((path) => relativeTo(root, path) !== undefined) ? 'open' : 'leave';
  }
}

function isIgnored(
  root: WorktreeRoot,
  ignored: readonly string[],
  folders: readonly WorkspaceFolder[],
): boolean {
  return ignored.some((given) => {
    const path = given.length > 1 ? given.replace(/\/+$/, '') : given;
    if (path.startsWith('/')) return path === root || folders.some((folder) => realOf(folder, path) === root);
    const relative = path.replace(/^\.\//, '');
    return folders.some(
      ({ real }) => (relative === '.' || relative === '' ? real : join(real, relative)) === root,
    );
  });
}

/** A path below a folder that was opened through a symbolic link. */
function realOf({ opened, real }: WorkspaceFolder, path: string): string | undefined {
  const inside = relativeTo(opened, path);
  return inside === undefined ? undefined : inside === '' ? real : join(real, inside);
}
