/** The tests' oracle: the git on PATH. It also makes the repositories, and our program finds the same git. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { run } from './run';

/** Options for a git without fsmonitor and untracked cache. */
export const withoutCaches: readonly string[] = ['core.fsmonitor', 'core.untrackedCache'].flatMap((name) => [
  '-c',
  `${name}=false`,
]);

let found: string | undefined;
let said: string | undefined;

/** The absolute path of the git on PATH. */
export function oracleGit(): string {
  return (found ??= findGit());
}

function findGit(): string {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const candidate = join(resolve(folder), 'git');
    try {
      accessSync(candidate, constants.X_OK);
      return candidate;
    } catch {
      continue;
    }
  }
  throw new Error('no git on PATH');
}

/** The version, such as "2.39.5". */
export function oracleVersion(): string {
  said ??= run(oracleGit(), ['--version'], { cwd: '/', env: process.env }).stdout.toString('utf8').trim();
  return said.replace(/^git version /, '');
}

/** True if the oracle has this version or a newer one. */
export function atLeast(major: number, minor: number, patch = 0): boolean {
  const version = oracleVersion()
    .split('.')
    .map((part) => Number.parseInt(part, 10) || 0);
  const wanted = [major, minor, patch];
  const differs = wanted.findIndex((part, i) => (version[i] ?? 0) !== part);
  return differs < 0 || (version[differs] ?? 0) > (wanted[differs] ?? 0);
}

/** True if git has its own daemon for `core.fsmonitor=true`: on Linux since 2.55. */
export function hasDaemon(): boolean {
  const { stdout } = run(oracleGit(), ['version', '--build-options'], { cwd: '/', env: process.env });
  return stdout.includes('fsmonitor--daemon');
}

/**
 * Chooses the git in `folder`: an installation prefix, a built source tree, or the program's folder. Call it
 * first.
 */
export function useGitOf(folder: string): void {
  for (const part of ['bin', 'bin-wrappers', '.']) {
    const programs = resolve(folder, part);
    try {
      accessSync(join(programs, 'git'), constants.X_OK);
    } catch {
      continue;
    }
    process.env.PATH = `${programs}${delimiter}${process.env.PATH ?? ''}`;
    [found, said] = [undefined, undefined];
    return;
  }
  throw new Error(`no git in ${folder}`);
}
