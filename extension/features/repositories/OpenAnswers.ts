/** The user's answers about found repositories: open or do not open. Stored per workspace. */
import { Memento } from 'vscode';
import { WorktreeRoot } from '../../protocol';

export type OpenAnswer = 'open' | 'close';

const kKey = 'repositories.answers';

export class OpenAnswers {
  constructor(private readonly memory: Memento) {}

  get all(): ReadonlyMap<WorktreeRoot, OpenAnswer> {
    return new Map(Object.entries(this.memory.get<Record<WorktreeRoot, OpenAnswer>>(kKey) ?? {}));
  }

  async note(roots: Iterable<WorktreeRoot>, answer: OpenAnswer): Promise<void> {
    const all = new Map(this.all);
    for (const root of roots) all.set(root, answer);
    await this.memory.update(kKey, Object.fromEntries(all));
  }
}
