/** The progress of a rebase or am in each repository, read from git's own files. */
import { Feature } from '../lifecycle';
import { Emitter } from '../model/Emitter';
import { kStepFiles, OperationStep, parseStep } from '../model/operations';
import { readText } from '../model/readText';
import { Repository } from '../model/Repository';
import { RepositoryRegistry } from '../model/RepositoryRegistry';

/** Limit per file: it contains a number or the name of a branch. */
const kMaxBytes = 16 * 1024;
/** Delay of a second read: git writes the number a moment before or after the files that cause the event. */
const kSettledMs = 300;

interface Known {
  step: OperationStep | undefined;
  look: number;
  settled?: NodeJS.Timeout;
}

export class OperationSteps extends Feature {
  private readonly known = new Map<Repository, Known>();
  private readonly changed = new Emitter<Repository>();
  readonly onDidChange = this.changed.event;

  constructor(registry: RepositoryRegistry) {
    super();
    this.store.add(
      registry.onDidOpen((repository) => {
        this.update(repository);
        repository.onDidChange(({ head, content }) => {
          if (head || content) this.update(repository);
        });
      }),
    );
    this.store.add(
      registry.onDidClose((repository) => {
        clearTimeout(this.known.get(repository)?.settled);
        this.known.delete(repository);
      }),
    );
  }

  of(repository: Repository): OperationStep | undefined {
    return this.known.get(repository)?.step;
  }

  override dispose(): void {
    for (const { settled } of this.known.values()) clearTimeout(settled);
    this.known.clear();
    super.dispose();
  }

  private update(repository: Repository): void {
    const { operation } = repository;
    const known = this.known.get(repository);
    // The usual case: no operation with steps, and no step known.
    if (operation !== 'rebase' && operation !== 'am' && known?.step === undefined) return;
    const own = known ?? { step: undefined, look: 0 };
    this.known.set(repository, own);
    void this.look(repository, own);
    clearTimeout(own.settled);
    own.settled = setTimeout(() => void this.look(repository, own), kSettledMs);
  }

  private async look(repository: Repository, own: Known): Promise<void> {
    const look = ++own.look;
    const { operation, gitDir } = repository;
    const isStepped = operation === 'rebase' || operation === 'am';
    const step = isStepped && gitDir !== undefined ? await readStep(gitDir) : undefined;
    if (look !== own.look || this.known.get(repository) !== own) return;
    if (JSON.stringify(step) === JSON.stringify(own.step)) return;
    own.step = step;
    this.changed.fire(repository);
  }
}

async function readStep(gitDir: string): Promise<OperationStep | undefined> {
  const read = async (name: string) => (await readText(`${gitDir}/${name}`, kMaxBytes)) ?? '';
  for (const { step, of, branch } of kStepFiles) {
    const found = parseStep(await read(step), await read(of), await read(branch));
    if (found !== undefined) return found;
  }
  return undefined;
}
