/** Whether there is a git where the helper looks for one: in the directories of PATH. */
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';

export async function hasGitOnPath(path = process.env.PATH ?? '/bin:/usr/bin'): Promise<boolean> {
  for (const directory of path.split(':')) {
    if (await isProgram(`${directory === '' ? '.' : directory}/git`)) return true;
  }
  return false;
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}
