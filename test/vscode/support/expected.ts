/** The rows that the Source Control view must show, computed from git's status. */
import type { Repository } from '../../support/repository';
import type { ResourceRow } from './workbench';

const conflicts = new Set(['DD', 'AU', 'UD', 'UA', 'DU', 'AA', 'UU']);

/**
 * "group: absolute path" for each row that `git status` implies. A path that is staged and changed again has two
 * rows. The path of a nested repository ends in '/'; its row has no slash.
 */
export function expectedRows(repository: Repository): string[] {
  const rows: string[] = [];
  const result = repository.ask('--no-optional-locks', 'status', '--porcelain=v1', '-z', '-uall');
  const records = result.stdout.toString('utf8').split('\0');
  while (records.length > 1) {
    const record = records.shift() ?? '';
    const [code, index, worktree] = [record.slice(0, 2), record[0] ?? '', record[1] ?? ''];
    if (index === 'R' || index === 'C') records.shift();
    const path = `${repository.root}/${record.slice(3).replace(/\/$/, '')}`;
    if (conflicts.has(code)) rows.push(`Merge Changes: ${path}`);
    else if (code === '??') rows.push(`Untracked Changes: ${path}`);
    else {
      if (index !== ' ') rows.push(`Staged Changes: ${path}`);
      if (worktree !== ' ') rows.push(`Changes: ${path}`);
    }
  }
  return rows.sort();
}

/** The shown rows in the same format. */
export function shownRows(resources: ResourceRow[]): string[] {
  return resources.map(({ group, path }) => `${group}: ${path}`).sort();
}
