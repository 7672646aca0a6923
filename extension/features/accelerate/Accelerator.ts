/**
 * Runs `git-resident accelerate`: git itself then asks the resident model which files changed. Does not know `vscode`.
 *
 * git's config names a link in the user's data directory, because the program's own path changes with each version.
 */
import { access, readlink, rename, rm, symlink } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { runGit } from '../../git/runGit';

export interface Acceleration {
  /** Replaces git's fsmonitor daemon. git 2.55 asks a daemon without a new process. Rejects for a git without a daemon. */
  bySocket: boolean;
  /** Also sets `feature.manyFiles`. */
  manyFiles?: boolean;
  /** Also sets `status.showUntrackedFiles` to `all`: `git status -uall` then uses git's untracked cache. */
  untrackedAll?: boolean;
}

export class Accelerator {
  constructor(
    private readonly binary: string,
    private readonly env: () => NodeJS.ProcessEnv = () => process.env,
  ) {}

  /** The settings that write() would write, a line each. Empty if git asks already. Rejects like write(). */
  async preview(root: string, acceleration: Acceleration): Promise<string[]> {
    const said = await this.run(root, ['--dry-run', ...wordsOf(acceleration)]);
    return said.filter((line) => line.includes(' = '));
  }

  /** Rejects with the reason if it writes nothing. Example: core.fsmonitor names a different program. */
  async write(root: string, acceleration: Acceleration): Promise<void> {
    await this.run(root, wordsOf(acceleration));
  }

  /**
   * Runs `git status` until git is told only the changes. Call it after write(), with the same acceleration. An abort ends
   * git, and rejects.
   */
  async warm(root: string, acceleration: Acceleration, signal: AbortSignal): Promise<void> {
    await this.run(root, ['--warm', ...wordsOf(acceleration)], signal);
  }

  /** The result for each setting, a line each. */
  undo(root: string): Promise<string[]> {
    return this.run(root, ['--undo']);
  }

  /**
   * Points the link to this program if it points to another version beside it, or to a missing file. Returns the earlier
   * target; undefined: the link is unchanged.
   */
  async followLink(): Promise<string | undefined> {
    const env = this.env();
    const given = env.XDG_DATA_HOME ?? '';
    const data = given === '' ? join(env.HOME ?? homedir(), '.local/share') : given;
    const link = join(data, 'resident-git/git-resident');
    const target = await readlink(link).catch(() => undefined);
    if (target === undefined || target === this.binary) return undefined;
    const isThere = await access(resolve(dirname(link), target)).then(
      () => true,
      () => false,
    );
    if (isThere && versionsOf(target) !== versionsOf(this.binary)) return undefined;
    const made = `${link}.${process.pid}`;
    await rm(made, { force: true });
    await symlink(this.binary, made);
    await rename(made, link);
    return target;
  }

  private async run(root: string, words: string[], signal = new AbortController().signal): Promise<string[]> {
    const command = { args: ['accelerate', ...words, root], keepsAll: true };
    const program = { path: this.binary, env: this.env() };
    const { code, stdout, stderr } = await runGit(program, root, command, signal);
    if (code !== 0) {
      throw new Error(
        stderr
          .toString('utf8')
          .trim()
          .replace(/^fatal: /, ''),
      );
    }
    return stdout.toString('utf8').trimEnd().split('\n');
  }
}

function wordsOf({ bySocket, manyFiles = false, untrackedAll = false }: Acceleration): string[] {
  return [
    ...(bySocket ? ['--by-socket'] : []),
    ...(manyFiles ? ['--many-files'] : []),
    ...(untrackedAll ? ['--untracked-all'] : []),
  ];
}

/** The folder that holds all versions of an extension. `binary`: a program in the dist/bin of a version. */
const versionsOf = (binary: string) => resolve(binary, '../../../..');
