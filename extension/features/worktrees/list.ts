/** The worktrees of a repository, as listed by `git worktree list`. */
import { textOf } from '../../git/outputText';

export interface ListedWorktree {
  /** Absolute path, as printed by git. */
  path: string;
  /** "main"; undefined: HEAD is detached, or nothing is checked out. */
  branch?: string;
  oid?: string;
  isBare: boolean;
  /** git's reason why the worktree no longer exists. */
  prunable?: string;
}

export const kListWorktrees: readonly string[] = ['worktree', 'list', '--porcelain'];

/** Leaves out worktrees whose paths are not valid UTF-8. */
export function parseWorktrees(output: Uint8Array): ListedWorktree[] {
  const text = textOf(output);
  const found: ListedWorktree[] = [];
  for (const record of text.split('\n\n')) {
    const values = new Map(
      record.split('\n').map((line): [string, string] => {
        const space = line.indexOf(' ');
        return space < 0 ? [line, ''] : [line.slice(0, space), line.slice(space + 1)];
      }),
    );
    const path = values.get('worktree');
    if (path === undefined || path.includes('\ufffd')) continue;
    const branch = values.get('branch')?.replace(/^refs\/heads\//, '');
    const [oid, prunable] = [values.get('HEAD'), values.get('prunable')];
    found.push({
      path,
      isBare: values.has('bare'),
      ...(branch !== undefined && { branch }),
      ...(oid !== undefined && { oid }),
      ...(prunable !== undefined && { prunable }),
    });
  }
  return found;
}
