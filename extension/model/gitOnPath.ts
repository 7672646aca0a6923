/** Finds the git program: by the setting `git.path`, and in the directories of PATH, where the helper searches. */
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname, isAbsolute } from 'node:path';

const kDefaultPath = '/bin:/usr/bin';

/** The programs that `git.path` names: one or several. The first existing program is used. */
export function configuredGits(value: unknown): string[] {
  const values: unknown[] = Array.isArray(value) ? value : [value];
  return values.filter((each): each is string => typeof each === 'string' && each !== '');
}

/** The git to run. If none exists, the first: its error names the program. */
export async function gitToRun(value: unknown, path = process.env.PATH ?? kDefaultPath): Promise<string> {
  const named = configuredGits(value);
  for (const name of named) {
    if (name.includes('/') ? await isProgram(name) : await isOnPath(name, path)) return name;
  }
  return named[0] ?? 'git';
}

export function hasGitOnPath(path = process.env.PATH ?? kDefaultPath): Promise<boolean> {
  return isOnPath('git', path);
}

/** A PATH with a git in it. If PATH has none, adds the directory of a `git.path` whose file name is `git`. */
export async function pathWithGit(value: unknown, path = process.env.PATH ?? kDefaultPath): Promise<string> {
  if (await hasGitOnPath(path)) return path;
  for (const name of configuredGits(value)) {
    if (isAbsolute(name) && name.endsWith('/git') && (await isProgram(name))) {
      return path === '' ? dirname(name) : `${path}:${dirname(name)}`;
    }
  }
  return path;
}

async function isOnPath(name: string, path: string): Promise<boolean> {
  for (const directory of path.split(':')) {
    if (await isProgram(`${directory === '' ? '.' : directory}/${name}`)) return true;
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
