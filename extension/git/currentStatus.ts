/**
 * Asks for the status of this moment. `git-resident` asks the resident model: everything written before the question
 * counts. If no model can be reached, `git-resident` reads the disk itself. Does not know `vscode`.
 */
import { t } from '../l10n';
import { parsePorcelain, parseStaged, StagedPath } from './porcelain';
import { StatusEntry } from '../protocol';
import { runGit } from './runGit';

const kQuestion = ['status', '--porcelain=v2', '-z', '--untracked-files=all'];

export class CurrentStatus {
  constructor(
    private readonly binary: string,
    private readonly env: () => NodeJS.ProcessEnv = () => process.env,
  ) {}

  /** Rejects with the reason if the question fails. */
  async ask(root: string, signal: AbortSignal): Promise<StatusEntry[]> {
    return parsePorcelain(await this.answer(root, signal));
  }

  /** The staged paths, with their entries in HEAD. */
  async askStaged(root: string, signal: AbortSignal): Promise<StagedPath[]> {
    return parseStaged(await this.answer(root, signal));
  }

  private async answer(root: string, signal: AbortSignal): Promise<Buffer> {
    const env = { ...this.env(), GIT_OPTIONAL_LOCKS: '0' };
    const question = { args: kQuestion, keepsAll: true };
    const { code, stdout, stderr } = await runGit({ path: this.binary, env }, root, question, signal);
    if (code !== 0) throw new Error(t('git status failed: {0}', stderr.toString('utf8').trim()));
    return stdout;
  }
}
