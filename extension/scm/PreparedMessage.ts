/** The message that git has prepared for a merge, squash, revert or cherry-pick: in the input box, while nobody wrote there. */
import { readFile } from 'node:fs/promises';
import { SourceControlInputBox } from 'vscode';
import { preparedMessage } from '../model/commitPlan';
import { Repository } from '../model/Repository';

/** git writes the message a moment after what tells of the operation. */
const kSettledMs = 500;
const kFiles = ['MERGE_MSG', 'SQUASH_MSG'] as const;

export class PreparedMessage {
  /** What was put into the box last. */
  private shown = '';
  private looks = 0;
  private settled: NodeJS.Timeout | undefined;

  constructor(
    private readonly repository: Repository,
    private readonly inputBox: SourceControlInputBox,
  ) {}

  /** HEAD, the index or the operation may have changed. */
  update(): void {
    void this.look();
    clearTimeout(this.settled);
    this.settled = setTimeout(() => void this.look(), kSettledMs);
  }

  dispose(): void {
    this.looks++;
    clearTimeout(this.settled);
  }

  private async look(): Promise<void> {
    const look = ++this.looks;
    const text = await this.read();
    if (look !== this.looks || text === this.shown) return;
    if (this.inputBox.value === this.shown) this.inputBox.value = text;
    this.shown = text;
  }

  private async read(): Promise<string> {
    const { gitDir } = this.repository;
    if (gitDir === undefined) return '';
    for (const name of kFiles) {
      try {
        return preparedMessage(await readFile(`${gitDir}/${name}`, 'utf8'));
      } catch {
        // Nothing is prepared there.
      }
    }
    return '';
  }
}
