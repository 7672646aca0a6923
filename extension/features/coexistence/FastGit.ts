/**
 * The repositories whose git was made fast by the answer about the built-in Git. Remembers them until the undo. Does not
 * know `vscode`.
 */
import { messageOf } from '../../model/messageOf';
import { Acceleration, Accelerator } from '../accelerate/Accelerator';
import { Memory } from './Coexistence';

/** Config to write for one repository. */
export interface FastPlan {
  root: string;
  acceleration: Acceleration;
  /** The new settings, a line each. */
  settings: readonly string[];
}

export interface FastPlans {
  plans: FastPlan[];
  /** Repositories that cannot be made fast. Example: core.fsmonitor names a different program. */
  refused: { root: string; reason: string }[];
}

const kRootsKey = 'coexistence.madeFast';

export class FastGit {
  constructor(
    private readonly accelerator: Accelerator,
    private readonly memory: Memory,
  ) {}

  /** Prefers the socket of git's daemon: git then asks without a new process. `untrackedAll`: see `Acceleration`. */
  async plan(roots: readonly string[], untrackedAll: boolean): Promise<FastPlans> {
    const found: FastPlans = { plans: [], refused: [] };
    for (const root of roots) {
      try {
        found.plans.push(
          await this.planBy({ bySocket: true, untrackedAll }, root).catch(() =>
            this.planBy({ bySocket: false, untrackedAll }, root),
          ),
        );
      } catch (error) {
        found.refused.push({ root, reason: messageOf(error) });
      }
    }
    return found;
  }

  /** A repository is remembered before the write: a write that fails halfway can be undone. */
  async write(plans: readonly FastPlan[]): Promise<void> {
    for (const { root, acceleration, settings } of plans) {
      if (settings.length === 0) continue;
      await this.memory.update(kRootsKey, [...new Set([...this.roots, root])]);
      await this.accelerator.write(root, acceleration);
    }
  }

  canUndo(roots: readonly string[]): boolean {
    return this.roots.some((root) => roots.includes(root));
  }

  /** The result for each setting, a line each. */
  async undo(roots: readonly string[]): Promise<string[]> {
    const lines: string[] = [];
    for (const root of this.roots.filter((each) => roots.includes(each))) {
      lines.push(...(await this.accelerator.undo(root)));
      const left = this.roots.filter((each) => each !== root);
      await this.memory.update(kRootsKey, left.length === 0 ? undefined : left);
    }
    return lines;
  }

  private async planBy(acceleration: Acceleration, root: string): Promise<FastPlan> {
    return { root, acceleration, settings: await this.accelerator.preview(root, acceleration) };
  }

  private get roots(): string[] {
    return (this.memory.get(kRootsKey) ?? []) as string[];
  }
}
