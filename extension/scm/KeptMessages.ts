/**
 * Messages of failed commits, kept until a commit succeeds or HEAD changes. The editor itself also restores the text of an
 * input box after a reload. In a browser the restored text can be stale or missing.
 */
import { commands, env, Memento, UIKind } from 'vscode';
import { WorktreeRoot } from '../protocol';
import { Repository } from '../model/Repository';

interface Kept {
  message: string;
  /** The HEAD of the failed commit; null before the first commit. */
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

  /** Requires a verified repository: its HEAD is known. */
  async restore(repository: Repository, inputBox: { value: string }): Promise<void> {
    const kept = this.memory.get<Kept>(keyOf(repository.root));
    if (kept === undefined) return;
    if (kept.oid !== (repository.branch.oid ?? null)) {
      await this.forget(repository);
      return;
    }
    // One round trip to the editor: its own restored text has then arrived.
    await commands.getCommands(true);
    if (inputBox.value === '' || env.uiKind === UIKind.Web) inputBox.value = kept.message;
  }
}
