/**
 * The message that git has prepared for a merge, squash, revert, cherry-pick or patch, or else the template of messages: in
 * the input box, while nobody wrote there.
 */
import { SourceControlInputBox } from 'vscode';
import { preparedMessage } from './PreparedText';
import { kPatchMessage } from '../model/operations';
import { PreparedText } from './PreparedText';
import { readText } from '../model/readText';
import { Repository } from '../model/Repository';

/** git writes and removes the message a moment after what tells of the operation: so there are further looks, each this long after the last. */
const kFurtherLooksMs = [500, 1_500, 6_000] as const;
/** git makes one message of both, in this order: a squash that stops at conflicts has them in the second. */
const kFiles = ['SQUASH_MSG', 'MERGE_MSG'] as const;
/** A squash of thousands of commits has the messages of all. */
const kMostBytes = 1024 * 1024;

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

  /** What a person wrote: a template that nobody touched is no message. */
  get written(): string {
    const { value } = this.inputBox;
    return this.template !== '' && value.trim() === this.template.trim() ? '' : value;
  }

  /** What a person wrote in place of what git has prepared: '' where that stands there untouched. */
  get edited(): string {
    return this.text.isPut(this.inputBox.value) ? '' : this.written;
  }

  /** The template may be another one by now. */
  async updateTemplate(): Promise<void> {
    const update = ++this.templates;
    const template = await this.readTemplate();
    if (update !== this.templates) return;
    this.template = template;
    this.update();
  }

  /** What was written is committed: the next message begins, with the template as it is by now. */
  clear(): void {
    this.template = '';
    this.text.offer('', '');
    this.inputBox.value = '';
    void this.updateTemplate();
  }

  /** HEAD, the index or the operation may have changed. */
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
    const texts = await Promise.all(kFiles.map((name) => readText(`${gitDir}/${name}`, kMostBytes)));
    const prepared = texts.filter((text) => text !== undefined);
    if (prepared.length > 0) return preparedMessage(prepared.join(''));
    // It has no comments.
    const patch = await readText(`${gitDir}/${kPatchMessage}`, kMostBytes);
    return patch?.trim() ?? this.template;
  }
}
