/** Texts for a person, in an editor without a file. */
import { commands, EventEmitter, Uri, workspace } from 'vscode';
import { Feature } from '../lifecycle';

const kScheme = 'resident-git-report';
/** Of VS Code's own Markdown extension, which can be off. */
const kShowPreview = 'markdown.showPreview';

export class Reports extends Feature {
  private readonly texts = new Map<string, string>();
  private shown = 0;
  private readonly changed = this.store.add(new EventEmitter<Uri>());

  constructor() {
    super();
    this.store.add(
      workspace.registerTextDocumentContentProvider(kScheme, {
        onDidChange: this.changed.event,
        provideTextDocumentContent: (uri) => this.texts.get(uri.path),
      }),
    );
  }

  /** Replaces the report of that name. */
  async show(name: string, text: string): Promise<void> {
    const uri = this.put(name, text);
    await commands.executeCommand('vscode.open', uri, { preview: false });
  }

  /** The same, rendered. Each call has a URI of its own: the preview does not read a known one again. */
  async showMarkdown(name: string, text: string): Promise<void> {
    const uri = this.put(name, text).with({ query: String(++this.shown) });
    try {
      // It activates the Markdown extension.
      await commands.executeCommand(kShowPreview, uri);
    } catch {
      await this.show(name, text);
    }
  }

  private put(name: string, text: string): Uri {
    const uri = Uri.from({ scheme: kScheme, path: `/${name}` });
    this.texts.set(uri.path, text);
    this.changed.fire(uri);
    return uri;
  }
}
