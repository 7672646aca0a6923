/** Who may hold a lock of git's: the gits that run in a worktree, by what Linux tells of processes. Does not know `vscode`. */
import { readdir, readFile, readlink } from 'node:fs/promises';
import { relativeTo } from '../model/repoPath';

export interface LockHolder {
  pid: number;
  /** Its command line. */
  command: string;
}

/** Gits whose working directory is one of `folders`, or below. Processes of other users are not seen. */
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
          // It has ended, or is another user's.
          return undefined;
        }
      }),
  );
  return found.filter((holder) => holder !== undefined);
}
