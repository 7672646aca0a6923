/**
 * Why repositories cannot be opened, by the path that each is about. What was open, or was to be, and is there no more is no
 * problem.
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
      /** It is open, or being opened. */
      isKnown(root: WorktreeRoot): boolean;
      /** One that was gone is there again. */
      isBack(root: WorktreeRoot): void;
      /** Not called after note(), which others follow. */
      onDidChange(): void;
    },
  ) {}

  get messages(): ReadonlyMap<string, string> {
    return this.texts;
  }

  note(path: string, message: string): void {
    // What git says ends in a newline.
    const text = message.trim();
    this.texts.set(path, text);
    this.report('error', `${path}: ${text}`);
  }

  /** Of one that was open, or was to be. */
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
    // The folder around it can go and come again before the editor sees either.
    for (const root of gone) {
      const isThere = await isRepository(root);
      if (this.isDisposed) return;
      if (isThere && !this.owner.isKnown(root)) this.owner.isBack(root);
    }
  }

  /** False where there was none. */
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

  /** Also while it looks at the disk: then it ends without another look, and tells nobody. */
  dispose(): void {
    this.isDisposed = true;
    clearTimeout(this.look);
  }
}
