/**
 * Finds processes that may hold a git lock: the git processes in a worktree, from Linux's /proc. Does not know
 * `vscode`.
 */
import { readdir, readFile, readlink } from 'node:fs/promises';
import { relativeTo } from '../model/repoPath';

export interface LockHolder {
  pid: number;
  /** The command line of the process. */
  command: string;
}

/** Git processes whose working directory is one of `folders`, or below. Processes of other users are not visible. */
export async function lockHolders(folders: readonly string[], proc = '/proc'): Promise<LockHolder[]> {
  const names = await readdir(proc).catch(() => []);
  const found = await Promise.all(
    names
      .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
      .map(async (name) => {
        try {
          const words = (await readFile(`${proc}/${name}/cmdline`, 'utf8'))
            .split('\0')
            .filter((word) => word !== '');
          if (!/(^|\/)git(-[\w-]+)?$/.test(words[0] ?? '')) return undefined;
          const cwd = await readlink(`${proc}/${name}/cwd`);
          if (!folders.some((folder) => relativeTo(folder, cwd) !== undefined)) return undefined;
          return { pid: Number(name), command: words.join(' ') };
        } catch {
          // The process has ended, or belongs to another user.
          return undefined;
        }
      }),
  );
  return found.filter((holder) => holder !== undefined);
}
