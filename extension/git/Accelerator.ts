/**
 * Has git itself ask the resident model what changed, through `git-resident accelerate`. Does not know `vscode`.
 *
 * git's config names a link in the user's data directory, since this program's own path changes with each version.
 */
import { access, readlink, rename, rm, symlink } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { runGit } from './runGit';

export interface Acceleration {
  /** In place of git's own daemon, which git 2.55 asks without a copy of its own process. Rejected for a git without one. */
  bySocket: boolean;
  /** `feature.manyFiles` as well. */
  manyFiles: boolean;
}

export class Accelerator {
  constructor(
    private readonly binary: string,
    private readonly env: () => NodeJS.ProcessEnv = () => process.env,
  ) {}

  /** The settings that write() would write, a line each; none where git asks already. Rejects as that does. */
  async preview(root: string, acceleration: Acceleration): Promise<string[]> {
    const said = await this.run(root, ['--dry-run', ...wordsOf(acceleration)]);
    return said.filter((line) => line.includes(' = '));
  }

  /** Rejects with the reason where nothing is written: another monitor is there, for one. */
  async write(root: string, acceleration: Acceleration): Promise<void> {
    await this.run(root, wordsOf(acceleration));
  }

  /** What became of each setting, a line each. */
  undo(root: string): Promise<string[]> {
    return this.run(root, ['--undo']);
  }

  /**
   * Leads the link to this program, where it led to another version beside it, or to what is there no more. Says where it
   * led to; undefined: nothing was to be done.
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

  private async run(root: string, words: string[]): Promise<string[]> {
    const command = { args: ['accelerate', ...words, root], keepsAll: true };
    const program = { path: this.binary, env: this.env() };
    const { code, stdout, stderr } = await runGit(program, root, command, new AbortController().signal);
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

function wordsOf({ bySocket, manyFiles }: Acceleration): string[] {
  return [...(bySocket ? ['--by-socket'] : []), ...(manyFiles ? ['--many-files'] : [])];
}

/** The folder in which the versions of an extension lie side by side, of a program in one's dist/bin. */
const versionsOf = (binary: string) => resolve(binary, '../../../..');
