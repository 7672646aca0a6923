/**
 * Reasons why repositories cannot be opened, by path. A repository that was open, or was about to be, and no longer
 * exists is not a problem.
 */
import { WorktreeRoot } from '../protocol';
import { isRepository, kGoneMs } from './findRepositories';
import { Report } from './HelperApi';

export class RepositoryProblems {
  private readonly texts = new Map<string, string>();
  private readonly refused = new Set<WorktreeRoot>();
  private readonly gone = new Set<WorktreeRoot>();
  private look: NodeJS.Timeout | undefined;
  private isDisposed = false;

  constructor(
    private readonly report: Report,
    private readonly owner: {
      /** True if the repository is open, or being opened. */
      isKnown(root: WorktreeRoot): boolean;
      /** A repository that was gone exists again. */
      isBack(root: WorktreeRoot): void;
      /** Not called by note(): its caller reports the change. */
      onDidChange(): void;
    },
  ) {}

  get messages(): ReadonlyMap<string, string> {
    return this.texts;
  }

  note(path: string, message: string): void {
    // git's messages end in a newline.
    const text = message.trim();
    this.texts.set(path, text);
    this.report('error', `${path}: ${text}`);
  }

  /**
   * For a repository that was open, or was about to be. Notes no problem if the repository is gone. Checks again
   * after `kGoneMs`.
   */
  async noteOfRefused(root: WorktreeRoot, message: string): Promise<void> {
    const isThere = await isRepository(root);
    if (this.isDisposed) return;
    if (!this.owner.isKnown(root)) {
      if (isThere) this.note(root, message);
      (isThere ? this.refused : this.gone).add(root);
      clearTimeout(this.look);
      this.look = setTimeout(() => void this.lookAgain(), kGoneMs);
    }
    this.owner.onDidChange();
  }

  private async lookAgain(): Promise<void> {
    const gone = [...this.gone];
    this.gone.clear();
    await this.forgetGone();
    // The parent folder can disappear and return before the editor reports either.
    for (const root of gone) {
      const isThere = await isRepository(root);
      if (this.isDisposed) return;
      if (isThere && !this.owner.isKnown(root)) this.owner.isBack(root);
    }
  }

  /** Returns false if the path had no problem. */
  forget(path: string): boolean {
    this.refused.delete(path);
    return this.texts.delete(path);
  }

  async forgetGone(): Promise<void> {
    let isAnyGone = false;
    for (const root of [...this.refused]) {
      if (!(await isRepository(root)) && this.forget(root)) isAnyGone = true;
    }
    if (isAnyGone && !this.isDisposed) this.owner.onDidChange();
  }

  clear(): void {
    this.texts.clear();
    this.refused.clear();
    this.gone.clear();
  }

  /** Allowed during a check of the disk: this check then starts no other check and reports nothing. */
  dispose(): void {
    this.isDisposed = true;
    clearTimeout(this.look);
  }
}
