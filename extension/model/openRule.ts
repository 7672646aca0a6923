/** Decides which found repositories are opened: by settings, and by earlier answers of the user. */
import { join, relativeTo } from './repoPath';
import { WorktreeRoot } from '../protocol';
import { WorkspaceFolder } from './WorkspacePaths';

export type ParentRule = 'always' | 'never' | 'prompt';

export interface OpenSettings {
  /** Rule for repositories below a workspace folder. */
  nested: 'always' | 'openEditors' | 'prompt';
  /** Rule for repositories that contain this workspace folder. */
  parent: (folder: WorkspaceFolder) => ParentRule;
  /** Absolute paths, or paths relative to a workspace folder. */
  ignored: readonly string[];
}

export interface OpenFacts {
  folders: readonly WorkspaceFolder[];
  /** The user's answer for each repository, in this workspace. */
  answers: ReadonlyMap<WorktreeRoot, 'open' | 'close'>;
  /** Real paths of the files that editors show. */
  edited: readonly string[];
}

/** `leave`: not opened, and not asked about. `ignore`: also not offered. */
export type Verdict = 'open' | 'ask' | 'leave' | 'ignore';

const kOfParent = { always: 'open', prompt: 'ask', never: 'leave' } as const;

export const kOpenAll: OpenSettings = { nested: 'always', parent: () => 'always', ignored: [] };

export function verdictOf(root: WorktreeRoot, settings: OpenSettings, facts: OpenFacts): Verdict {
  const { folders, answers, edited } = facts;
  if (isIgnored(root, settings.ignored, folders)) return 'ignore';
  const answer = answers.get(root);
  if (answer !== undefined) return answer === 'open' ? 'open' : 'leave';
  // A workspace folder that is itself a repository is wanted.
  if (folders.some(({ real }) => real === root)) return 'open';
  const inside = folders.find(({ real }) => relativeTo(root, real) !== undefined);
  if (inside !== undefined) return kOfParent[settings.parent(inside)];
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

/** The real path of a path below a folder that was opened through a symbolic link. */
function realOf({ opened, real }: WorkspaceFolder, path: string): string | undefined {
  const inside = relativeTo(opened, path);
  return inside === undefined ? undefined : inside === '' ? real : join(real, inside);
}
