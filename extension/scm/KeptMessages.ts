/**
 * Messages of commits that did not come about, kept until one does or HEAD is another. The editor keeps what is in an
 * input box across a reload too, but not in a browser: there it can be an older text, or none.
 */
import { commands, env, Memento, UIKind } from 'vscode';
import { WorktreeRoot } from '../protocol';
import { Repository } from '../model/Repository';

interface Kept {
  message: string;
  /** HEAD, for which it was meant; null before the first commit. */
  oid: string | null;
}

const keyOf = (root: WorktreeRoot) => `message:${root}`;

export class KeptMessages {
  constructor(private readonly memory: Memento) {}

  async keep({ root, branch }: Repository, message: string): Promise<void> {
    const kept: Kept = { message, oid: branch.oid ?? null };
    await this.memory.update(keyOf(root), message === '' ? undefined : kept);
  }

  async forget({ root }: Repository): Promise<void> {
    await this.memory.update(keyOf(root), undefined);
  }

  /** `repository` is verified. */
  async restore(repository: Repository, inputBox: { value: string }): Promise<void> {
    const kept = this.memory.get<Kept>(keyOf(repository.root));
    if (kept === undefined) return;
    if (kept.oid !== (repository.branch.oid ?? null)) {
      await this.forget(repository);
      return;
    }
    // There and back: what the editor has restored itself has arrived by then.
    await commands.getCommands(true);
    if (inputBox.value === '' || env.uiKind === UIKind.Web) inputBox.value = kept.message;
  }
}
