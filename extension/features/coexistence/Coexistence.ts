/**
 * Coordinates the window's repositories with VS Code's own Git: decides when to ask, applies the answer, undoes it.
 *
 * Invariants:
 *  - Only `apply` and `undo` change settings. Both return the writes, so that the caller can report them.
 *  - The journal is saved before the first write: a change that fails halfway can be undone.
 *  - A repository is closed in the built-in only while `git.ignoredRepositories` lists it because of us. When this
 *    ends, in any window, the repositories that we closed are opened again.
 */
import {
  Answer,
  BuiltInSettings,
  canUndo,
  effective,
  ignoredByUs,
  isCountLeftByUs,
  isTrapOfOurs,
  Journal,
  Journals,
  Plan,
  planAnswer,
  planUndo,
  Scope,
  Write,
} from './plan';

/** A `Memento` of vscode. */
export interface Memory {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

export interface CoexistencePorts {
  readonly settings: { read(): BuiltInSettings; write(write: Write): PromiseLike<void> };
  readonly memory: Readonly<Record<Scope, Memory>>;
  readonly builtIn: {
    /** The roots of the built-in's open repositories, by its own names; undefined: the built-in is off or missing. */
    openRoots(): readonly string[] | undefined;
    close(root: string): PromiseLike<void>;
    open(root: string): PromiseLike<void>;
  };
  /** The roots of this window's repositories, by every name that the built-in can give them. */
  readonly names: () => readonly string[];
}

/**
 * Questions after a choice that the user made in an earlier version:
 *  - `trap`: automatic refresh is still off.
 *  - `count`: the badges are off, but the built-in's count is on.
 */
export type Offer = 'first' | 'trap' | 'count';

const kJournalKey = 'coexistence.journal';
/** The user's settings before an earlier version turned both switches off. */
const kPreviousKey = 'coexistence.previous';
/** Never ask: the user said so in an earlier version, or undid our changes. */
const kAnsweredKey = 'coexistence.answered';
/** Each of these questions is asked once. */
const kShownKeys = { trap: 'coexistence.toldOfTrap', count: 'coexistence.toldOfCount' } as const;
/** Keys in the memory of the workspace. */
const kNotNowKey = 'coexistence.notNow';
const kClosedKey = 'coexistence.closed';

export class Coexistence {
  constructor(private readonly ports: CoexistencePorts) {}

  /** The question to ask now; undefined: none. */
  get offer(): Offer | undefined {
    const { settings, memory, names, builtIn } = this.ports;
    const open = builtIn.openRoots();
    if (open === undefined) return undefined;
    const now = settings.read();
    if (isTrapOfOurs(now, this.journals)) {
      return memory.user.get(kShownKeys.trap) === true ? undefined : 'trap';
    }
    if (memory.user.get(kAnsweredKey) === true || memory.workspace.get(kNotNowKey) === true) return undefined;
    const ours = names();
    const isInBoth = open.some((root) => ours.includes(root));
    if (!isInBoth) return undefined;
    if (effective(now['git.decorations.enabled'])) return 'first';
    const isCount = isCountLeftByUs(now, this.journals) && memory.user.get(kShownKeys.count) !== true;
    return isCount ? 'count' : undefined;
  }

  /** Call when the question was shown, whatever the answer. */
  async recordShown(offer: Offer): Promise<void> {
    if (offer !== 'first') await this.ports.memory.user.update(kShownKeys[offer], true);
  }

  async noteNotNow(): Promise<void> {
    await this.ports.memory.workspace.update(kNotNowKey, true);
  }

  get canUndo(): boolean {
    return canUndo(this.journals, this.ports.names());
  }

  async apply(answer: Answer): Promise<Write[]> {
    const { settings, names, memory } = this.ports;
    const writes = await this.carryOut(planAnswer(answer, settings.read(), this.journals, names()));
    // Lets `offer` ask again for a later repository or another workspace.
    await memory.user.update(kAnsweredKey, undefined);
    await memory.workspace.update(kNotNowKey, undefined);
    await this.reconcile();
    return writes;
  }

  async undo(): Promise<Write[]> {
    const { settings, names, memory } = this.ports;
    const writes = await this.carryOut(planUndo(settings.read(), this.journals, names()));
    await memory.user.update(kAnsweredKey, true);
    await this.reconcile();
    return writes;
  }

  /** Closes and opens repositories in the built-in until they match the settings. */
  async reconcile(): Promise<void> {
    const { settings, names, memory, builtIn } = this.ports;
    const open = builtIn.openRoots();
    if (open === undefined) return;
    const ignored = ignoredByUs(settings.read(), this.journals);
    const closed = new Set((memory.workspace.get(kClosedKey) ?? []) as string[]);
    const [before, ours] = [closed.size, names()];
    const toOpen = [...closed].filter((root) => !ignored.includes(root));
    const toClose = open.filter((root) => ignored.includes(root) && ours.includes(root));
    for (const root of toOpen) closed.delete(root);
    for (const root of toClose) closed.add(root);
    if (toOpen.length + toClose.length > 0 || closed.size !== before) {
      await memory.workspace.update(kClosedKey, closed.size === 0 ? undefined : [...closed]);
    }
    for (const root of toClose) await builtIn.close(root);
    for (const root of toOpen) await builtIn.open(root);
  }

  private async carryOut({ writes, journals }: Plan): Promise<Write[]> {
    const { settings, memory } = this.ports;
    for (const scope of ['user', 'workspace'] as const) {
      const journal = journals[scope];
      await memory[scope].update(kJournalKey, Object.keys(journal).length === 0 ? undefined : journal);
    }
    // The journal holds these values from now on.
    await memory.user.update(kPreviousKey, undefined);
    for (const write of writes) await settings.write(write);
    return writes;
  }

  private get journals(): Journals {
    const { memory } = this.ports;
    const read = (scope: Scope) => (memory[scope].get(kJournalKey) ?? {}) as Journal;
    const user = read('user');
    const previous = memory.user.get(kPreviousKey) as Record<string, unknown> | undefined;
    if (previous === undefined) return { user, workspace: read('workspace') };
    const before = (value: unknown) => (typeof value === 'boolean' ? value : null);
    const switches = {
      'git.decorations.enabled': { before: before(previous['git.decorations.enabled']), after: false },
      'git.autorefresh': { before: before(previous['git.autorefresh']), after: false },
    };
    return { user: { ...user, switches: { ...switches, ...user.switches } }, workspace: read('workspace') };
  }
}
