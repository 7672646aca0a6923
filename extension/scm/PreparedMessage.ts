/**
 * Puts git's prepared message into the input box, for a merge, squash, revert, cherry-pick or patch. Without a prepared
 * message, puts the commit template there. Text that the user wrote stays.
 */
import { SourceControlInputBox } from 'vscode';
import { preparedMessage } from './PreparedText';
import { kPatchMessage } from '../model/operations';
import { PreparedText } from './PreparedText';
import { readText } from '../model/readText';
import { Repository } from '../model/Repository';

/** Delays between further reads: git writes and removes the message a moment after the files that cause the event. */
const kFurtherLooksMs = [500, 1_500, 6_000] as const;
/** git joins both files to one message, in this order. A squash with conflicts lists them in the second file. */
const kFiles = ['SQUASH_MSG', 'MERGE_MSG'] as const;
/** Limit per file. A squash of thousands of commits contains all their messages. */
const kMaxBytes = 1024 * 1024;

export class PreparedMessage {
  private readonly text = new PreparedText();
  private updates = 0;
  private templates = 0;
  private next: NodeJS.Timeout | undefined;
  private template = '';

  constructor(
    private readonly repository: Repository,
    private readonly inputBox: SourceControlInputBox,
    private readonly readTemplate: () => Promise<string>,
  ) {}

  /** The text in the input box; '': empty, or the unchanged template. */
  get written(): string {
    const { value } = this.inputBox;
    return this.template !== '' && value.trim() === this.template.trim() ? '' : value;
  }

  /** Like `written`, but also '' for git's unchanged prepared message. */
  get edited(): string {
    return this.text.isPut(this.inputBox.value) ? '' : this.written;
  }

  /** Reads the template again: it may have changed. */
  async updateTemplate(): Promise<void> {
    const update = ++this.templates;
    const template = await this.readTemplate();
    if (update !== this.templates) return;
    this.template = template;
    this.update();
  }

  /** Call after a commit. Empties the input box, and reads the template again for the next message. */
  clear(): void {
    this.template = '';
    this.text.offer('', '');
    this.inputBox.value = '';
    void this.updateTemplate();
  }

  /** Call when HEAD, the index or the operation may have changed. */
  update(): void {
    clearTimeout(this.next);
    void this.look(++this.updates, 0);
  }

  dispose(): void {
    this.updates++;
    this.templates++;
    clearTimeout(this.next);
  }

  private async look(update: number, turn: number): Promise<void> {
    const text = await this.read();
    if (update !== this.updates) return;
    const put = this.text.offer(text, this.inputBox.value);
    if (put !== undefined) this.inputBox.value = put;
    const after = kFurtherLooksMs[turn];
    if (after === undefined) this.text.settle();
    else this.next = setTimeout(() => void this.look(update, turn + 1), after);
  }

  private async read(): Promise<string> {
    const { gitDir } = this.repository;
    if (gitDir === undefined) return this.template;
    const texts = await Promise.all(kFiles.map((name) => readText(`${gitDir}/${name}`, kMaxBytes)));
    const prepared = texts.filter((text) => text !== undefined);
    if (prepared.length > 0) return preparedMessage(prepared.join(''));
    // git writes no comment lines into this file.
    const patch = await readText(`${gitDir}/${kPatchMessage}`, kMaxBytes);
    return patch?.trim() ?? this.template;
  }
}
