/** The worktrees of a repository, as `git worktree list` tells them. */
import { textOf } from './outputText';

export interface ListedWorktree {
  /** As git has it: absolute. */
  path: string;
  /** "main"; undefined where HEAD is detached, or there is no checkout. */
  branch?: string;
  oid?: string;
  isBare: boolean;
  /** Why it is not there any more, as git says it. */
  prunable?: string;
}

export const kListWorktrees: readonly string[] = ['worktree', 'list', '--porcelain'];

/** Without those whose names are no text. */
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
