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
  private look: NodeJS.Timeout | undefined;

  /** `onDidChange` is not called after note(), which others follow; `isKnown`: it is open, or being opened. */
  constructor(
    private readonly report: Report,
    private readonly isKnown: (root: WorktreeRoot) => boolean,
    private readonly onDidChange: () => void,
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
    if ((await isRepository(root)) && !this.isKnown(root)) {
      this.note(root, message);
      this.refused.add(root);
      clearTimeout(this.look);
      this.look = setTimeout(() => void this.forgetGone(), kGoneMs);
    }
    this.onDidChange();
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
    if (isAnyGone) this.onDidChange();
  }

  clear(): void {
    this.texts.clear();
    this.refused.clear();
  }

  dispose(): void {
    clearTimeout(this.look);
  }
}
